/** The fixed texts shown in chats, in three languages. */
import type { ChatSettings, Language } from '../src/domain/events.ts';

/** The settings of a channel or group that its managers can change with buttons. */
export type SettingName = keyof Pick<
  ChatSettings,
  'answers' | 'threads' | 'silent' | 'ephemeral' | 'bots' | 'muted' | 'language' | 'style'
>;

/** The settings of a channel or group, and their values. */
const enSettings: Record<SettingName, { name: string; values: Record<string, string> }> = {
  answers: {
    name: 'I answer',
    values: { mentions: 'mentions', questions: 'clear questions', all: 'everything' },
  },
  threads: { name: 'In threads', values: { mentions: 'mentions', questions: 'clear questions' } },
  silent: { name: 'Without a source', values: { true: 'say nothing', false: 'say so' } },
  ephemeral: { name: 'Answers are visible to', values: { true: 'the asker first', false: 'everyone' } },
  bots: { name: 'Other bots', values: { true: 'are answered', false: 'are ignored' } },
  muted: { name: 'I answer here', values: { true: 'no', false: 'yes' } },
  language: {
    name: 'Message language',
    values: { null: "the asker's", ru: 'Russian', kk: 'Kazakh', en: 'English' },
  },
  style: {
    name: 'Kind of answer',
    values: {
      null: 'ordinary',
      brief: 'brief',
      quotes: 'quotations',
      compare: 'comparison',
      analytic: 'analysis',
    },
  },
};

const en = {
  sources: 'Sources',
  nearest: 'The closest passages in the documents',
  open: (number: number) => `${number} ↗ open`,
  passage: (number: number) => `${number} ¶ passage`,
  passageTitle: 'The passage',
  cut: 'The answer is incomplete because it reached the maximum length.',
  replaced: 'The answer was corrected after a check.',
  /** Shown with a message that may have been sent before. */
  repeated: 'Sending was interrupted: the message above may be incomplete. Please read this one instead.',
  degraded: 'Answered without the language model, which is currently unavailable.',
  up: '👍 Helpful',
  down: '👎 Not helpful',
  rated: 'Thank you for your feedback.',
  notRated: 'The rating could not be saved right now.',
  askNow: 'Answer now',
  /** `minutes`: the age of the question. */
  late: (minutes: number) =>
    `You asked this ${relative('en', -minutes * 60)}, while I was unavailable. If it still matters, press the button or ask again.`,
  tooMany: 'Too many questions are waiting. Please wait for the answers, then ask again.',
  searching: 'Searching the documents…',
  onlyText: 'I can only read text. Please type your question.',
  noQuestion: 'Please write a question.',
  tooLong: 'The question is longer than 2,000 characters. Please shorten it.',
  noAccess:
    'I cannot answer here: this chat has no access to any document collection. Please ask an administrator.',
  noCorpus: (corpora: string) =>
    `There is no such document collection here. Available collections: ${corpora}.`,
  limited: (seconds: number | null) =>
    `Too many questions in a short time.${seconds === null ? ' Please try again a little later.' : ` Please try again ${relative('en', seconds)}.`}`,
  unavailable: 'The service cannot answer right now. Please try again in a minute.',
  timeout: 'The answer took too long. Please try again or ask a shorter question.',
  gone: 'This answer is no longer shown: a document that it quotes was withdrawn.',
  failed: 'I could not answer this. Please try again, or rephrase the question.',
  cancelled: 'Stopped.',
  start: (corpora: string) =>
    `Hello! I answer questions about documents and show the sources.\n\n${corpora}\n\nAsk in your own words.`,
  help: 'Ask in your own words. The numbers in brackets refer to the sources below the answer: "open" opens the document, "passage" shows the exact text.\n\n/corpora: document collections\n/style: kind of answer\n/language: message language\n/new: start a new conversation\n/history: recent questions\n/forget: forget everything you asked\n\nIn a group, mention me or reply to me. In any chat, type my name and a question: I will suggest sources.',
  corpora: 'Document collections. Which one should I use?',
  corpusChosen: (title: string) => `I will now answer from “${title}”.`,
  style: 'What kind of answer would you like?',
  noStyles: 'This document collection has only one kind of answer.',
  styles: {
    '': 'Ordinary',
    brief: 'Brief',
    quotes: 'Quotations',
    compare: 'Comparison',
    analytic: 'Analysis',
  },
  styleChosen: (style: string) => `Kind of answer: ${style}.`,
  language: 'Which language should I use? Answers are always in the language of the question.',
  byUser: 'Same as the app',
  languageChosen: 'I will now write in English.',
  startedOver: 'New conversation: I will ignore the earlier questions.',
  forgetAsk:
    'Should I forget everything you have asked me, and my answers, in all chats? This cannot be undone. The messages in the chats remain: you can delete them yourself.',
  forgetYes: 'Forget everything',
  forgetNo: 'Keep it',
  forgotten: 'Forgotten: your questions, your ratings and my answers have been erased.',
  kept: 'Nothing was forgotten.',
  notYours: 'This button is only for the person who sent the command.',
  /** `seconds`: the time until the user can request deletion again. */
  forgetLater: (seconds: number | null) =>
    `I have just forgotten everything you asked.${seconds === null ? ' Please try again a little later.' : ` You can do this again ${relative('en', seconds)}.`}`,
  cannotForget: 'The service is not set up to erase data. Please ask an administrator.',
  examples: 'For example',
  recent: 'Recent questions',
  /** Words that ask for an answer but do not name a subject ("can you help?"). */
  pointingWords: 'please help answer reply know look see check above question anyone anybody somebody',
  noHistory: 'You have not asked anything yet.',
  onlyAlone: 'I only show this in a private chat.',
  notHere: 'I cannot write here: add me to this channel.',
  filesUnread: 'The attached file was not read: I am responding only to the text of the message.',
  /** Names the file types that can be read. */
  filesRead: 'I can read PDF, DOCX and text files up to 10 MB.',
  filesKept: (names: readonly string[]) =>
    `For one day, I will answer questions in this conversation from “${names.join('”, “')}”. I do not keep the file itself. What would you like to know?`,
  filesDrop: 'Stop using the file',
  filesDropped: 'I have stopped using the file. This is a new conversation.',
  fileFailed: (name: string) => `The file “${name}” could not be read.`,
  /** Shown below an answer. */
  fromFile: 'From a file in this conversation. It is not used in other chats and is forgotten after a day.',
  stop: '■ Stop',
  managersOnly: 'Only administrators of this chat can change this for everyone.',
  settings: 'How I answer here. Press a button to change a setting.',
  settingsTitle: 'Channel settings',
  change: 'Change',
  setting: enSettings,
  settingChanged: (who: string, name: string, value: string) =>
    `${who} changed a setting. ${name}: ${value}.`,
  noHelpers: 'Nobody is listed here as a helper. A chat administrator can add people.',
  helpersHow: 'People to ask for help',
  needHelp: 'Still need help?',
  helpAsked: (who: string) => `${who} needs help with this question.`,
  helpAskedBefore: 'Help has already been requested.',
  resolve: 'Resolved',
  resolved: (who: string) => `${who}: resolved. The answer can be saved for future questions.`,
  saveHow:
    'Reply with “/save question” to the message with the answer: an administrator decides whether to add it.',
  saved: 'Thank you. The answer will be added once an administrator approves it.',
  savedAnswer: 'Answer',
  save: 'Save',
  question: 'Question',
  why: 'What is wrong with the answer?',
  commands: {
    help: 'How to ask',
    corpora: 'Document collections',
    style: 'Kind of answer',
    language: 'Message language',
    new: 'Start a new conversation',
    history: 'Recent questions',
    settings: 'How I answer in this group',
    save: 'Save an answer',
    forget: 'Forget my questions',
  },
  share: 'Share',
  shared: (user: string) => `${user} shared an answer`,
  askAbout: 'Ask about this',
  askAboutHint: 'What would you like to know about this message?',
  askLabel: 'Question',
  ask: 'Ask',
  close: 'Close',
  homeHow:
    'Send me a message, mention me in a channel or type `/ask question`. You can name the collection: `/ask in:name question`. In a thread where I have answered, no mention is needed.',
  homeCorpora: 'Document collections',
  slackHelp: 'Type /ask question or /ask in:name question.',
  welcome: 'Hello! Ask about the documents, and I will answer with sources.',
  page: (number: number) => `p. ${number}`,
  languages: { ru: 'in Russian', kk: 'in Kazakh', en: 'in English' },
};

export type Texts = typeof en;

export const texts: Record<Language, Texts> = {
  ru: {
    sources: 'Источники',
    nearest: 'Ближайшие места в документах',
    open: (n) => `${n} ↗ открыть`,
    passage: (n) => `${n} ¶ цитата`,
    passageTitle: 'Место в документе',
    cut: 'Ответ неполон: достигнут предел длины.',
    replaced: 'Ответ исправлен после проверки.',
    repeated: 'Отправка прерывалась: сообщение выше может быть неполным, читайте это.',
    degraded: 'Отвечено без языковой модели: она сейчас недоступна.',
    up: '👍 Помогло',
    down: '👎 Не помогло',
    rated: 'Спасибо, оценка учтена.',
    notRated: 'Оценку сейчас принять не удалось.',
    askNow: 'Ответить сейчас',
    late: (minutes) =>
      `Вы спросили об этом ${relative('ru', -minutes * 60)}, пока я был недоступен. Если вопрос ещё важен, нажмите кнопку или задайте его снова.`,
    tooMany: 'Слишком много вопросов ждут ответа. Дождитесь ответов и спросите снова.',
    searching: 'Ищу в документах…',
    onlyText: 'Я читаю только текст. Напишите, пожалуйста, вопрос словами.',
    noQuestion: 'Напишите вопрос.',
    tooLong: 'Вопрос длиннее 2000 знаков. Сократите его, пожалуйста.',
    noAccess:
      'Здесь я не отвечаю: этому чату не открыто ни одно собрание документов. Обратитесь к администратору.',
    noCorpus: (corpora) => `Такого собрания документов здесь нет. Можно спросить: ${corpora}.`,
    limited: (s) =>
      `Слишком много вопросов подряд.${s === null ? ' Повторите немного позже.' : ` Повторить можно ${relative('ru', s)}.`}`,
    unavailable: 'Служба сейчас не может ответить. Попробуйте через минуту.',
    timeout: 'Ответ занял слишком много времени. Попробуйте ещё раз или спросите короче.',
    gone: 'Этот ответ больше не показывается: документ, на который он опирался, отозван.',
    failed: 'Ответить не удалось. Попробуйте ещё раз или спросите другими словами.',
    cancelled: 'Остановлено.',
    start: (corpora) =>
      `Здравствуйте! Я отвечаю на вопросы по документам и показываю источники.\n\n${corpora}\n\nЗадайте вопрос своими словами.`,
    help: 'Задайте вопрос своими словами. Номера в скобках ведут к источникам под ответом: кнопка «открыть» ведёт к документу, «цитата» показывает точный текст.\n\n/corpora: собрания документов\n/style: вид ответа\n/language: язык сообщений\n/new: начать разговор заново\n/history: недавние вопросы\n/forget: забыть все ваши вопросы\n\nВ группе упомяните меня или ответьте на моё сообщение. В любом чате можно набрать моё имя и вопрос: я предложу источники.',
    corpora: 'Собрания документов. По какому отвечать?',
    corpusChosen: (title) => `Отвечаю по собранию «${title}».`,
    style: 'Какой вид ответа?',
    noStyles: 'Для этого собрания документов вид ответа не выбирается.',
    styles: { '': 'Обычный', brief: 'Кратко', quotes: 'Цитаты', compare: 'Сравнение', analytic: 'Разбор' },
    styleChosen: (style) => `Вид ответа: ${style}.`,
    language: 'На каком языке писать сообщения? Ответ всегда на языке вопроса.',
    byUser: 'Как в приложении',
    languageChosen: 'Пишу по-русски.',
    startedOver: 'Начинаем заново: прежние вопросы больше не учитываются.',
    forgetAsk:
      'Забыть всё, о чём вы меня спрашивали, и мои ответы, во всех чатах? Вернуть это будет нельзя. Сообщения в чатах останутся: их можете удалить вы сами.',
    forgetYes: 'Забыть всё',
    forgetNo: 'Оставить',
    forgotten: 'Забыто: ваших вопросов, оценок и моих ответов на них больше нет.',
    kept: 'Ничего не забыто.',
    notYours: 'Эта кнопка для того, кто прислал команду.',
    forgetLater: (s) =>
      `Я только что забыл всё, о чём вы спрашивали.${s === null ? ' Повторите немного позже.' : ` Повторить можно ${relative('ru', s)}.`}`,
    cannotForget:
      'Здесь нельзя забыть отдельного человека: так настроена служба. Обратитесь к администратору.',
    examples: 'Например',
    recent: 'Недавние вопросы',
    pointingWords:
      'пожалуйста помоги помогите помочь ответь ответьте ответить ответишь ответите подскажи подскажите подскажешь знаешь знаете можешь можете сможешь посмотри посмотрите глянь выше вопрос',
    noHistory: 'Вы ещё ни о чём не спрашивали.',
    onlyAlone: 'Это я показываю только в личном чате.',
    notHere: 'Здесь я написать не могу: добавьте меня в этот канал.',
    filesUnread: 'Приложенный файл не прочитан: отвечаю только на текст сообщения.',
    filesRead: 'Из файлов я читаю PDF, DOCX и текст, до 10 МБ.',
    filesKept: (names) =>
      `Отвечаю на вопросы этого разговора по файлу «${names.join('», «')}» ещё сутки. Сам файл я не храню. Задайте вопрос.`,
    filesDrop: 'Больше не читать файл',
    filesDropped: 'Файл больше не читаю, разговор начат заново.',
    fileFailed: (name) => `Файл «${name}» прочитать не удалось.`,
    fromFile:
      'Это ответ по файлу из этого разговора: в других чатах по нему не отвечают, через сутки он забывается.',
    stop: '■ Остановить',
    managersOnly: 'Это меняют для всех только администраторы чата.',
    settings: 'Как отвечать здесь. Нажмите, чтобы изменить.',
    settingsTitle: 'Настройки каналов',
    change: 'Изменить',
    setting: {
      answers: {
        name: 'Отвечать',
        values: { mentions: 'на упоминания', questions: 'на явные вопросы', all: 'на всё' },
      },
      threads: { name: 'В ветках', values: { mentions: 'на упоминания', questions: 'на явные вопросы' } },
      silent: { name: 'Без источника', values: { true: 'молчать', false: 'сказать об этом' } },
      ephemeral: { name: 'Ответ видят', values: { true: 'сначала спросивший', false: 'все' } },
      bots: { name: 'Другим ботам', values: { true: 'отвечать', false: 'не отвечать' } },
      muted: { name: 'Отвечать здесь', values: { true: 'нет', false: 'да' } },
      language: {
        name: 'Язык сообщений',
        values: { null: 'как у спросившего', ru: 'русский', kk: 'казахский', en: 'английский' },
      },
      style: {
        name: 'Вид ответа',
        values: {
          null: 'обычный',
          brief: 'кратко',
          quotes: 'цитаты',
          compare: 'сравнение',
          analytic: 'разбор',
        },
      },
    },
    settingChanged: (who, name, value) => `${who}: изменена настройка. ${name}: ${value}.`,
    noHelpers: 'Здесь не указано, кого звать на помощь. Это указывает администратор чата.',
    helpersHow: 'Звать на помощь',
    needHelp: 'Нужна помощь людей?',
    helpAsked: (who) => `${who} просит помочь с этим вопросом.`,
    helpAskedBefore: 'О помощи уже попросили.',
    resolve: 'Решено',
    resolved: (who) => `${who}: решено. Ответ можно сохранить для следующих вопросов.`,
    saveHow: 'Ответьте командой «/save вопрос» на сообщение с ответом: администратор решит, добавить ли его.',
    saved: 'Спасибо. Ответ будет добавлен, когда его одобрит администратор.',
    savedAnswer: 'Ответ',
    save: 'Сохранить',
    question: 'Вопрос',
    why: 'Что не так с ответом?',
    commands: {
      help: 'Как спрашивать',
      corpora: 'Собрания документов',
      style: 'Вид ответа',
      language: 'Язык сообщений',
      new: 'Начать разговор заново',
      history: 'Недавние вопросы',
      settings: 'Как отвечать в этой группе',
      save: 'Сохранить ответ',
      forget: 'Забыть мои вопросы',
    },
    share: 'Показать всем',
    shared: (user) => `${user} делится ответом`,
    askAbout: 'Спросить об этом',
    askAboutHint: 'Что спросить об этом сообщении?',
    askLabel: 'Вопрос',
    ask: 'Спросить',
    close: 'Закрыть',
    homeHow:
      'Напишите мне, упомяните меня в канале или наберите `/ask вопрос`. Собрание документов можно назвать: `/ask in:имя вопрос`. В ветке, где я уже отвечал, упоминать меня не нужно.',
    homeCorpora: 'Собрания документов',
    slackHelp: 'Наберите /ask вопрос или /ask in:имя вопрос.',
    welcome: 'Здравствуйте! Задайте вопрос по документам, я отвечу с источниками.',
    page: (number) => `с. ${number}`,
    languages: { ru: 'на русском', kk: 'на казахском', en: 'на английском' },
  },
  kk: {
    sources: 'Дереккөздер',
    nearest: 'Құжаттардағы ең жақын жерлер',
    open: (n) => `${n} ↗ ашу`,
    passage: (n) => `${n} ¶ үзінді`,
    passageTitle: 'Құжаттағы орын',
    cut: 'Жауап толық емес: ұзындық шегіне жетті.',
    replaced: 'Жауап тексерілгеннен кейін түзетілді.',
    repeated: 'Жіберу үзіліп қалды: жоғарыдағы хабар толық болмауы мүмкін, осыны оқыңыз.',
    degraded: 'Жауап тілдік модельсіз берілді: ол қазір қолжетімсіз.',
    up: '👍 Пайдалы',
    down: '👎 Пайдасыз',
    rated: 'Рақмет, бағаңыз ескерілді.',
    notRated: 'Бағаны қазір қабылдау мүмкін болмады.',
    askNow: 'Қазір жауап беру',
    late: (minutes) =>
      `Сіз мұны мен қолжетімсіз кезде, ${relative('kk', -minutes * 60)} сұрадыңыз. Сұрақ әлі маңызды болса, батырманы басыңыз немесе қайта сұраңыз.`,
    tooMany: 'Тым көп сұрақ жауап күтіп тұр. Жауаптарды күтіп, қайта сұраңыз.',
    searching: 'Құжаттардан іздеп жатырмын…',
    onlyText: 'Мен тек мәтінді оқимын. Сұрағыңызды сөзбен жазыңыз.',
    noQuestion: 'Сұрақ жазыңыз.',
    tooLong: 'Сұрақ 2000 таңбадан ұзын. Қысқартып жазыңыз.',
    noAccess:
      'Мен мұнда жауап бере алмаймын: бұл чатқа бірде-бір құжаттар жинағы ашылмаған. Әкімшіге хабарласыңыз.',
    noCorpus: (corpora) => `Мұнда ондай құжаттар жинағы жоқ. Мыналарды сұрауға болады: ${corpora}.`,
    limited: (s) =>
      `Сұрақтар тым көп.${s === null ? ' Сәл кейінірек қайталаңыз.' : ` ${relative('kk', s)} қайталауға болады.`}`,
    unavailable: 'Қызмет қазір жауап бере алмайды. Бір минуттан кейін қайталап көріңіз.',
    timeout: 'Жауап тым ұзаққа созылды. Қайталап көріңіз немесе қысқарақ сұраңыз.',
    gone: 'Бұл жауап енді көрсетілмейді: ол сүйенген құжат қайтарып алынды.',
    failed: 'Жауап беру мүмкін болмады. Қайталап көріңіз немесе сұрақты басқаша қойыңыз.',
    cancelled: 'Тоқтатылды.',
    start: (corpora) =>
      `Сәлеметсіз бе! Мен құжаттар бойынша сұрақтарға жауап беріп, дереккөздерін көрсетемін.\n\n${corpora}\n\nСұрағыңызды өз сөзіңізбен қойыңыз.`,
    help: 'Сұрағыңызды өз сөзіңізбен қойыңыз. Жақшадағы нөмірлер жауап астындағы дереккөздерге сілтейді: «ашу» батырмасы құжатты ашады, «үзінді» дәл мәтінді көрсетеді.\n\n/corpora: құжаттар жинақтары\n/style: жауап түрі\n/language: хабарлар тілі\n/new: әңгімені қайта бастау\n/history: соңғы сұрақтар\n/forget: сұрақтарыңыздың бәрін ұмыту\n\nТопта мені атап өтіңіз немесе хабарыма жауап беріңіз. Кез келген чатта менің атымды және сұрақты жазуға болады: мен дереккөздерді ұсынамын.',
    corpora: 'Құжаттар жинақтары. Қайсысы бойынша жауап берейін?',
    corpusChosen: (title) => `«${title}» жинағы бойынша жауап беремін.`,
    style: 'Жауап түрі қандай болсын?',
    noStyles: 'Бұл құжаттар жинағында жауап түрі таңдалмайды.',
    styles: {
      '': 'Қалыпты',
      brief: 'Қысқаша',
      quotes: 'Дәйексөздер',
      compare: 'Салыстыру',
      analytic: 'Талдау',
    },
    styleChosen: (style) => `Жауап түрі: ${style}.`,
    language: 'Хабарларды қай тілде жазайын? Жауап әрқашан сұрақ тілінде беріледі.',
    byUser: 'Қолданбадағыдай',
    languageChosen: 'Қазақша жазамын.',
    startedOver: 'Қайтадан бастаймыз: бұрынғы сұрақтар енді ескерілмейді.',
    forgetAsk:
      'Барлық чаттарда менен сұрағандарыңыздың бәрін және жауаптарымды ұмытайын ба? Оны қайтару мүмкін болмайды. Чаттардағы хабарлар қалады: оларды өзіңіз жоя аласыз.',
    forgetYes: 'Бәрін ұмыту',
    forgetNo: 'Қалдыру',
    forgotten: 'Ұмытылды: сұрақтарыңыз, бағаларыңыз және оларға берген жауаптарым енді жоқ.',
    kept: 'Ештеңе ұмытылған жоқ.',
    notYours: 'Бұл батырма пәрменді жіберген адамға арналған.',
    forgetLater: (s) =>
      `Сұрағандарыңыздың бәрін жаңа ғана ұмыттым.${s === null ? ' Сәл кейінірек қайталаңыз.' : ` ${relative('kk', s)} қайталауға болады.`}`,
    cannotForget: 'Мұнда жеке адамды ұмыту мүмкін емес: қызмет солай бапталған. Әкімшіге хабарласыңыз.',
    examples: 'Мысалы',
    recent: 'Соңғы сұрақтар',
    pointingWords:
      'өтінемін көмектес көмектесші көмектесіңіз көмектесіңізші жауап бер берші беріңіз айтшы айтыңызшы білесің білесіз қарашы қараңызшы жоғарыда сұрақ',
    noHistory: 'Сіз әлі ештеңе сұраған жоқсыз.',
    onlyAlone: 'Мұны мен тек жеке чатта көрсетемін.',
    notHere: 'Мен мұнда жаза алмаймын: мені осы арнаға қосыңыз.',
    filesUnread: 'Тіркелген файл оқылмады: тек хабар мәтініне жауап беремін.',
    filesRead: 'Файлдардан PDF, DOCX және мәтінді 10 МБ-қа дейін оқимын.',
    filesKept: (names) =>
      `Бір тәулік бойы осы әңгіменің сұрақтарына «${names.join('», «')}» файлы бойынша жауап беремін. Файлдың өзін сақтамаймын. Сұрағыңызды қойыңыз.`,
    filesDrop: 'Файлды бұдан былай оқымау',
    filesDropped: 'Файлды енді оқымаймын, әңгіме қайта басталды.',
    fileFailed: (name) => `«${name}» файлын оқу мүмкін болмады.`,
    fromFile:
      'Бұл осы әңгімедегі файл бойынша жауап: басқа чаттарда ол қолданылмайды, бір тәуліктен кейін ұмытылады.',
    stop: '■ Тоқтату',
    managersOnly: 'Мұны бәрі үшін тек чат әкімшілері өзгертеді.',
    settings: 'Мұнда қалай жауап беру керек. Өзгерту үшін басыңыз.',
    settingsTitle: 'Арналар баптаулары',
    change: 'Өзгерту',
    setting: {
      answers: {
        name: 'Жауап беру',
        values: { mentions: 'атап өткенде', questions: 'анық сұрақтарға', all: 'бәріне' },
      },
      threads: { name: 'Тармақтарда', values: { mentions: 'атап өткенде', questions: 'анық сұрақтарға' } },
      silent: { name: 'Дереккөз болмаса', values: { true: 'үндемеу', false: 'айту' } },
      ephemeral: { name: 'Жауапты көретіндер', values: { true: 'алдымен сұраушы', false: 'бәрі' } },
      bots: { name: 'Басқа боттарға', values: { true: 'жауап беру', false: 'жауап бермеу' } },
      muted: { name: 'Мұнда жауап беру', values: { true: 'жоқ', false: 'иә' } },
      language: {
        name: 'Хабарлар тілі',
        values: { null: 'сұраушының тілі', ru: 'орысша', kk: 'қазақша', en: 'ағылшынша' },
      },
      style: {
        name: 'Жауап түрі',
        values: {
          null: 'қалыпты',
          brief: 'қысқаша',
          quotes: 'дәйексөздер',
          compare: 'салыстыру',
          analytic: 'талдау',
        },
      },
    },
    settingChanged: (who, name, value) => `${who}: баптау өзгертілді. ${name}: ${value}.`,
    noHelpers: 'Мұнда көмекке кімді шақыру керегі көрсетілмеген. Оны чат әкімшісі көрсетеді.',
    helpersHow: 'Көмекке шақыру',
    needHelp: 'Адамдардың көмегі керек пе?',
    helpAsked: (who) => `${who} осы сұрақ бойынша көмек сұрайды.`,
    helpAskedBefore: 'Көмек бұған дейін сұралған.',
    resolve: 'Шешілді',
    resolved: (who) => `${who}: шешілді. Жауапты келесі сұрақтар үшін сақтауға болады.`,
    saveHow: 'Жауабы бар хабарға «/save сұрақ» деп жауап беріңіз: оны қосуды әкімші шешеді.',
    saved: 'Рақмет. Жауап әкімші мақұлдағанда қосылады.',
    savedAnswer: 'Жауап',
    save: 'Сақтау',
    question: 'Сұрақ',
    why: 'Жауаптың қай жері дұрыс емес?',
    commands: {
      help: 'Қалай сұрау керек',
      corpora: 'Құжаттар жинақтары',
      style: 'Жауап түрі',
      language: 'Хабарлар тілі',
      new: 'Әңгімені қайта бастау',
      history: 'Соңғы сұрақтар',
      settings: 'Осы топта қалай жауап беру',
      save: 'Жауапты сақтау',
      forget: 'Сұрақтарымды ұмыту',
    },
    share: 'Бәріне көрсету',
    shared: (user) => `${user} жауаппен бөлісті`,
    askAbout: 'Осы туралы сұрау',
    askAboutHint: 'Бұл хабар туралы не сұрайсыз?',
    askLabel: 'Сұрақ',
    ask: 'Сұрау',
    close: 'Жабу',
    homeHow:
      'Маған жазыңыз, арнада мені атап өтіңіз немесе `/ask сұрақ` деп теріңіз. Құжаттар жинағын атауға болады: `/ask in:аты сұрақ`. Мен жауап берген тармақта мені атаудың қажеті жоқ.',
    homeCorpora: 'Құжаттар жинақтары',
    slackHelp: '/ask сұрақ немесе /ask in:аты сұрақ деп теріңіз.',
    welcome: 'Сәлеметсіз бе! Құжаттар бойынша сұрақ қойыңыз, дереккөздерімен жауап беремін.',
    page: (number) => `${number}-бет`,
    languages: { ru: 'орыс тілінде', kk: 'қазақ тілінде', en: 'ағылшын тілінде' },
  },
  en,
};

/** Returns the language of a person's app if it is supported, otherwise English. */
export function languageOf(locale: string | null | undefined): Language {
  const language = (locale ?? '').toLowerCase().split(/[-_]/, 1)[0]!;
  return Object.hasOwn(texts, language) ? (language as Language) : 'en';
}

/**
 * Formats a time as "3 hours ago" or "in 42 seconds". Rounds up, using the largest unit in which the value is at least
 * two.
 */
function relative(lang: Language, seconds: number): string {
  const away = Math.abs(seconds);
  const [unit, size] =
    away < 90
      ? (['second', 1] as const)
      : away < 2 * 3_600
        ? (['minute', 60] as const)
        : away < 2 * 86_400
          ? (['hour', 3_600] as const)
          : (['day', 86_400] as const);
  const count = Math.max(1, Math.ceil(away / size));
  return new Intl.RelativeTimeFormat(lang).format(seconds < 0 ? -count : count, unit);
}

/** Formats dates such as "2026-10-29" in the customary form of the language. */
export function readableDate(date: string, lang: Language): string {
  const [year = '', month, day] = date.split('-');
  if (lang !== 'en') return [day, month, year].filter(Boolean).join('.');
  const at = new Date(Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1)));
  if (Number.isNaN(at.getTime())) return date;
  return at.toLocaleDateString('en-GB', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(month && { month: 'long' }),
    ...(day && { day: 'numeric' }),
  });
}
