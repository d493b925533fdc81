/** The widget's own texts in its three languages. */

/**
 * @typedef {object} Texts
 * @property {string} launch
 * @property {string} heading
 * @property {string} welcome
 * @property {string} placeholder
 * @property {string} send
 * @property {string} stop
 * @property {string} close
 * @property {string} restart
 * @property {string} conversation
 * @property {string} note
 * @property {string} you
 * @property {string} answer
 * @property {string} searching
 * @property {string} resuming
 * @property {string} stopped
 * @property {string} cut
 * @property {string} replaced
 * @property {string} sources
 * @property {string} nearest
 * @property {string} moreSources
 * @property {string} source
 * @property {string} open
 * @property {string} document
 * @property {string} page
 * @property {string} examples
 * @property {string} original
 * @property {string} newTab
 * @property {string} share
 * @property {string} shared
 * @property {string} print
 * @property {string} closeSource
 * @property {string} retry
 * @property {string} up
 * @property {string} down
 * @property {string} thanks
 * @property {string} notRated
 * @property {string} comment
 * @property {string} sendComment
 * @property {string} style
 * @property {Record<string, string>} styles the empty name is the ordinary style
 * @property {Record<string, string>} languages
 * @property {Record<import('./answering.js').RefusalKind, string>} refusals
 * @property {(seconds: number) => string} wait
 */

/** @type {Record<'ru' | 'kk' | 'en', Texts>} */
export const texts = {
  ru: {
    launch: 'Задать вопрос',
    heading: 'Вопросы к документам',
    welcome: 'Задайте вопрос своими словами. Ответ приводится по документам, с номерами источников.',
    placeholder: 'Ваш вопрос',
    send: 'Отправить',
    stop: 'Остановить',
    close: 'Закрыть',
    restart: 'Начать заново',
    conversation: 'Вопросы и ответы',
    note: 'Перед использованием ответа откройте его источники.',
    you: 'Вопрос:',
    answer: 'Ответ',
    searching: 'Ищу в документах…',
    resuming: 'Связь прервалась, продолжаю…',
    stopped: 'Остановлено.',
    cut: 'Ответ неполон: достигнут предел длины.',
    replaced: 'Ответ исправлен после проверки.',
    sources: 'Источники',
    nearest: 'Ближайшие места в документах',
    moreSources: 'Другие найденные места',
    source: 'Источник',
    open: 'Открыть источник',
    document: 'Адрес документа',
    page: 'с. %',
    examples: 'Примеры вопросов',
    original: 'Первая публикация',
    newTab: 'в новой вкладке',
    share: 'Скопировать ссылку на ответ',
    shared: 'Ссылка скопирована.',
    print: 'Напечатать',
    closeSource: 'Закрыть источник',
    retry: 'Повторить',
    up: 'Ответ полезен',
    down: 'Ответ бесполезен',
    thanks: 'Спасибо, оценка учтена.',
    notRated: 'Оценку сейчас принять не удалось.',
    comment: 'Что не так? (необязательно)',
    sendComment: 'Отправить',
    style: 'Вид ответа',
    styles: {
      '': 'Обычный ответ',
      brief: 'Кратко',
      quotes: 'Цитаты',
      compare: 'Сравнение',
      analytic: 'Разбор',
    },
    languages: { ru: 'на русском', kk: 'на казахском', en: 'на английском' },
    refusals: {
      busy: 'Вопросов слишком много.',
      invalid: 'Такой вопрос не может быть принят. Сформулируйте его короче или иначе.',
      denied: 'Эта служба отвечает только по ключу доступа.',
      missing: 'Этого собрания документов сейчас нет.',
      unavailable: 'Служба сейчас не может ответить.',
      offline: 'Нет связи со службой. Проверьте подключение.',
      failed: 'Ответить не удалось.',
    },
    wait: (seconds) => `Повторить можно через ${seconds} с.`,
  },
  kk: {
    launch: 'Сұрақ қою',
    heading: 'Құжаттар бойынша сұрақтар',
    welcome: 'Сұрағыңызды өз сөзіңізбен қойыңыз. Жауап құжаттар бойынша, дереккөз нөмірлерімен беріледі.',
    placeholder: 'Сұрағыңыз',
    send: 'Жіберу',
    stop: 'Тоқтату',
    close: 'Жабу',
    restart: 'Қайта бастау',
    conversation: 'Сұрақтар мен жауаптар',
    note: 'Жауапты пайдаланар алдында дереккөздерін ашып қараңыз.',
    you: 'Сұрақ:',
    answer: 'Жауап',
    searching: 'Құжаттардан іздеп жатырмын…',
    resuming: 'Байланыс үзілді, жалғастырып жатырмын…',
    stopped: 'Тоқтатылды.',
    cut: 'Жауап толық емес: ұзындық шегіне жетті.',
    replaced: 'Жауап тексерілгеннен кейін түзетілді.',
    sources: 'Дереккөздер',
    nearest: 'Құжаттардағы ең жақын жерлер',
    moreSources: 'Табылған басқа жерлер',
    source: 'Дереккөз',
    open: 'Дереккөзді ашу',
    document: 'Құжаттың мекенжайы',
    page: '%-бет',
    examples: 'Сұрақ үлгілері',
    original: 'Алғашқы жарияланымы',
    newTab: 'жаңа қойындыда',
    share: 'Жауаптың сілтемесін көшіру',
    shared: 'Сілтеме көшірілді.',
    print: 'Басып шығару',
    closeSource: 'Дереккөзді жабу',
    retry: 'Қайталау',
    up: 'Жауап пайдалы',
    down: 'Жауап пайдасыз',
    thanks: 'Рақмет, бағаңыз ескерілді.',
    notRated: 'Бағаны қазір қабылдау мүмкін болмады.',
    comment: 'Не дұрыс емес? (міндетті емес)',
    sendComment: 'Жіберу',
    style: 'Жауап түрі',
    styles: {
      '': 'Қалыпты жауап',
      brief: 'Қысқаша',
      quotes: 'Дәйексөздер',
      compare: 'Салыстыру',
      analytic: 'Талдау',
    },
    languages: { ru: 'орыс тілінде', kk: 'қазақ тілінде', en: 'ағылшын тілінде' },
    refusals: {
      busy: 'Сұрақтар тым көп.',
      invalid: 'Мұндай сұрақ қабылданбайды. Оны қысқартып немесе басқаша қойып көріңіз.',
      denied: 'Бұл қызмет тек қолжетімділік кілті бойынша жауап береді.',
      missing: 'Бұл құжаттар жинағы қазір жоқ.',
      unavailable: 'Қызмет қазір жауап бере алмайды.',
      offline: 'Қызметпен байланыс жоқ. Желіге қосылуды тексеріңіз.',
      failed: 'Жауап беру мүмкін болмады.',
    },
    wait: (seconds) => `${seconds} с өткен соң қайталауға болады.`,
  },
  en: {
    launch: 'Ask a question',
    heading: 'Ask the documents',
    welcome: 'Ask in your own words. The answer is taken from the documents, with numbered sources.',
    placeholder: 'Your question',
    send: 'Send',
    stop: 'Stop',
    close: 'Close',
    restart: 'Start over',
    conversation: 'Questions and answers',
    note: 'Open the sources before you use an answer.',
    you: 'Question:',
    answer: 'Answer',
    searching: 'Searching the documents…',
    resuming: 'The connection was lost, resuming…',
    stopped: 'Stopped.',
    cut: 'The answer is incomplete: it reached the maximum length.',
    replaced: 'The answer was corrected after a check.',
    sources: 'Sources',
    nearest: 'The closest passages in the documents',
    moreSources: 'Other passages found',
    source: 'Source',
    open: 'Open the source',
    document: 'Address of the document',
    page: 'p. %',
    examples: 'Example questions',
    original: 'First published',
    newTab: 'in a new tab',
    share: 'Copy a link to this answer',
    shared: 'Link copied.',
    print: 'Print',
    closeSource: 'Close the source',
    retry: 'Try again',
    up: 'A helpful answer',
    down: 'An unhelpful answer',
    thanks: 'Thank you for your feedback.',
    notRated: 'The rating could not be saved right now.',
    comment: 'What is wrong? (optional)',
    sendComment: 'Send',
    style: 'Kind of answer',
    styles: {
      '': 'Ordinary answer',
      brief: 'Brief',
      quotes: 'Quotations',
      compare: 'Comparison',
      analytic: 'Analysis',
    },
    languages: { ru: 'in Russian', kk: 'in Kazakh', en: 'in English' },
    refusals: {
      busy: 'Too many questions at once.',
      invalid: 'This question cannot be accepted. Shorten it or rephrase it.',
      denied: 'This service requires an access key.',
      missing: 'This collection of documents is not available at the moment.',
      unavailable: 'The service cannot answer at the moment.',
      offline: 'The service cannot be reached. Check your connection.',
      failed: 'The question could not be answered.',
    },
    wait: (seconds) => `You can try again in ${seconds} s.`,
  },
};

/**
 * The first supported language in a list of tags ("kk-KZ"), or else English.
 *
 * @param {readonly (string | null)[]} tags
 * @returns {keyof typeof texts}
 */
export function pickLanguage(tags) {
  for (const tag of tags) {
    const lang = tag?.slice(0, 2).toLowerCase();
    if (lang === 'ru' || lang === 'kk' || lang === 'en') return lang;
  }
  return 'en';
}

/**
 * "1994", "1994-10" or "1994-10-20" as people write it.
 *
 * @param {string} date
 * @param {keyof typeof texts} lang
 */
export function readableDate(date, lang) {
  const [year = '', month, day] = date.split('-');
  if (lang !== 'en') return [day, month, year].filter(Boolean).join('.');
  const at = new Date(Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1)));
  return at.toLocaleDateString('en-GB', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(month && { month: 'long' }),
    ...(day && { day: 'numeric' }),
  });
}
