/** The fixed texts of the pages, and the choice of language. */
import { type Language, type Localized, languages } from '../../src/domain/events.ts';

interface Texts {
  /** The language's own name. */
  name: string;
  ask: string;
  corpora: string;
  languages: string;
  noCorpora: string;
  keyNeeded: string;
  question: string;
  send: string;
  examples: string;
  sources: string;
  openSource: string;
  page: (number: number) => string;
  note: string;
  failed: Record<'busy' | 'invalid' | 'denied' | 'unavailable', string>;
  documents: (count: number) => string;
  revision: (number: number) => string;
  publishedAt: string;
  date: string;
  language: string;
  languageNames: Record<Language, string>;
  hash: string;
  document: string;
  original: string;
  superseded: string;
  outdated: (current: number) => string;
  showCurrent: string;
  noSuchChunk: string;
  untitled: string;
  parts: string;
  part: (number: number, count: number) => string;
  before: string;
  after: string;
  elsewhere: string;
  showCited: string;
  answered: (date: string) => string;
  askAgain: string;
  noAnswer: { title: string; detail: string };
  erased: { title: string; detail: string };
  refusals: Record<
    'not_found' | 'withdrawn' | 'restricted' | 'denied' | 'expired' | 'busy' | 'unavailable',
    { title: string; detail: string }
  >;
}

export const texts: Record<Language, Texts> = {
  ru: {
    name: 'Русский',
    ask: 'Задать вопрос',
    corpora: 'Собрания документов',
    languages: 'Язык',
    noCorpora: 'Документов пока нет.',
    keyNeeded: 'Эта служба отвечает только по ключу доступа.',
    question: 'Ваш вопрос',
    send: 'Спросить',
    examples: 'Примеры вопросов',
    sources: 'Источники',
    openSource: 'Открыть источник',
    page: (number) => `с. ${number}`,
    note: 'Перед использованием ответа откройте его источники.',
    failed: {
      busy: 'Вопросов слишком много. Повторите немного позже.',
      invalid: 'Такой вопрос не может быть принят. Сформулируйте его короче или иначе.',
      denied: 'Эта служба отвечает только по ключу доступа.',
      unavailable: 'Служба сейчас не может ответить. Повторите немного позже.',
    },
    documents: (count) => `Документов: ${count}`,
    revision: (number) => `Редакция ${number}`,
    publishedAt: 'принята',
    date: 'Дата',
    language: 'Язык',
    languageNames: { ru: 'русский', kk: 'казахский', en: 'английский' },
    hash: 'Хеш SHA-256',
    document: 'Адрес документа',
    original: 'Первая публикация',
    superseded: 'Этот текст утратил силу. Он хранится для сравнения.',
    outdated: (current) => `Это прежняя редакция документа; сейчас показывается редакция ${current}.`,
    showCurrent: 'Открыть нынешнюю редакцию',
    noSuchChunk: 'Указанного места в этой редакции нет.',
    untitled: 'Документ без названия',
    parts: 'Части документа',
    part: (number, count) => `Часть ${number} из ${count}`,
    before: 'Предыдущая часть',
    after: 'Следующая часть',
    elsewhere: 'Место, на которое ссылается ответ, — в другой части документа.',
    showCited: 'Перейти к нему',
    answered: (date) => `Ответ дан ${date}`,
    askAgain: 'Задать этот вопрос снова',
    noAnswer: { title: 'Такого ответа нет', detail: 'Ответа по этой ссылке нет, или он открыт не всем.' },
    erased: {
      title: 'Ответ больше не показывается',
      detail: 'Он удалён, или отозван документ, на котором он основан.',
    },
    refusals: {
      not_found: { title: 'Такого источника нет', detail: 'Документа или редакции с этим номером нет.' },
      withdrawn: { title: 'Документ отозван', detail: 'Его текст больше не показывается.' },
      restricted: { title: 'Документ не для показа', detail: 'Он доступен только администраторам.' },
      denied: {
        title: 'Источник открывается не всем',
        detail: 'Его открывает ссылка из ответа или ключ доступа к этому собранию документов.',
      },
      expired: {
        title: 'Срок ссылки истёк',
        detail: 'Ссылки из ответов открываются неделю. Задайте вопрос ещё раз, чтобы получить новую.',
      },
      busy: { title: 'Открыто слишком много источников', detail: 'Подождите немного и обновите страницу.' },
      unavailable: {
        title: 'Источник сейчас не открыть',
        detail: 'Служба не может ответить. Попробуйте позже.',
      },
    },
  },
  kk: {
    name: 'Қазақша',
    ask: 'Сұрақ қою',
    corpora: 'Құжаттар жинақтары',
    languages: 'Тіл',
    noCorpora: 'Әзірге құжат жоқ.',
    keyNeeded: 'Бұл қызмет тек қолжетімділік кілті бойынша жауап береді.',
    question: 'Сұрағыңыз',
    send: 'Сұрау',
    examples: 'Сұрақ үлгілері',
    sources: 'Дереккөздер',
    openSource: 'Дереккөзді ашу',
    page: (number) => `${number}-бет`,
    note: 'Жауапты пайдаланар алдында дереккөздерін ашып қараңыз.',
    failed: {
      busy: 'Сұрақтар тым көп. Сәл кейінірек қайталаңыз.',
      invalid: 'Мұндай сұрақ қабылданбайды. Оны қысқартып немесе басқаша қойып көріңіз.',
      denied: 'Бұл қызмет тек қолжетімділік кілті бойынша жауап береді.',
      unavailable: 'Қызмет қазір жауап бере алмайды. Сәл кейінірек қайталаңыз.',
    },
    documents: (count) => `Құжаттар саны: ${count}`,
    revision: (number) => `${number}-редакция`,
    publishedAt: 'қабылданған уақыты',
    date: 'Күні',
    language: 'Тілі',
    languageNames: { ru: 'орыс тілі', kk: 'қазақ тілі', en: 'ағылшын тілі' },
    hash: 'SHA-256 хеші',
    document: 'Құжаттың мекенжайы',
    original: 'Алғашқы жарияланымы',
    superseded: 'Бұл мәтін күшін жойған. Ол салыстыру үшін сақталады.',
    outdated: (current) => `Бұл — құжаттың бұрынғы редакциясы; қазір ${current}-редакция көрсетіледі.`,
    showCurrent: 'Қазіргі редакцияны ашу',
    noSuchChunk: 'Көрсетілген жер бұл редакцияда жоқ.',
    untitled: 'Атауы жоқ құжат',
    parts: 'Құжаттың бөліктері',
    part: (number, count) => `${count} бөліктің ${number}-бөлігі`,
    before: 'Алдыңғы бөлік',
    after: 'Келесі бөлік',
    elsewhere: 'Жауап сілтеме жасаған жер құжаттың басқа бөлігінде.',
    showCited: 'Сол жерге өту',
    answered: (date) => `Жауап берілген күн: ${date}`,
    askAgain: 'Осы сұрақты қайта қою',
    noAnswer: {
      title: 'Мұндай жауап жоқ',
      detail: 'Бұл сілтеме бойынша жауап жоқ немесе ол баршаға ашық емес.',
    },
    erased: {
      title: 'Жауап енді көрсетілмейді',
      detail: 'Ол өшірілген немесе ол негізделген құжат қайтарып алынған.',
    },
    refusals: {
      not_found: { title: 'Мұндай дереккөз жоқ', detail: 'Осы нөмірлі құжат немесе редакция жоқ.' },
      withdrawn: { title: 'Құжат кері қайтарылған', detail: 'Оның мәтіні енді көрсетілмейді.' },
      restricted: { title: 'Құжат көрсетуге арналмаған', detail: 'Ол тек әкімшілерге қолжетімді.' },
      denied: {
        title: 'Дереккөз баршаға ашық емес',
        detail: 'Оны жауаптағы сілтеме немесе осы құжаттар жинағына берілген кілт ашады.',
      },
      expired: {
        title: 'Сілтеменің мерзімі өтті',
        detail: 'Жауаптағы сілтемелер бір апта ашылады. Жаңасын алу үшін сұрақты қайта қойыңыз.',
      },
      busy: { title: 'Тым көп дереккөз ашылды', detail: 'Біраз күтіп, бетті жаңартыңыз.' },
      unavailable: {
        title: 'Дереккөзді қазір ашу мүмкін емес',
        detail: 'Қызмет жауап бере алмайды. Кейінірек көріңіз.',
      },
    },
  },
  en: {
    name: 'English',
    ask: 'Ask a question',
    corpora: 'Collections of documents',
    languages: 'Language',
    noCorpora: 'There are no documents yet.',
    keyNeeded: 'This service requires an access key.',
    question: 'Your question',
    send: 'Ask',
    examples: 'Example questions',
    sources: 'Sources',
    openSource: 'Open the source',
    page: (number) => `p. ${number}`,
    note: 'Open the sources before you use an answer.',
    failed: {
      busy: 'Too many questions at once. Try again a little later.',
      invalid: 'This question cannot be accepted. Shorten it or rephrase it.',
      denied: 'This service requires an access key.',
      unavailable: 'The service cannot answer at the moment. Try again a little later.',
    },
    documents: (count) => `Documents: ${count}`,
    revision: (number) => `Revision ${number}`,
    publishedAt: 'added on',
    date: 'Date',
    language: 'Language',
    languageNames: { ru: 'Russian', kk: 'Kazakh', en: 'English' },
    hash: 'SHA-256',
    document: 'Address of the document',
    original: 'First published',
    superseded: 'This text is no longer in force. It is kept for comparison.',
    outdated: (current) =>
      `This is an earlier revision of the document; the current one is revision ${current}.`,
    showCurrent: 'Open the current revision',
    noSuchChunk: 'The cited passage is not in this revision.',
    untitled: 'Untitled document',
    parts: 'Parts of the document',
    part: (number, count) => `Part ${number} of ${count}`,
    before: 'Previous part',
    after: 'Next part',
    elsewhere: 'The passage cited in the answer is in another part of the document.',
    showCited: 'Go to the passage',
    answered: (date) => `Answered on ${date}`,
    askAgain: 'Ask this question again',
    noAnswer: {
      title: 'There is no such answer',
      detail: 'There is no answer at this address, or the answer is not public.',
    },
    erased: {
      title: 'This answer is no longer shown',
      detail: 'It was erased, or a document it relies on was withdrawn.',
    },
    refusals: {
      not_found: {
        title: 'There is no such source',
        detail: 'There is no document or revision with this number.',
      },
      withdrawn: { title: 'The document was withdrawn', detail: 'Its text is no longer shown.' },
      restricted: { title: 'The document is not public', detail: 'Only administrators have access to it.' },
      denied: {
        title: 'This source is not public',
        detail: 'To open it, use a link from an answer, or an access key for its collection of documents.',
      },
      expired: {
        title: 'The link has expired',
        detail: 'Links from answers are valid for a week. Ask the question again to get a new one.',
      },
      busy: { title: 'Too many sources were opened', detail: 'Wait a moment and reload the page.' },
      unavailable: {
        title: 'The source cannot be opened now',
        detail: 'The service cannot answer. Try again later.',
      },
    },
  },
};

/** Only this many characters of the header are read; browsers send fewer. */
const acceptedLengthMax = 512;

/** The preferred supported language of an Accept-Language header; English if there is none. */
export function acceptedLanguage(header: string | undefined): Language {
  const ranges = (header ?? '').slice(0, acceptedLengthMax).toLowerCase().split(',');
  const wanted = ranges.map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { lang: asLanguage(tag.split('-', 1)[0]), q: quality === undefined ? 1 : Number(quality) || 0 };
  });
  const best = wanted.filter(({ lang, q }) => lang !== null && q > 0).sort((a, b) => b.q - a.q)[0];
  return best?.lang ?? 'en';
}

export function asLanguage(tag: string | undefined): Language | null {
  return languages.find((lang) => lang === tag) ?? null;
}

/** A localized text in the requested language, or otherwise in any available language. */
export function localized(text: Localized, lang: Language): string {
  if (typeof text === 'string') return text;
  return text[lang] ?? languages.map((other) => text[other]).find((other) => other !== undefined) ?? '';
}

/** Formats for a year, a month and a day; created once, because creating one takes longer than rendering a page. */
const englishDates = [
  { year: 'numeric' },
  { year: 'numeric', month: 'long' },
  { year: 'numeric', month: 'long', day: 'numeric' },
].map((parts) => new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...(parts as object) }));

/** "1994", "1994-10", "1994-10-20" or the day of a time, in readable form. */
export function readableDate(date: string, lang: Language): string {
  const parts = date.slice(0, 10).split('-');
  const [year = '', month, day] = parts;
  if (lang !== 'en') return [day, month, year].filter(Boolean).join('.');
  const time = Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  return englishDates[parts.length - 1]!.format(time);
}
