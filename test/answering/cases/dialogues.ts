/** Follow-up questions over the sample corpora. */

export interface Dialogue {
  corpus?: 'krk_2026' | 'reestr_texts';
  /** The last question, the answer to it, and the follow-up. */
  before: string;
  said: string;
  q: string;
  /** Words that the completed question must contain. */
  asks: string;
  /** The source of the answer, and acceptable wordings. */
  ref: string;
  fact: string;
}

const ru44 =
  'Уполномоченный избирается Палатой регионов на пять лет и может быть переизбран один раз. (Конституция Республики Кенсай, Статья 44. Уполномоченный по правам человека)';
const ru17 =
  'О собрании численностью более пятидесяти человек организатор уведомляет местный исполнительный орган не позднее чем за пять дней. Разрешения не требуется. (Конституция Республики Кенсай, Статья 17. Мирные собрания)';
const ru13 =
  'Без решения суда лицо может быть задержано на срок не более сорока восьми часов, а несовершеннолетний — не более двадцати четырёх часов. (Конституция Республики Кенсай, Статья 13. Личная свобода)';
const ru29 =
  'Президентом может быть избран гражданин Республики по рождению, не моложе сорока лет, свободно владеющий государственным языком. (Конституция Республики Кенсай, Статья 29. Избрание и срок полномочий Президента)';
const kk44 = 'Уәкілді Өңірлер палатасы сайлайды. (44-бап. Адам құқықтары жөніндегі уәкіл)';
const kk33 =
  'Өңірлер палатасы алты жылға сайланатын отыз алты депутаттан тұрады. (Кеңсай Республикасының Конституциясы, 33-бап. Парламент палаталары)';
const en44 =
  'The following are within the exclusive competence of the Chamber of Regions: election of the Commissioner for Human Rights. (Constitution of the Republic of Kensai, Article 36. Powers of the Chamber of Regions)';
const en17 =
  'The organiser of an assembly of more than fifty people notifies the local executive body at least five days in advance. Permission is not required. (Constitution of the Republic of Kensai, Article 17. Peaceful Assembly)';

export const dialogues: Dialogue[] = [
  // Only a question word.
  {
    before: 'Кто избирает омбудсмана?',
    said: ru44,
    q: 'На какой срок?',
    asks: 'срок омбудсман',
    ref: 'norm/constitution-ru#44',
    fact: 'на пять лет',
  },
  {
    before: 'Кто назначает Генерального прокурора?',
    said: 'Президент назначает с согласия Палаты регионов Генерального прокурора и Председателя Национального банка.',
    q: 'на сколько лет?',
    asks: 'сколько лет генерального прокурора',
    ref: 'norm/constitution-ru#43',
    fact: 'сроком на пять лет',
  },
  {
    before: 'Кто утверждает республиканский бюджет?',
    said: 'К исключительному ведению Палаты представителей относится утверждение республиканского бюджета.',
    q: 'До какого числа?',
    asks: 'числа утверждает бюджет',
    ref: 'norm/constitution-ru#46',
    fact: '15 декабря',
  },
  {
    before: 'Кто может стать президентом?',
    said: ru29,
    q: 'а сколько раз?',
    asks: 'раз президентом',
    ref: 'norm/constitution-ru#29',
    fact: 'только один раз',
  },
  {
    before: 'Нужно ли разрешение на митинг?',
    said: ru17,
    q: 'А за сколько дней?',
    asks: 'дней митинг',
    ref: 'norm/constitution-ru#17',
    fact: 'за пять дней',
  },
  {
    before: 'Нужно ли уведомлять о митинге?',
    said: ru17,
    q: 'кого именно?',
    asks: 'кого митинге',
    ref: 'norm/constitution-ru#17',
    fact: 'местный исполнительный орган',
  },
  {
    corpus: 'reestr_texts',
    before: 'Какие водохранилища обещали построить?',
    said: 'До конца 2024 года мы построим три водохранилища: Верхнекемское, Саздинское и Жалгызагашское. (Алдияр Кенесбек. Выступление на совещании по водным ресурсам в Акжайлау, 14 марта 2019 года)',
    q: 'К какому сроку?',
    asks: 'сроку водохранилища построить',
    ref: '2019/2019-03-14',
    fact: 'До конца 2024 года',
  },
  // Only a noun that always belongs to something.
  {
    before: 'Кто избирает омбудсмана?',
    said: ru44,
    q: 'А какой минимальный возраст?',
    asks: 'возраст омбудсман',
    ref: 'norm/constitution-ru#44',
    fact: 'не моложе тридцати пяти лет',
  },
  {
    before: 'Кто может быть депутатом Палаты регионов?',
    said: 'Депутатом Палаты регионов может быть гражданин, достигший тридцати лет. (Статья 34. Депутат Парламента)',
    q: 'какой стаж нужен?',
    asks: 'стаж депутатом',
    ref: 'norm/constitution-ru#34',
    fact: 'не менее пяти лет',
  },
  // A pronoun.
  {
    before: 'Кто избирает омбудсмана?',
    said: ru44,
    q: 'а сколько ему должно быть лет?',
    asks: 'лет омбудсман',
    ref: 'norm/constitution-ru#44',
    fact: 'не моложе тридцати пяти лет',
  },
  {
    before: 'Нужно ли разрешение на митинг?',
    said: ru17,
    q: 'а кто может его запретить?',
    asks: 'кто запретить митинг',
    ref: 'norm/constitution-ru#17',
    fact: 'только решением суда',
  },
  {
    before: 'Из скольких депутатов состоит Палата регионов?',
    said: 'Палата регионов состоит из тридцати шести депутатов. (Статья 33. Палаты Парламента)',
    q: 'Кто их избирает?',
    asks: 'избирает депутатов палата регионов',
    ref: 'norm/constitution-ru#33',
    fact: 'избирают местные советы',
  },
  {
    before: 'Что такое Счётная палата?',
    said: 'Счётная палата из семи членов проверяет исполнение бюджета. (Статья 46. Бюджет и Национальный банк)',
    q: 'Сколько в ней членов?',
    asks: 'членов счетная палата',
    ref: 'norm/constitution-ru#46',
    fact: 'из семи членов',
  },
  {
    before: 'За что можно отрешить Президента от должности?',
    said: 'Президент может быть отрешён от должности только за государственную измену или иное тяжкое преступление. (Статья 32. Досрочное прекращение полномочий Президента)',
    q: 'кто исполняет его обязанности потом?',
    asks: 'исполняет обязанности президента',
    ref: 'norm/constitution-ru#32',
    fact: 'Председатель Палаты регионов',
  },
  {
    before: 'Когда вступает в силу Конституция?',
    said: 'Настоящая Конституция вступает в силу 1 июля 2026 года. (Статья 49. Вступление в силу)',
    q: 'а когда она была принята?',
    asks: 'принята конституция',
    ref: 'norm/constitution-ru',
    fact: '15 февраля',
  },
  // Refers to the answer, not to the question.
  {
    before: 'Какой орган проверяет соответствие законов Конституции?',
    said: 'Конституционный суд проверяет соответствие Конституции законов, указов Президента и постановлений Правительства. (Конституция Республики Кенсай, Статья 42. Конституционный суд)',
    q: 'Сколько в нём судей?',
    asks: 'судей',
    ref: 'norm/constitution-ru#42',
    fact: 'из девяти судей',
  },
  // A case that was not mentioned before.
  {
    before: 'Могут ли меня задержать без решения суда?',
    said: ru13,
    q: 'а если я несовершеннолетний?',
    asks: 'задержать суда несовершеннолетний',
    ref: 'norm/constitution-ru#13',
    fact: 'двадцати четырёх часов',
  },
  {
    before: 'Сколько длится военная служба?',
    said: 'Срок обязательной военной службы составляет двенадцать месяцев. (Статья 26. Налоги и обязанности граждан)',
    q: 'А если убеждения не позволяют?',
    asks: 'военная служба убеждения',
    ref: 'norm/constitution-ru#26',
    fact: 'альтернативной гражданской службой',
  },
  // A new subject replaces the last one.
  {
    before: 'Кто может стать президентом?',
    said: ru29,
    q: 'а судьёй?',
    asks: 'стать судьей',
    ref: 'norm/constitution-ru#41',
    fact: 'не моложе тридцати лет',
  },
  {
    before: 'Какой пенсионный возраст для мужчин?',
    said: 'Пенсионный возраст составляет шестьдесят три года для мужчин.',
    q: 'а для женщин?',
    asks: 'пенсионный возраст женщин',
    ref: 'norm/constitution-ru#24',
    fact: 'шестьдесят один год для женщин',
  },
  // Short, but with its own subject: the history only indicates where to look first.
  {
    before: 'Могут ли меня задержать без решения суда?',
    said: ru13,
    q: 'Кто платит адвокату?',
    asks: 'платит адвокату',
    ref: 'norm/constitution-ru#13',
    fact: 'за счёт государства',
  },
  {
    before: 'Кто избирает омбудсмана?',
    said: ru44,
    q: 'Кто утверждает республиканский бюджет?',
    asks: 'утверждает бюджет',
    ref: 'norm/constitution-ru#35',
    fact: 'утверждение республиканского бюджета',
  },
  {
    before: 'На какой срок избирается Президент?',
    said: ru29,
    q: 'А сколько областей в Кенсае?',
    asks: 'областей кенсае',
    ref: 'norm/constitution-ru#4',
    fact: 'девяти областей',
  },

  // Kazakh.
  {
    before: 'Омбудсманды кім сайлайды?',
    said: kk44,
    q: 'Қанша мерзімге?',
    asks: 'мерзімге омбудсманды',
    ref: 'norm/constitution-kk#44',
    fact: 'бес жылға',
  },
  {
    before: 'Омбудсманды кім сайлайды?',
    said: kk44,
    q: 'Жасы қаншада болуы керек?',
    asks: 'жасы омбудсманды',
    ref: 'norm/constitution-kk#44',
    fact: 'отыз бестен төмен',
  },
  {
    before: 'Президент неше жылға сайланады?',
    said: 'Президент алты жыл мерзімге сайланады. (29-бап. Президентті сайлау және оның өкілеттік мерзімі)',
    q: 'ал неше рет?',
    asks: 'рет президент сайланады',
    ref: 'norm/constitution-kk#29',
    fact: 'бір рет қана',
  },
  {
    before: 'Митингіге рұқсат керек пе?',
    said: 'Рұқсат алу талап етілмейді. (17-бап. Бейбіт жиналыстар)',
    q: 'Оған кім тыйым сала алады?',
    asks: 'тыйым митингіге',
    ref: 'norm/constitution-kk#17',
    fact: 'соттың шешімімен',
  },
  {
    before: 'Елорда қай қала?',
    said: 'Республиканың астанасы – Нұртау қаласы. (7-бап. Астана)',
    q: 'Онда қандай органдар орналасқан?',
    asks: 'органдар елорда',
    ref: 'norm/constitution-kk#7',
    fact: 'Президент, Парламент, Үкімет',
  },
  {
    before: 'Соттың шешімінсіз адамды қанша уақыт ұстауға болады?',
    said: 'Адамды соттың шешімінсіз қырық сегіз сағаттан аспайтын мерзімге ұстауға болады. (13-бап. Жеке бас бостандығы)',
    q: 'ал кәмелетке толмаған адамды ше?',
    asks: 'кәмелетке толмаған ұстауға',
    ref: 'norm/constitution-kk#13',
    fact: 'жиырма төрт сағаттан',
  },
  {
    before: 'Өңірлер палатасы неше депутаттан тұрады?',
    said: kk33,
    q: 'Оларды кім сайлайды?',
    asks: 'сайлайды өңірлер палатасы депутаттан',
    ref: 'norm/constitution-kk#33',
    fact: 'жергілікті кеңестер',
  },
  {
    before: 'Бас Прокурорды кім тағайындайды?',
    said: 'Президент Өңірлер палатасының келісімімен Бас Прокурорды тағайындайды.',
    q: 'Неше жылға?',
    asks: 'жылға бас прокурорды тағайындайды',
    ref: 'norm/constitution-kk#43',
    fact: 'бес жыл мерзімге',
  },
  {
    before: 'Конституциялық Сот қайда орналасқан?',
    said: 'Конституциялық Соттың орналасқан жері – Ақжайлау қаласы. (7-бап. Астана)',
    q: 'Онда неше судья бар?',
    asks: 'судья конституциялық сот',
    ref: 'norm/constitution-kk#42',
    fact: 'тоғыз судьядан',
  },
  {
    before: 'Мемлекеттік ту қандай?',
    said: 'Мемлекеттік ту – үстіңгісі ақ, астыңғысы жасыл мата. (6-бап. Мемлекеттік рәміздер)',
    q: 'Мемлекеттік рәміздер күні қашан?',
    asks: 'рәміздер күні',
    ref: 'norm/constitution-kk#6',
    fact: '12 мамыр',
  },
  {
    before: 'Әскери қызмет қанша уақыт?',
    said: 'Міндетті әскери қызметтің мерзімі он екі айды құрайды. (26-бап. Салықтар және азаматтардың міндеттері)',
    q: 'ал егер наным қайшы келсе ше?',
    asks: 'әскери қызмет наным қайшы',
    ref: 'norm/constitution-kk#26',
    fact: 'балама азаматтық қызмет',
  },

  // English.
  {
    before: 'Who elects the Commissioner for Human Rights?',
    said: en44,
    q: 'For how long?',
    asks: 'long commissioner human rights',
    ref: 'norm/constitution-en#44',
    fact: 'five years',
  },
  {
    before: 'Who elects the Commissioner for Human Rights?',
    said: en44,
    q: 'Can he be re-elected?',
    asks: 'elected commissioner human rights',
    ref: 'norm/constitution-en#44',
    fact: 're-elected once',
  },
  {
    before: 'Do I need permission to hold a rally?',
    said: en17,
    q: 'Who can prohibit it?',
    asks: 'prohibit rally',
    ref: 'norm/constitution-en#17',
    fact: 'only by a court decision',
  },
  {
    before: 'Must the organiser notify anyone about an assembly?',
    said: 'Yes, the local executive body. (Article 17. Peaceful Assembly)',
    q: 'how many days before?',
    asks: 'days notify assembly',
    ref: 'norm/constitution-en#17',
    fact: 'five days',
  },
  {
    before: 'How long may the police hold me without a court?',
    said: 'Without a court decision a person may be detained for not more than forty-eight hours. (Article 13. Personal Liberty)',
    q: 'and what about a minor?',
    asks: 'hold court minor',
    ref: 'norm/constitution-en#13',
    fact: 'twenty-four hours',
  },
  {
    before: 'Where is the Constitutional Court?',
    said: 'The seat of the Constitutional Court is the city of Akzhailau. (Article 7. The Capital)',
    q: 'How many judges does it have?',
    asks: 'judges constitutional court',
    ref: 'norm/constitution-en#42',
    fact: 'nine judges',
  },
  {
    before: 'Which body checks whether laws agree with the Constitution?',
    said: 'The Constitutional Court verifies that laws agree with the Constitution. (Article 42. The Constitutional Court)',
    q: 'How many judges sit in it?',
    asks: 'judges',
    ref: 'norm/constitution-en#42',
    fact: 'nine judges',
  },
  {
    before: 'How is a law passed?',
    said: 'A law is passed by the House of Representatives by a majority of all its deputies and sent to the Chamber of Regions. (Article 37. Legislative Procedure)',
    q: 'And if the Chamber of Regions rejects it?',
    asks: 'law chamber regions rejects',
    ref: 'norm/constitution-en#37',
    fact: 'two thirds',
  },
  {
    before: 'How long is military service?',
    said: 'The term of compulsory military service is twelve months. (Article 26. Taxes and Duties of Citizens)',
    q: 'Is there an alternative?',
    asks: 'alternative',
    ref: 'norm/constitution-en#26',
    fact: 'alternative civilian service',
  },
  {
    before: 'Can land be leased?',
    said: 'Land is leased to citizens. (Article 9. Ownership of Land and Natural Resources)',
    q: 'For how many years at most?',
    asks: 'years land leased',
    ref: 'norm/constitution-en#9',
    fact: 'twenty-five years',
  },
  {
    before: 'Who appoints the Prime Minister?',
    said: 'The President appoints the Prime Minister with the consent of the House of Representatives. (Article 31. Powers of the President)',
    q: 'Which city is the capital?',
    asks: 'city capital',
    ref: 'norm/constitution-en#7',
    fact: 'Nurtau',
  },
  {
    corpus: 'reestr_texts',
    before: 'How many cameras does the Safe City centre receive pictures from?',
    said: 'The centre we open today receives pictures from six thousand two hundred cameras in five cities. (Inna Vedenskaya. Remarks at the opening of the Safe City centre, 24 May 2023)',
    q: 'When are they deleted?',
    asks: 'deleted cameras',
    ref: '2023/2023-05-24',
    fact: 'seventy-two hours',
  },
  {
    corpus: 'reestr_texts',
    before: 'How many applications to hold an assembly were refused in 2021?',
    said: 'This year local administrations received three hundred and forty applications to hold a peaceful assembly. They refused two hundred and twelve of them. (Zhanna Ormantai. Statement of the Ombudsman on Human Rights Day, 9 December 2021)',
    q: 'For what reason?',
    asks: 'reason applications assembly refused',
    ref: '2021/2021-12-09',
    fact: 'repair of the square',
  },
  {
    corpus: 'reestr_texts',
    before: 'How many people live on less than sixty litres?',
    said: 'Today two hundred and sixty thousand people in our country live on less than sixty litres. (Daniyar Sagymbai. Speech on the right to water at the regional water forum, 4 December 2025)',
    q: 'What is missing?',
    asks: 'missing',
    ref: '2025/2025-12-04',
    fact: 'pipes',
  },
];
