/** Kazakh, in Cyrillic letters. */
import { stemKazakh } from './kazakh-stemmer.ts';
import type { LanguagePack } from './pack.ts';
import { ru } from './ru.ts';
import { related } from './thesaurus/kk.ts';

const { keyboard } = ru.typing;

const order = '(ыншы|інші|ншы|нші)';
const cases =
  '(ға|ге|қа|ке|да|де|та|те|дан|ден|тан|тен|нан|нен|ды|ді|ты|ті|ны|ні|ның|нің|дың|дің|тың|тің|сы|сі|еу|ауы?|еуі?)?';

export const kk: LanguagePack = {
  script: 'Cyrillic',
  isDefaultOfScript: false,
  letters: {
    alphabet: 'аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя',
    own: 'әғқңөұүһі',
    vowels: 'аәеёиоөуұүыіэюя',
    silent: 'ъь',
    byFrequency: '',
    enumeration: '',
    folded: {},
    plain: { ә: 'а', ғ: 'г', қ: 'к', ң: 'н', ө: 'о', ұ: 'у', ү: 'у', һ: 'х', і: 'и' },
  },
  typing: {
    // The Russian keyboard, with its own letters on the upper row.
    keyboard: {
      keys: `${keyboard.keys}2345890-=`,
      letters: `${keyboard.letters}әіңғүұқөһ`,
      shifted: keyboard.shifted!,
    },
    sounds: { ә: 'a', ғ: 'g', қ: 'k', ң: 'n', ө: 'o', ұ: 'u', ү: 'u', һ: 'h', і: 'i' },
    fromLatin: null,
  },
  detection: {
    frequent: `
      және мен пен бен үшін бойынша туралы бұл сол осы оның олар ол біз сіз сен неше қанша қандай қалай қайда қашан кім кімнің кімге неге
      бар жоқ емес деген дегеніміз ма ме ба бе па пе ғой еді болады бола болып керек арқылы кейін дейін бұрын қазір салыстыр
      бап бапта баптың баптағы бабы бабында тармақ тармағы тарау калай кандай кайда кашан канша сәлем рахмет рақмет сау бол ал ше айырмашылығы
      толығырақ айтып бер беріңіз немен кімдер қай кай жайлы жөнінде бойы алады жатады қанда`,
    weight: 1.5,
    final: 'не',
    romanised:
      'qandai qanday kandai qalai qalay nege degen degenimiz turaly jane zhane bap kim qashan salem rahmet',
    endings: '[аеиоуы]йды лды [аейы]тты [дтн]ың',
    tellingLetters: '',
    endingWeight: 0.75,
  },
  stem: stemKazakh,

  stopWords: {
    function: `
      және мен бен пен немесе не да де та те үшін туралы бұл осы сол ол олар оның оған оны онда одан онымен біз біздің
      сіз сіздің сен менің сенің өз өзі өзінің өзіне бір әр барлық бар жоқ емес еді екен болып болады болған болса бойынша
      арқылы кейін дейін сияқты ғана тек егер сондай сонымен қатар ал бірақ өйткені себебі деп деген керек мүмкін жатыр
      тұр отыр жүр ма ме ба бе па пе ші тағы мұнда мұндай мұның осындай ретінде`,
    meaningful: 'барлық керек мүмкін ғана тек әр тағы өз өзі өзінің қатар сияқты',
    reporting: 'айтты айтылды айтқан айтылған айтады айтып сөйледі айтылады пікірі',
    light: 'саны түсі атауы тәртібі түрі',
    linking: 'саналады табылады атты аталады',
    existence: 'бар',
  },
  questionWords: {
    kinds: [
      ['who', 'nominative', 'кім кімдер'],
      ['who', 'accusative', 'кімді'],
      ['who', 'dative', 'кімге'],
      ['who', 'genitive', 'кімнің'],
      ['who', 'instrumental', 'кіммен'],
      ['who', 'other', 'кімде кімнен'],
      ['what', 'nominative', 'нелер'],
      ['what', 'genitive', 'ненің'],
      ['what', 'accusative', 'нені'],
      ['what', 'instrumental', 'немен'],
      ['what', 'other', 'неден'],
      ['which', '', 'қандай қай қайсы қайсысы'],
      ['many', '', 'қанша неше'],
      ['rank', '', 'нешінші'],
      ['how', '', 'қалай қалайша'],
      ['when', '', 'қашан'],
      ['where', '', 'қайда'],
      ['whence', '', 'қайдан'],
      ['why', '', 'неге неліктен'],
    ],
    inOwnTexts: [['what', 'nominative', 'не']],
    relative: '',
    whether: '',
    whetherInOwnTexts: 'ма ме ба бе па пе',
    yesOrNo: '',
    nameVerbs: '',
    counting: '',
    measures: '',
    afterMany: '',
  },
  courtesy: {
    greetings: 'сәлем(етсіз бе)?',
    please: 'өтінемін',
    requests: `
      айтып бер(ші|іңіз(ші)?)?, айтыңыз(шы)?, айтшы, түсіндір(ші|іңіз(ші)?)?, білгім келеді`,
    forWhom: '',
    listing: 'атап (бер|өт|шық)*, тізіп (бер|шық)*',
    listingOf: { order: '', what: '' },
    allOfThem: 'барлық барлығы',
  },
  dialogue: {
    opens: 'ал, және',
    supposes: 'ал егер, егер',
    closes: 'ше ші',
    more: `
      толығырақ, толығырақ айт*( бер*)?, кеңірек, кеңірек айт*( бер*)?, тағы, тағы не, тағы айт*( бер*)?, жалғастыр*,
      егжей-тегжейлі`,
    about: 'бұл туралы, ол туралы, осы туралы, ал',
    pointing: `
      ол оны оның оған онда одан онымен олар оларды олардың оларға оларда олардан бұл бұны бұның бұған бұнда мұны мұның
      мұнда мұндай осы осыны осының осыған осында сол соны соның соған сонда содан ондай сондай`,
    expletives: '',
    standIns: '',
    owned: `
      мерзім* жас жасы жаста жасқа жасында жасынан мекенжай* баға бағасы құны мөлшер* шарты шарттар* талаптар* тәртіб* тәртіп
      себеп себеб* саны уақыт* пайыз* негіз негіздер* негізде құжаттар* жазасы мысал* рет реттен орны мақсат*
      ең аз көп ұзақ жиі керек болуы тиіс дәл нақты нөмір* күні күнге айы`,
    cases: '',
    next: 'келесі*',
    previous: 'алдыңғы*',
    last: 'соңғы*',
  },
  grammar: {
    fixedWordOrder: false,
    casesTellRoles: true,
    tenseBy: 'verb',
    conjunctions: 'және мен бен пен ал әрі немесе',
    articles: '',
    negations: 'емес жоқ ешқашан ешкім ешқандай ештеңе болмайды',
    // Verbs say "not", nouns "without".
    negatedEndings: `
      [мбп][ае](й(ды|ді|мын|мін|мыз|міз|сың|сің|сыз|сіз)|ған|ген|ды|ді|уы|уі|са|се|с)(дар|дер)? (сыз|сіз)(дар|дер)?`,
    opposing: '',
    opposingPrefixes: '',
    having: { words: 'мен бен пен', endings: '[мбп]ен' },
    lacking: { words: '', endings: '(сыз|сіз)(дар|дер)?' },
    nameBeginsWithAdjective: false,
    subjectFirst: true,
    officeHead: 'last',
    splitNegations: {},
    prepositions: 'дейін кейін бұрын қарсы арқылы бері соң үшін бойы',
    prepositionForms: {},
    directed: 'дейін бұрын',
    partOf: '',
    persons: [
      'мен маған мені менің біз бізге біздің',
      'сен сіз сізге сіздің',
      'ол олар оған оны оның олардың',
    ],
    doing: '',
    being: '',
    infinitiveMark: '',
    pastTense: 'болды болған еді',
    presentTense: '',
    pastBeforeParticiple: '',
    contracted: {},
    letterInside: '',
    capitalPronouns: '',
    classNouns: '',
  },
  morphology: {
    derivations: '',
    adjectives: '',
    nouns: '',
    participles: '',
    participlesLikeVerbs: '',
    notParticiples: '',
    past: '[лнртсшзжмғқкпв](ды|ді|ты|ті)',
    present: '[аей](ды|ді)',
    reflexive: '',
    finite: '',
    nounEndings: '[нтд](ің|ың|і|ы|ен|ан|е|а) [ғгқк][ае]',
    bare: '',
    nominative: '',
    oblique: '',
    nameEndings: '',
    inflections: null,
  },
  numbers: {
    words: [
      // "онда" is "there", "бірге" together: no cases.
      [1, 'бір', `бір${order}${cases}`],
      [10, 'он', `он${order}${cases}`],
      ...(
        [
          [0, 'нөл'],
          [2, 'екі'],
          [3, 'үш'],
          [4, 'төрт'],
          [5, 'бес'],
          [6, 'алты'],
          [7, 'жеті'],
          [8, 'сегіз'],
          [9, 'тоғыз'],
          [20, 'жиырма'],
          [30, 'отыз'],
          [40, 'қырық'],
          [50, 'елу'],
          [60, 'алпыс'],
          [70, 'жетпіс'],
          [80, 'сексен'],
          [90, 'тоқсан'],
          [100, 'жүз'],
          [1000, 'мың'],
          [1e6, 'миллион'],
          [1e9, 'миллиард'],
        ] as const
      ).map(([value, word]) => [value, `${word}${cases}`, `${word}${order}${cases}`] as const),
    ],
    inOwnTexts: true,
    teensAfterTen: true,
    ordinalSuffixes: '[ыі]?нш[ыі] ш[ыі]',
    amounts: '',
    indefinite: 'бір',
  },
  calendar: {
    months: 'қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан',
    monthForms:
      'қаңтар* ақпан* наурыз* сәуір* мамыр* маусым* шілде* тамыз* қыркүйек* қазан* қараша* желтоқсан*',
    weekdays: 'дүйсенбі сейсенбі сәрсенбі бейсенбі жұма сенбі жексенбі',
    yearWords: 'жыл*',
    centuryWords: 'ғасыр*',
    eras: '',
    beforeYear: '',
    years: 'ж жыл*',
  },
  abbreviations: {
    needsMore: 'мыс қар қ а.қ ш.а ауд көш к-сі даң',
    needsNumber: 'бап ғ б.з б.з.д б.з.б қаң ақп сәу шіл қыр жел',
    betweenNumbers: 'нау мам мау там қаз тг тең',
    afterDigit: 'ж жж ғ ғғ',
    unlessCounted: '',
    closingPairs: 'т б, б д, с с',
    timesOfDay: '',
    degrees: { first: '', middle: 'ғ', last: 'к д' },
    provisions: 'б т тарм тармақш',
    letterWords: 'і',
    letterNeedsNumber: false,
  },
  provisions: {
    units: [
      { unit: 'article', forms: 'бап', count: 'one', before: 'always' },
      {
        unit: 'article',
        forms: 'бап(т?[аеыі]|ты[ңн]|тан|[қк]а|пен|та[ғг]ы) баб(ы|ын|ына|ында|ынан|ының|ындағы|ымен)',
        count: 'one',
        before: 'always',
        notBehind: true,
      },
      { unit: 'article', forms: 'баптар', count: 'many', before: 'always' },
      { unit: 'article', forms: 'баптар*', count: 'many', before: 'always', notBehind: true },
      { unit: 'paragraph', forms: 'параграф(қа|тың|та)', count: 'one', before: 'ordinal' },
      { unit: 'part', forms: 'бөлі[гк]і*', count: 'one', before: 'ordinal', owned: true },
      { unit: 'part', forms: 'бөлі[гк]*', count: 'one', before: 'ordinal' },
      { unit: 'point', forms: 'тарма[ғг]ы*', count: 'one', before: 'ordinal', owned: true },
      { unit: 'point', forms: 'тарма[қғкг]*', count: 'one', before: 'ordinal' },
      { unit: 'subpoint', forms: 'тарма[қк]шасы*', count: 'one', before: 'ordinal', owned: true },
      { unit: 'subpoint', forms: 'тарма[қк]ша*', count: 'one', before: 'ordinal' },
      { unit: 'section', forms: 'бөлім*', count: 'one', before: 'ordinal' },
      { unit: 'chapter', forms: 'тарау*', count: 'one', before: 'ordinal' },
    ],
    headings: [
      ['article', 'бап'],
      ['section', 'бөлім'],
      ['chapter', 'тарау'],
      ['paragraph', 'параграф'],
      ['annex', 'қосымша'],
    ],
    numberFirst: true,
    ordinalBehind: false,
    paragraphIsDivision: true,
    romanBefore: true,
    and: 'және мен пен немесе',
    rangeOpens: '',
    rangeCloses: '',
    rangeFrom: '[тнд][ае]н',
    rangeUntil: 'дейін*',
    numero: '',
    between: '',
    of: '',
    owners: 'баптың баптын бабының баптардың баптардын',
    pointLetters: '',
    measures: 'күн жыл ай',
  },
  acts: {
    kinds: [
      ['law', 'заң(ы|ның|ының|да|ында|дағы|ындағы|ға|ына)?'],
      ['decree', 'жарлы[қғ]*'],
      ['order', 'бұйры[қғ]*'],
      ['resolution', 'қаулы*'],
      ['charter', 'жарғы*'],
      ['rules', 'ереже*'],
      ['instruction', 'нұсқаулы[қғ]*'],
    ],
    basic: 'ата',
    general: 'жаңа* ескі* бұрынғы* қазіргі* осы бұл ата біздің* алдыңғы*',
    states: 'мемлекет*',
    adjectives: '[дтл][ыі][қк] [дт][ыі]',
    titles: {
      first: '',
      adjectives: '',
      followedBy: '',
      last: 'конституциясы заңы кодексі жарлығы бұйрығы қаулысы шешімі жарғысы ережесі қағидалары нұсқаулығы шарты келісімі',
    },
    owner: '[нтд][ыі]ң',
    topicOpens: '',
    topicCloses: 'туралы жөніндегі',
    nameJoins: '',
    links: '',
  },
  documents: {
    formWords: `
      жоба жобасы көшірме құпия бекітемін бекітілген бекітілді келісілді мазмұны нұсқа бет жыл жылы жылғы`,
    remarks: 'бекітілген, бекітілді, қабылданған, қабылданды, жарияланған, тіркелген, енгізілген',
    town: '',
    dated: '',
    generic: `
      сұрақ-жауап, сұрақтар мен жауаптар, жиі қойылатын сұрақтар, кіріспе, шолу, жалпы ережелер`,
    untitled: 'атаусыз',
    page: 'бет',
    pageOf: '',
    links: `
      басты бет, жоғарыға, мазмұнға өту, бөлісу, басып шығару, толығырақ, келесі( бет)?, алдыңғы( бет)?, мәзір, іздеу
      кіру, барлық құқықтар қорғалған`,
    home: 'басты бет',
    cookies: 'cookie, cookies',
    consent: 'келісесіз, келісім, қабылдау, пайдаланамыз',
    caption: 'сурет, кесте, сызба',
    headingStyle: '',
    questionColumn: 'сұрақ сұрақтар',
    answerColumn: 'жауап жауаптар',
    dateCodes: '',
  },
  answers: {
    kinds: {
      date: { opens: '', asks: 'қай (жыл|ғасыр|күн)*, нешінші жыл*' },
      number: { opens: '', asks: '' },
      person: { opens: '', asks: '' },
      place: { opens: '', asks: '' },
    },
    fitness: '',
    fitnessAtEnd: 'ала(ды|ды ма)',
    names: 'аты-жөні, есімі кім',
    offices:
      'президенттің төраға төрағасы сот палатасы республикасы бас прокурор уәкіл үкімет кеңес министрлер жоғарғы конституциялық',
  },
  now: 'қазір*',
  speech: {
    reports: 'айтты айтқан* айтылды айтылған айтады сөйле* мәлімде* пікір* көзқарас* деді ойы ойлайды',
    stances: 'уәде* ұсын(ды|ған|а|ады)',
    texts: 'сөз сөзі сөзін сөзінде сөздері мәлімдеме* баяндама* сұхбат* үндеу*',
    aboutOpens: '',
    aboutCloses: 'туралы жайлы жайында жөнінде жөніндегі хақында',
    holding: 'қызмет* лауазым* атқар* отыр* болып болды болған',
  },
  dating: {
    latest: 'соңғы*',
    earliest: 'алғаш* бастапқы* бірінші*',
    times: 'рет ретінде',
    within: '',
    until: '',
    since: '',
    between: '',
    untilBehind: 'дейін* бұрын*',
    sinceBehind: 'кейін* бері* бастап',
    betweenBehind: 'арас* аралы*',
    spans: 'мен бен пен және',
    formerly: 'бұрын*, өткен жыл*, былтыр',
    changes: 'өзгер(ді|ген|іп|тті|ткен)',
    views: 'көзқарас* пікір* ұстаным* уәде*',
  },
  antonyms: `
    бірінші соңғы, алғашқы соңғы, дейін кейін, бұрын кейін, ерте кеш, басы соңы, бастау аяқтау,
    басталу аяқталу, басталады аяқталады, ашу жабу, ашық жабық, үлкен кіші, көп аз, көбейту азайту,
    арттыру азайту, ұлғайту кішірейту, көтеру төмендету, өсу төмендеу, жоғары төмен, биік аласа,
    ұзын қысқа, кең тар, терең таяз, ауыр жеңіл, қалың жұқа, күшті әлсіз, тез баяу, жақсы жаман,
    жаңа ескі, жас кәрі, бай кедей, ыстық суық, жылы суық, оңай қиын, қымбат арзан, солтүстік оңтүстік,
    шығыс батыс, ішкі сыртқы, тура жанама, ер әйел, еркек әйел, ұл қыз, әке шеше, аға іні, туу өлу,
    туған өлген, жеңу жеңілу, жеңіс жеңіліс, импорт экспорт, кіру шығу, кіріс шығыс, табыс шығын,
    пайда зиян, беру алу, қабылдау босату, тағайындау босату, тағайындайды босатады,
    тағайындалады босатылады, қабылдайды босатады, рұқсат тыйым, заңды заңсыз, кінәлі кінәсіз,
    талапкер жауапкер, мемлекеттік жекеменшік, жария құпия, міндетті ерікті, тұрақты уақытша,
    ақылы тегін, қалалық ауылдық, түнгі күндізгі, жоспарлы жоспарсыз, қосу өшіру, қосу ажырату,
    құру жою, орнату жою, бұғаттау ашу, бейбіт соғыс, дос жау, бірдей әртүрлі, кредитор қарызгер`,
  related,
  synonyms: `
    сұрақ сауал
    мемлекет ел
    мерзім уақыт
    міндетті тиіс
    керек қажет
    көмек жәрдем
    мұғалім ұстаз
    жалақы еңбекақы
    оқушы шәкірт
    ақша қаражат
    бүгін қазір
    заң заңнама
    бола болады`,
};
