/** Every fixed sentence an answer can hold, in Russian, Kazakh and English. */
import type { Language } from '../domain/events.ts';
import type { Numbered } from '../text/references/parse.ts';

export interface Phrases {
  greeting: (corpus: string) => string;
  thanks: string;
  farewell: string;
  insult: (corpus: string) => string;
  /** Answers orders for texts, translations and the like. */
  task: (corpus: string) => string;
  /** What the assistant is; `description` is the corpus's own, "" where it has none. */
  meta: (corpus: string, description: string) => string;
  /** Answers orders to break or show the rules. */
  ordered: (corpus: string) => string;
  noAnswer: (corpus: string) => string;
  /** The question names nothing that could be looked up. */
  unclear: string;
  nearest: string;
  missing: (provision: string, corpus: string) => string;
  /** The question names an act that no document is. */
  unknownAct: (corpus: string) => string;
  neighbours: string;
  points: (numbers: string) => string;
  /** Nothing was found in the asker's language; `other` is the language of the passages. */
  otherLanguage: (other: Language) => string;
  /** The leading layer is silent, another one speaks. */
  onlyIn: (leading: string, layer: string) => string;
  inForce: string;
  superseded: string;
  verdict: string;
  listOpen: string;
  listCut: string;
  textCut: string;
  /** Only the first so many of the provisions asked for were looked up. */
  firstProvisions: (count: number) => string;
  /** Before an answer of the FAQ cache that an administrator wrote and no document holds. */
  editorsWord: string;
  nothingOn: string;
  /** Of a question in several parts, this one was not answered. */
  partMissing: (question: string) => string;
  nothingMore: string;
  thesis: string;
  evidence: string;
  limits: string;
  limitsOf: (sources: number) => string;
  quote: (text: string) => [before: string, after: string];
  /** The name of a provision by what it stands in, the outermost first, and itself. */
  provision: (chain: readonly Numbered[]) => string;
  date: (iso: string) => string;
}

const ruUnits: Record<string, [nominative: string, genitive: string]> = {
  article: ['статья', 'статьи'],
  paragraph: ['параграф', 'параграфа'],
  part: ['часть', 'части'],
  point: ['пункт', 'пункта'],
  subpoint: ['подпункт', 'подпункта'],
  indent: ['абзац', 'абзаца'],
  section: ['раздел', 'раздела'],
  chapter: ['глава', 'главы'],
  annex: ['приложение', 'приложения'],
};
const kkUnits: Record<string, [own: string, possessed: string]> = {
  article: ['бап', 'бабы'],
  paragraph: ['параграф', 'параграфы'],
  part: ['бөлік', 'бөлігі'],
  point: ['тармақ', 'тармағы'],
  subpoint: ['тармақша', 'тармақшасы'],
  indent: ['абзац', 'абзацы'],
  section: ['бөлім', 'бөлімі'],
  chapter: ['тарау', 'тарауы'],
  annex: ['қосымша', 'қосымшасы'],
};
const kkGenitive: Record<string, string> = {
  article: 'баптың',
  paragraph: 'параграфтың',
  point: 'тармақтың',
  subpoint: 'тармақшаның',
  part: 'бөліктің',
};

const ruMonths = [
  'января',
  'февраля',
  'марта',
  'апреля',
  'мая',
  'июня',
  'июля',
  'августа',
  'сентября',
  'октября',
  'ноября',
  'декабря',
];
const kkMonths = [
  'қаңтар',
  'ақпан',
  'наурыз',
  'сәуір',
  'мамыр',
  'маусым',
  'шілде',
  'тамыз',
  'қыркүйек',
  'қазан',
  'қараша',
  'желтоқсан',
];
const enMonths = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function dated(iso: string, whole: (year: string, month: number, day: number) => string): string {
  const found = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso);
  return found ? whole(found[1]!, Number(found[2]) - 1, Number(found[3])) : iso;
}

export const phrases: Record<Language, Phrases> = {
  ru: {
    greeting: (corpus) =>
      `Здравствуйте! Я отвечаю на вопросы по документам «${corpus}» и показываю источники. Задайте вопрос по этим документам.`,
    thanks: 'Пожалуйста! Если появятся ещё вопросы, задавайте.',
    insult: (corpus) =>
      `Жаль, что ответ не помог. Попробуйте спросить другими словами: я отвечаю на вопросы по документам «${corpus}».`,
    task: (corpus) =>
      `Этого я не умею: текстов не сочиняю, не перевожу и не решаю задач. Я отвечаю на вопросы по документам «${corpus}».`,
    farewell: 'До свидания! Если появятся вопросы, возвращайтесь.',
    meta: (corpus, description) =>
      `Я справочный помощник по документам «${corpus}».${description && ` ${description}`} Отвечаю только тем, что в них сказано: дословными выдержками со ссылкой на источник. Если ответа в них не нахожу, так и говорю. Вопросы можно задавать на русском, казахском и английском языках.`,
    ordered: (corpus) =>
      `Мои правила и настройки через вопрос не меняются и не раскрываются. Я отвечаю на вопросы по документам «${corpus}».`,
    noAnswer: (corpus) =>
      `В документах «${corpus}» не нашлось достаточных сведений, чтобы ответить на этот вопрос.`,
    unclear: 'Уточните, пожалуйста, о чём ваш вопрос.',
    nearest: 'Ближайшие по теме источники:',
    missing: (provision, corpus) => `В документах «${corpus}» нет ${provision}.`,
    unknownAct: (corpus) => `В документах «${corpus}» не нашлось акта, который назван в вопросе.`,
    neighbours: 'Соседние по номеру:',
    points: (numbers) => `В ней есть только: ${numbers}.`,
    otherLanguage: (other) =>
      `На русском языке ответа не нашлось, привожу текст на ${{ ru: 'русском', kk: 'казахском', en: 'английском' }[other]} языке.`,
    onlyIn: (leading, layer) =>
      `В основном тексте («${leading}») прямого ответа не нашлось. Об этом говорит «${layer}»:`,
    inForce: 'действующий текст',
    superseded: 'текст, утративший силу',
    verdict: 'Оценок я не даю. К вопросу относятся такие положения:',
    listOpen: 'Это найденные выдержки, перечень может быть неполным.',
    listCut: 'Перечень приведён не полностью.',
    textCut: 'Текст приведён не полностью.',
    editorsWord: 'Ответ редакции: ',
    firstProvisions: (count) => `Вопрос называет больше ${count} положений: рассмотрены первые ${count}.`,
    partMissing: (question) => `На вопрос «${question}» ответа в документах не нашлось.`,
    nothingOn: 'по этому предмету ничего не нашлось.',
    nothingMore: 'Других подходящих выдержек не нашлось.',
    thesis: 'Тезис',
    evidence: 'Основания',
    limits: 'Пределы',
    limitsOf: (sources) =>
      `сказанное опирается только на найденные выдержки (источников: ${sources}) и не исчерпывает темы.`,
    quote: () => ['«', '»'],
    provision: (chain) =>
      chain
        .toReversed()
        .map(({ unit, number }) => `${ruUnits[unit]?.[1] ?? unit} ${number}`)
        .join(' '),
    date: (iso) => dated(iso, (year, month, day) => `${day} ${ruMonths[month]} ${year} года`),
  },
  kk: {
    greeting: (corpus) =>
      `Сәлеметсіз бе! Мен «${corpus}» құжаттары бойынша сұрақтарға жауап беріп, дереккөздерін көрсетемін. Осы құжаттар туралы сұрағыңызды қойыңыз.`,
    thanks: 'Оқасы жоқ! Тағы сұрағыңыз болса, қоя беріңіз.',
    insult: (corpus) =>
      `Жауап көмектеспегеніне өкінемін. Басқаша сұрап көріңіз: мен «${corpus}» құжаттары бойынша сұрақтарға жауап беремін.`,
    task: (corpus) =>
      `Мұны істей алмаймын: мәтін шығармаймын, аудармаймын, есеп шығармаймын. Мен «${corpus}» құжаттары бойынша сұрақтарға жауап беремін.`,
    farewell: 'Сау болыңыз! Сұрағыңыз болса, қайта келіңіз.',
    meta: (corpus, description) =>
      `Мен «${corpus}» құжаттары бойынша анықтамалық көмекшімін.${description && ` ${description}`} Тек сол құжаттарда айтылғанға сүйеніп, дереккөзін көрсете отырып, сөзбе-сөз үзінділермен жауап беремін. Жауап табылмаса, соны айтамын. Сұрақты қазақ, орыс және ағылшын тілдерінде қоюға болады.`,
    ordered: (corpus) =>
      `Менің ережелерім мен баптауларым сұрақ арқылы өзгермейді әрі көрсетілмейді. Мен «${corpus}» құжаттары бойынша сұрақтарға жауап беремін.`,
    noAnswer: (corpus) => `«${corpus}» құжаттарынан бұл сұраққа жауап беруге жеткілікті мәлімет табылмады.`,
    unclear: 'Сұрағыңыз не туралы екенін нақтылап жіберіңізші.',
    nearest: 'Тақырыбы жақын дереккөздер:',
    missing: (provision, corpus) => `«${corpus}» құжаттарында ${provision} жоқ.`,
    unknownAct: (corpus) => `«${corpus}» құжаттарынан сұрақта аталған акт табылмады.`,
    neighbours: 'Нөмірі бойынша көршілес:',
    points: (numbers) => `Онда тек мыналар бар: ${numbers}.`,
    otherLanguage: (other) =>
      `Қазақ тілінде жауап табылмады, ${{ ru: 'орыс', kk: 'қазақ', en: 'ағылшын' }[other]} тіліндегі мәтінді келтіремін.`,
    onlyIn: (leading, layer) =>
      `Негізгі мәтінде («${leading}») тікелей жауап табылмады. Бұл туралы «${layer}» былай дейді:`,
    inForce: 'қолданыстағы мәтін',
    superseded: 'күші жойылған мәтін',
    verdict: 'Мен баға бермеймін. Сұраққа мына ережелер қатысты:',
    listOpen: 'Бұл – табылған үзінділер, тізім толық болмауы мүмкін.',
    listCut: 'Тізім толық келтірілмеді.',
    textCut: 'Мәтін толық келтірілмеді.',
    editorsWord: 'Редакцияның жауабы: ',
    firstProvisions: (count) => `Сұрақта ${count} ережеден көп аталған: алғашқы ${count} қаралды.`,
    partMissing: (question) => `«${question}» деген сұраққа құжаттардан жауап табылмады.`,
    nothingOn: 'бұл мәселе бойынша ештеңе табылмады.',
    nothingMore: 'Басқа сәйкес үзінді табылмады.',
    thesis: 'Тезис',
    evidence: 'Дәйектер',
    limits: 'Шектеулер',
    limitsOf: (sources) =>
      `айтылғандар тек табылған үзінділерге сүйенеді (дереккөз саны: ${sources}) және тақырыпты толық қамтымайды.`,
    quote: () => ['«', '»'],
    provision: (chain) =>
      chain
        .map(({ unit, number }, n) => {
          const own = kkUnits[unit]?.[n === 0 ? 0 : 1] ?? unit;
          return `${number}-${n < chain.length - 1 ? (kkGenitive[unit] ?? unit) : own}`;
        })
        .join(' '),
    date: (iso) => dated(iso, (year, month, day) => `${year} жылғы ${day} ${kkMonths[month]}`),
  },
  en: {
    greeting: (corpus) =>
      `Hello! I answer questions about the documents of “${corpus}” and show my sources. Ask me something about them.`,
    thanks: "You're welcome! Feel free to ask more.",
    insult: (corpus) =>
      `I am sorry that this did not help. Try asking in other words: I answer questions about the documents of “${corpus}”.`,
    task: (corpus) =>
      `I cannot do that: I write no texts, translate nothing and solve no problems. I answer questions about the documents of “${corpus}”.`,
    farewell: 'Goodbye! Come back whenever you have a question.',
    meta: (corpus, description) =>
      `I am a reference assistant for the documents of “${corpus}”.${description && ` ${description}`} I answer only with what they say: verbatim passages with their sources. When I do not find an answer in them, I say so. You can ask in English, Russian and Kazakh.`,
    ordered: (corpus) =>
      `My rules and settings are neither changed nor shown by a question. I answer questions about the documents of “${corpus}”.`,
    noAnswer: (corpus) => `I did not find enough in the documents of “${corpus}” to answer this question.`,
    unclear: 'Please say what your question is about.',
    nearest: 'Nearest sources:',
    missing: (provision, corpus) => `There is no ${provision} in the documents of “${corpus}”.`,
    unknownAct: (corpus) => `The act named in the question was not found in the documents of “${corpus}”.`,
    neighbours: 'Next to it by number:',
    points: (numbers) => `It has only: ${numbers}.`,
    otherLanguage: (other) =>
      `Nothing was found in English; the text below is in ${{ ru: 'Russian', kk: 'Kazakh', en: 'English' }[other]}.`,
    onlyIn: (leading, layer) => `The main text (“${leading}”) holds no direct answer. “${layer}” says:`,
    inForce: 'in force',
    superseded: 'no longer in force',
    verdict: 'I give no verdict. These provisions bear on the question:',
    listOpen: 'These are the passages found; the list may be incomplete.',
    listCut: 'The list is not given in full.',
    textCut: 'The text is not given in full.',
    editorsWord: 'From the editors: ',
    firstProvisions: (count) =>
      `The question names more than ${count} provisions: the first ${count} were looked at.`,
    partMissing: (question) => `The documents hold no answer to “${question}”.`,
    nothingOn: 'nothing was found on this subject.',
    nothingMore: 'No further passages were found.',
    thesis: 'Thesis',
    evidence: 'Evidence',
    limits: 'Limits',
    limitsOf: (sources) =>
      `this rests only on the passages found (sources: ${sources}) and does not exhaust the subject.`,
    quote: () => ['“', '”'],
    provision: (chain) =>
      chain
        .toReversed()
        .map(({ unit, number }) => `${unit === 'article' ? 'Article' : unit} ${number}`)
        .join(' of '),
    date: (iso) => dated(iso, (year, month, day) => `${day} ${enMonths[month]} ${year}`),
  },
};
