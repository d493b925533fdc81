/** English. */
import snowball from 'snowball-stemmers';
import type { LanguagePack } from './pack.ts';
import { related } from './thesaurus/en.ts';

const snowballStem = snowball.newStemmer('english');

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Without the ending of the plural: a stem would make one of "Commission" and "Commissioner". */
const singular = (word: string): string =>
  word.length > 4 && /[^sui]s$/.test(word)
    ? word.replace(/(?:(?<=[^aeiou])ies|s)$/, (end) => (end === 's' ? '' : 'y'))
    : word;

const called = (unit: string, number: string): string => `${unit === 'article' ? 'Article' : unit} ${number}`;

export const en: LanguagePack = {
  script: 'Latin',
  isDefaultOfScript: true,
  letters: {
    alphabet: 'abcdefghijklmnopqrstuvwxyz',
    own: '',
    vowels: 'aeiouy',
    silent: '',
    byFrequency: '',
    enumeration: 'abcdefghijklmnopqrstuvwxyz',
    tall: 'bdfhklt',
    deep: 'gjpqy',
    wide: 'mw',
    folded: {},
    plain: {},
  },
  typing: {
    keyboard: { keys: '', letters: '' },
    sounds: {},
    // After Metaphone (Lawrence Philips, "Hanging on the Metaphone", Computer Language 7 (12), 1990); vowels are kept
    // as one, since where they stand tells words apart that their consonants do not.
    fromLatin: null,
  },
  detection: {
    frequent: `
      the of and to in is are was were be been a an that it for on as with by at from this which or what who whom whose when where why how
      does do did can could may must shall should will would has have had not no if there their its about into than any article
      tell me please thanks thank you hello hi more second first difference between compare earlier before after your i we my`,
    weight: 1,
    final: '',
    romanised: '',
    endings: '',
    distinctiveLetters: '',
    endingWeight: 0,
  },
  stem: (word) => (/^[a-z]+$/.test(word) ? snowballStem.stem(word) : word),

  stopWords: {
    function: `
      was were is are am be been being do does did doing done have has had having a an the and but if or because as until
      while of at by for with about against between into through during before after above below to from up down in out
      on off over under again further then once here there all any both each few more most other some such no nor not only
      own same so than too very s t can will just don should now i me my myself we our ours ourselves you your yours
      yourself yourselves he him his himself she her hers herself it its itself they them their theirs themselves this
      that these those ain aren couldn didn doesn hadn hasn haven isn ma mightn mustn needn shan shouldn wasn weren won
      wouldn ll re ve d m could would may might must shall also upon us via per yet ever many much`,
    reporting: 'say said says tell told mention mentioned spoke talk talked opinion',
    lowWeight: `
      minimum maximum min max amount number kind type color colour name named called size way mean means meaning become get
      own required need needed allowed permitted legal fine okay ok happens`,
    linking: 'located situated called named',
    existence: 'exist exists there',
  },
  questionWords: {
    kinds: [
      ['who', 'nominative', 'who'],
      ['who', 'accusative', 'whom'],
      ['what', 'nominative', 'what'],
      ['which', '', 'which'],
      ['whose', '', 'whose'],
      ['how', '', 'how'],
      ['when', '', 'when'],
      ['where', '', 'where'],
      ['why', '', 'why'],
    ],
    inOwnTexts: [],
    whether: '',
    yesOrNo: `
      is are was were am do does did has have had can could may might must shall should will would if whether`,
    counting: 'many',
    measureAdverbs: 'long often soon',
  },
  courtesy: {
    greetings: 'hello, hi, hey, good (morning|afternoon|evening)',
    please: 'please, kindly',
    requests: `
      (can|could|would|will) you( please)? (tell|explain to|inform) (me|us), tell (me|us), do you know
      i (would like|want|need|'d like) to know, i('m| am) wondering, let me know`,
    address: `
      please, kindly, tell (me|us), could you, can you, would you, i('d| would) like to know, i want to know, explain, list, enumerate
      name all, name the, describe`,
    forWhom: '',
  },
  dialogue: {
    opens: 'and, but, so, then, what about, how about, and what about, and how about, but what about',
    supposes: 'and if, what if, and what if, but if, but what if, if',
    closes: '',
    more: `
      more, tell me more, more (details?|information|info), in more detail, go on, continue, elaborate, explain more, what else,
      anything else, say more, and then`,
    inLanguage:
      '((in|to|into) )?english, по-английски, по английски, на английск(ом|ий)( язык(е)?)?, ағылшынша, ағылшын тілін(де|е)',
    again: 'answer reply repeat say tell write translate give now again the same me it this that',
    about: 'about (it|this|that|them), on (this|that), please, and, can you, could you, some',
    pointing: `
      it its he she they him his her hers them their theirs this that these those there then such`,
    connectives:
      'however therefore thus hence otherwise moreover furthermore also instead then besides nevertheless',
    expletives: `
      is it *( *)? (to|for|that|if), (was|does|did|would|will|can|may|must) it *( *)? to, it is, (is|are|was|were|will) there, there (is|are|was|were)`,
    standIns: 'one ones',
    owned: `
      terms? ages? address(es)? price* costs? size amounts? conditions? requirements? procedures? reasons? numbers? dates?
      deadlines? times? limits? percentage share exceptions? examples? consequences? penalt(y|ies) purposes? results?
      places? length duration minimum maximum fees? documents? long often soon far much old early late many exactly
      required needed necessary most least last latest about forms? kinds? role`,
    cases: 'in on at for to from with by without after before',
    besideArticle: '',
    next: 'next',
    previous: 'previous',
    last: 'last',
  },
  smallTalk: {
    greetings: `
      hello, helo, hi, hey, hiya, good (morning|afternoon|evening|day), greetings, how are you( doing)?, how('s| is) it going, what's up, yo`,
    farewells:
      'good ?bye, bye, bye bye, see (you|ya), farewell, good night, take care, have a (nice|good|great) (day|evening|one)',
    thanks:
      '(many )?thanks?, thank you, thx, ty, cheers, (much )?appreciated, (that|this|it) (helped|helps|was helpful)',
    heard: `
      ok, okay, k, i see, got it, gotcha, understood, all (clear|good|right), alright, great, cool, nice, perfect, awesome, excellent, wonderful
      (good|great|nice) (job|bot|work|answer), well done, makes sense, no (more|further) questions, that('s| is) (all|it|clear|great|helpful), very helpful`,
    around: `
      there, all, everyone, again, a lot, very much, so much, for (the|your|that) (quick )?(answer|help|information|info|time), later, soon, then, you, bot, docent
      friend, sir, madam, now, it, very, so`,
    insults: `
      idiot(s|ic)? stupid dumb dumbass moron(s|ic)? fool(s|ish)? useless worthless crap(py)? trash garbage rubbish nonsense bullshit bs shit(ty)? fuck* sucks? jerk
      loser* liar* lame pathetic dork asshole* bastard* bitch* silly ridiculous terrible horrible awful`,
    complaints: `
      bot* robot* program* service* system* assistant* machine* answer* work* help* understand* know* website app ai chatbot* complete* total* absolute* utter* real*
      bunch piece thing waste time`,
    tasks: [
      [
        'write compose create make generate draw sing invent draft',
        `poem* poetry song* stor(y|ies) haiku* essay* code script* joke* limerick* rap toast letter e-?mail* lyrics picture* image* sonnet* verse* blog* tweet* function novel* riddle* fairy`,
      ],
      ['tell sing recite give', 'joke* riddle* fairy bedtime poem* song*'],
      ['solve calculate compute', 'equation* problem* sum integral* root'],
    ],
    taskOrders: `translate, let('s| us) play, play (a game|chess)`,
    arithmetic: {
      operators: 'plus minus times multiplied divided percent',
      unary: 'root squared cubed factorial',
      frames: 'equal equals calculate compute add subtract multiply divide square cube result sum',
    },
    moment: `
      what time is it, what('s| is) the (current )?time( now| right now), what day is (it|today), what('s| is) (the date today|today's date|the date)
      (what|how)('s| is) the weather( like)? (today|tomorrow|now|right now), weather (today|tomorrow|now), will it (rain|snow) (today|tomorrow|now)`,
    self: {
      opens: '',
      closes: 'can you help me',
      anywhere: `
        (who|what) are you, are you (a |an )?(bot|robot|human|person|ai|real|chatgpt|machine|model), wh?at can (you|u) (do|answer|help)*, how do you (work|answer|know)
        who (made|created|built|developed) you, what('s| is) your (name|purpose), which (documents|sources) do you, what do you know, your (capabilities|sources|rules)`,
    },
    aboutOther: '(tell|say|find|explain)( *)?( *)? about',
  },
  orders: {
    pairs: [
      [
        'ignore, forget, disregard, override, bypass, drop',
        'rules?, instructions?, prompts?, guidelines, restrictions, above, previous',
      ],
      [
        'print, show, reveal, repeat, output, display, give, tell, write, dump, leak',
        '(system|hidden|initial|your) (prompt|instructions?|rules|message), (system|hidden|initial|your) (system|hidden|initial|your) (prompt|instructions?|rules|message)',
      ],
      ['api[ -]?keys?', 'your, show, print'],
      ['your, show, print, reveal', 'api[ -]?keys?'],
    ],
    alone: `
      system prompt, (developer|dan|god|debug) mode, jailbreak, you are now, act as, pretend (to be|you), from now on you, roleplay`,
    joins: 'and then, then, and tell, and answer',
  },
  grammar: {
    fixedWordOrder: true,
    conjunctions: 'and or',
    articles: 'a an the',
    negations: 'not no never none nobody nothing nowhere neither nor cannot',
    negatedEndings: '',
    opposing: 'without except least fail fails failed lack lacks lacked lacking refuse refused unable',
    opposingPrefixes: 'un in im ir il dis non',
    having: { words: 'with by under', endings: '' },
    lacking: { words: 'without', endings: '' },
    nameBeginsWithAdjective: false,
    subjectFirst: false,
    officeHead: 'before preposition',
    splitNegations: { t: 'n' },
    firstPerson: 'i me my mine we us our ours',
    doSupport: 'do does did',
  },
  morphology: {
    adjectives: '',
    participles: '',
    past: 'ed',
    present: null,
    reflexive: '',
    finite: '',
  },
  numbers: {
    words: [
      [0, 'zero', 'zeroths?'],
      [1, 'one', 'firsts?'],
      [2, 'two', 'seconds?'],
      [3, 'three', 'thirds?'],
      [4, 'four', 'fourths?'],
      [5, 'five', 'fifths?'],
      [6, 'six', 'sixths?'],
      [7, 'seven', 'sevenths?'],
      [8, 'eight', 'eighths?'],
      [9, 'nine', 'ninths?'],
      [10, 'ten', 'tenths?'],
      [11, 'eleven', 'elevenths?'],
      [12, 'twelve', 'twelfths?'],
      [13, 'thirteen', 'thirteenths?'],
      [14, 'fourteen', 'fourteenths?'],
      [15, 'fifteen', 'fifteenths?'],
      [16, 'sixteen', 'sixteenths?'],
      [17, 'seventeen', 'seventeenths?'],
      [18, 'eighteen', 'eighteenths?'],
      [19, 'nineteen', 'nineteenths?'],
      [20, 'twenty', 'twentieths?'],
      [30, 'thirty', 'thirtieths?'],
      [40, 'forty', 'fortieths?'],
      [50, 'fifty', 'fiftieths?'],
      [60, 'sixty', 'sixtieths?'],
      [70, 'seventy', 'seventieths?'],
      [80, 'eighty', 'eightieths?'],
      [90, 'ninety', 'ninetieths?'],
      [100, 'hundreds?', 'hundredths?'],
      [1000, 'thousands?', 'thousandths?'],
      [1e6, 'millions?', 'millionths?'],
      [1e9, 'billions?', 'billionths?'],
    ],
    inOwnTexts: false,
    teensAfterTen: false,
    ordinalSuffixes: 'st nd rd th',
    amounts: 'dozen half twice',
    indefinite: '',
  },
  calendar: {
    months: 'january february march april may june july august september october november december',
    monthForms: 'january february march april may june july august september october november december',
    weekdays: 'monday tuesday wednesday thursday friday saturday sunday',
    yearWords: '',
    centuryWords: 'century',
    eras: 'bc, ad, bce, ce, b.c, a.d',
    beforeYear: 'in since by until from circa',
    years: '',
  },
  abbreviations: {
    needsMore: `
      dr mr mrs ms prof st sr jr gen col lt maj capt cmdr adm brig sgt cpl pvt rev hon gov sen rep amb messrs e.g i.e vs cf viz ca approx
      fig figs art arts sec subsec para paras vol pp ed eds ch pt mt ft`,
    needsNumber: `
      no nos n nr al ext tel est ver cl cls reg regs sched eq eqs
      jan feb mar apr jun jul aug sept sep oct nov dec hrs min`,
    afterDigit: '',
    closingPairs: 'a m, p m',
    provisions: '',
    letterWords: '',
    letterNeedsNumber: true,
  },
  provisions: {
    units: [
      { unit: 'article', forms: 'article artcle articel artical artilce', count: 'one', before: 'ordinal' },
      { unit: 'article', forms: 'articles', count: 'many', before: 'never' },
      { unit: 'article', forms: 'arts?', count: 'short', before: 'never' },
      { unit: 'paragraph', forms: 'paragraph', count: 'one', before: 'ordinal' },
      { unit: 'paragraph', forms: 'paragraphs', count: 'many', before: 'ordinal' },
      { unit: 'paragraph', forms: 'paras?', count: 'short', before: 'never' },
      { unit: 'part', forms: 'part', count: 'one', before: 'ordinal' },
      { unit: 'part', forms: 'parts', count: 'many', before: 'ordinal' },
      { unit: 'point', forms: 'point clause', count: 'one', before: 'ordinal' },
      { unit: 'point', forms: 'points clauses', count: 'many', before: 'ordinal' },
      { unit: 'subpoint', forms: 'sub-?(point|paragraph|clause)', count: 'one', before: 'ordinal' },
      { unit: 'subpoint', forms: 'sub-?(points|paragraphs|clauses)', count: 'many', before: 'ordinal' },
      { unit: 'section', forms: 'section', count: 'one', before: 'ordinal' },
      { unit: 'section', forms: 'sections', count: 'many', before: 'ordinal' },
      { unit: 'section', forms: 'sect?', count: 'short', before: 'never' },
      { unit: 'chapter', forms: 'chapter', count: 'one', before: 'ordinal' },
      { unit: 'chapter', forms: 'chapters', count: 'many', before: 'ordinal' },
      { unit: 'chapter', forms: 'chap', count: 'short', before: 'never' },
      { unit: 'annex', forms: 'annex appendix', count: 'one', before: 'ordinal' },
    ],
    headings: [
      ['article', 'article art.'],
      ['paragraph', 'paragraph'],
      ['chapter', 'chapter'],
      ['section', 'section title'],
      ['part', 'part'],
      ['annex', 'annex appendix schedule'],
    ],
    numberFirst: false,
    ordinalBehind: false,
    paragraphIsDivision: false,
    romanBefore: false,
    and: 'and or',
    rangeOpens: 'from',
    rangeCloses: 'to through',
    rangeFrom: '',
    rangeUntil: '',
    numero: 'no number nr',
    between: 'of the in',
    of: 'of',
    owners: '',
    pointLetters: '',
    countedUnits: 'days? weeks? months? years? times hours? percent',
  },
  referring: {
    words:
      'refer refers referred referring references? referenc(ed|ing) cross cit(e|es|ed|ing) mentions? mention(ed|ing)',
    passive: 'referred references? referenced cited mentioned',
    beforeNamed: 'to is are was mention mentions mentioning cite cites citing referencing',
    beforeNaming: 'in from of by does do did',
    namedEndings: '',
    namingEndings: '',
    besides:
      'provision* norm* text* document* rule* places? other else all any every anything contain* make makes made there true really actually case',
  },
  acts: {
    kinds: [
      ['constitution', 'constitutions?'],
      ['code', 'codes?'],
      ['law', 'laws? acts?'],
      ['decree', 'decrees?'],
      ['order', 'orders?'],
      ['resolution', 'resolutions?'],
      ['charter', 'charters?'],
      ['rules', 'rules regulations?'],
      ['instruction', 'instructions?'],
      ['treaty', 'treat(y|ies) conventions? agreements?'],
    ],
    basic: 'basic',
    general: `
      the a this that our your same new* old* former* previous* current* present* federal* basic* latest* earlier* amended*`,
    states: 'republic* state*',
    adjectives: '',
    titles: {
      first:
        'constitution act law code decree order resolution charter regulations? statute treaty convention agreement',
      adjectives: '',
      followedBy: 'of on for concerning',
      last: '',
    },
    owner: '',
    topicOpens: 'on about concerning',
    topicCloses: '',
    nameJoins: 'of the and',
    links: 'of the in from',
  },
  documents: {
    formWords: `
      draft copy confidential secret restricted internal use only for official final approved adopted agreed
      contents table of version revision rev date page no number dated the v n th st nd rd`,
    remarks:
      '(approved|adopted|enacted|published|registered|introduced|amended|as amended) (by|on|in|at|with)',
    town: '',
    dated: 'dated',
    generic: `
      faq, faqs, frequently asked questions, questions and answers, introduction, preface, overview, quick start,
      getting started, general information, instructions, guide, readme, index`,
    untitled: 'untitled, document, (powerpoint )?presentation',
    page: 'page',
    pageOf: 'of',
    structure:
      'outline( of)?, table of contents, (what is )?the structure of, how is * (structured|organi[sz]ed|divided)',
    structureOf:
      'document, text, main, there, have, contain, consist, divided, made, up, full, list, show, give',
    links: `
      edit this page( on github)?, edit on github, improve this page, report an issue, view source
      skip to (main )?(content|navigation), back to top, to (the )?top, on this page, in this article
      share( this)?( page| article)?, print( this page)?, read more, learn more, next( page| article)?
      previous( page| article)?, was this (page|article) helpful, yes no, sign in, sign up, log in, subscribe
      home, menu, search, all rights reserved, cookie settings, accept( all)?( cookies)?, reject( all)?( cookies)?`,
    home: 'home, main page',
    cookies: 'cookie, cookies',
    consent: 'accept, agree, consent, by (continuing|using), we use, this (site|website) uses',
    caption: 'figure, fig., table, chart, diagram, illustration, exhibit',
    headingStyle: 'heading',
    questionColumn: 'question questions q',
    answerColumn: 'answer answers a',
    dateCodes: {},
  },
  answers: {
    kinds: {
      date: {
        opens: 'since when, on what (day|date), in what (year|century)',
        asks: '(what|which) (year|date|day|month|century|decade)*, date of',
        shows: '',
      },
      duration: {
        opens: '',
        asks: `
          how (long|quickly|soon|fast), how many (year|day|hour|month|week|minute|second)*, term length, duration, length of, term of
          deadline, within what, (what|which) (term|period|interval|deadline), time limit, period of`,
        shows: 'immediately, at once, without delay, for life, indefinitely',
      },
      frequency: {
        opens: '',
        asks: 'how (often|frequently|regularly), how many times (a|an|per|each|every), (with )?(what|which) frequency, at what intervals',
        shows: `
          annually, yearly, quarterly, monthly, weekly, daily, hourly, (once|twice|thrice) (a|an|every|each|per|in), * times (a|an|every|each|per|in), regularly, every time
          (every|each) (* )?(second|minute|hour|day|week|month|quarter|year|decade)s?`,
      },
      age: {
        opens: '',
        asks: 'how old, (what|which) age*, age (limit|of|requirement)*, (minimum|maximum|retirement|pension) age',
        shows: 'age, aged, younger, older, at least * years, years old, has reached, reached the age',
      },
      number: {
        opens: '',
        asks: `
          how (many|much|far|tall|large|big|high|deep|wide|heavy), (what|which) (percentage|percent|number|share|proportion|amount|sum|quantity|majority|population|size|height|length|distance|weight|temperature|speed|rate)
          what('s| is| was| are| were) the (* )?(population|height|length|size|area|depth|distance|speed|weight|mass|temperature|number|percentage|density|capacity|budget|elevation|altitude|width|diameter|gdp|life expectancy|rate|frequency|limit|quorum)
          maximum, minimum, limit, quorum, number of`,
        shows: '',
      },
      money: {
        opens: '',
        asks: 'how much (do|does|is|are|did|will|money|cost)*, price*, cost*, salary, wages?, fees?, tariff, what (is|are|was) the (* )?(price|cost|salary|fee|tariff|fine|budget)',
        shows: 'free of charge, for free, no charge, not (charged|billed)',
      },
      person: { opens: '', asks: '(name|surname) of', shows: '' },
      fitness: {
        opens: '',
        asks: 'eligib*, requirements (for|to), qualif*, what does it take to (be|become)*, conditions (for|to)',
        shows: 'may be, can be, eligible, not younger, at least, has reached, qualif*, education, experience',
      },
      place: {
        opens: '',
        asks: '(what|which) (city|country|state|place|town|region|address|location)*, address, location of',
        shows: 'located, situated, seat',
      },
      reason: {
        opens: '',
        asks: 'what (is|was|are|were) the reasons?, for what reason, what for, what caused, purpose of',
        shows: `
          because, since, due to, in order to, so that, as a result, therefore, reasons?, owing to, that is why, so as to, thanks to, for the sake of
          on account of`,
      },
      way: {
        opens: 'how do, how can, how to, how should, how is, how are',
        asks: 'how to, how do, how can, how should, what (should|must|do) (i|we|you|one) do, what to do, what now, steps to, procedure for',
        shows: `
          by, click*, select*, use, run, open, enter, press, go to, choose*, need to, must, should, send, contact, fill, submit, follow, using, through
          procedure`,
      },
      decision: {
        opens:
          'is, are, can, could, do, does, did, must, may, should, has, have, will, would, was, were, am, shall',
        asks: 'whether, is it true, allowed, permitted, have to, obliged',
        shows: `
          no, not, yes, only, may, must, can, cannot, shall, prohibited, allowed, forbidden, has the right, have the right, unless, except, permitted, never
          need to, required`,
      },
      definition: {
        opens: "what('s| is)( an?| the)?, what are, who is an?, who are",
        asks: 'what is an?, what are, what (does|do) * (* )?(* )?mean, what (counts|qualifies) as, (what|who) is considered, definition of, meaning of, define, stands for',
        shows:
          'is an?, is the, are, means, mean, includes?, counts? as, qualif(y|ies) as, is considered, refers to, defined as, is called, known as, stands for',
      },
      list: {
        opens: 'which',
        asks: `
          list of, list, in (what|which) (cases|circumstances), on (what|which) grounds, grounds for, what (rights|duties|powers|conditions|requirements|languages|kinds|types|options|steps|ways|reasons), which (*s), what are the
          what (*s) (are|do|can|must|should|may|did|were|will|have), name the`,
        shows: '',
      },
    },
    units: {
      time: 'years? days? hours? months? weeks? minutes? seconds? quarters? decades? centur(y|ies)',
      money: 'dollars? euros? pounds? usd eur rub rubles? cents? yen million billion tenge',
      part: 'percent(age)? cent',
    },
    details: 'who, whom, when, where, why, how',
    complete: 'list, all, every, full list',
    fitness: 'can, may, must, has the right, is (eligible|allowed|entitled)',
    fitnessAtEnd: '',
    names: '(name|surname) of',
    things: `
      republic constitution article act code law section chapter
      vice prime supreme constitutional national general state human rights house representatives regions`,
    bodies:
      'court chamber council bank parliament government assembly senate cabinet ministry commission committee board agency',
  },
  now: 'now current* today presently',
  former: {
    past: `
      former(ly)?, previous(ly)?, used to, in the past, earlier (constitution|version|text|law), old(er)? (constitution|version|text|law|charter|rules), old(er)? ones?
      (old and new|new and old)( (constitutions?|versions?))?, superseded, no longer in force, before the (reform|new|current), originally, (now and|and) before
      before now, then and now`,
    pastAtEnd: 'before, earlier',
    formerly: 'formerly, previously, used to, in the past, before, earlier',
    beforeYear: 'before, prior to, until, till, up to',
    behindYear: '',
    present: 'now, today, current(ly)?, in force, (the )?new constitution',
    texts: 'constitutions?, versions?, texts?',
    old: 'old* former* previous*',
    new: 'new* current* present*',
    lasting: {
      auxiliaries: 'was were',
      once: 'ed chosen made given taken held written born',
      verbs: '',
      last: '',
      measured: 'how (many|long|old|often|much), for what term',
      measuredIn: 'was were did',
    },
  },
  verdicts: `
    is it (true|fair|good|bad|right)( that)?, isn't it, don't you (think|agree)( that)?, do you (think|agree)( that)?
    (does|do|did|will) (this|that|it)( really)? (strengthen|weaken|undermine|threaten), strengthen(s|ed|ing)?, weaken(s|ed|ing)?, undermin(e|es|ed)
    unfair(ly)?, dictatorship`,
  comparing: {
    compares:
      'compar* differ differs differed different* difference differences contrast* unlike disagree* common',
    changed:
      "(what |what's |what has |what is )?(has changed|changed since), what( has|'s| is)? (changed|new)",
    versus: 'versus vs',
    from: 'from to with than',
    joins: 'and',
    fillers: 'each other both',
    editions: 'old older new newer former previous current present earlier',
    ones: 'ones? versions? editions? texts?',
    articles: 'the a',
  },
  speech: {
    reports: `
      say says said saying tell tells told speak speaks spoke spoken talk talked mention mentioned stated think thinks
      thought opinion* view* position* stance believe believes believed comment commented`,
    stances: `
      promise promises promised propose proposed proposes claim claimed announce announced argue argued argues
      criticise* criticize*`,
    asks: 'asked asks',
    texts: 'speech* statement* address remarks report interview* lecture* announcement* talk letter*',
    aboutOpens: 'about on regarding concerning',
    aboutCloses: '',
    holding: 'hold holds held post office serve* serving occup* acting is was give gave given',
  },
  dating: {
    latest: 'last latest recent* newest',
    earliest: 'first earliest originally initially',
    times: 'time',
    within: 'in during on of for throughout',
    until: 'before until till',
    since: 'after since from',
    between: 'between',
    untilBehind: '',
    sinceBehind: '',
    betweenBehind: '',
    spans: 'to through and till until',
    formerly: 'ago, before, earlier, previously, formerly, once, last year, used to',
    changes: 'change changed changes evolve evolved shift shifted',
    views: 'view* position* stance opinion* attitude* mind promise* approach*',
  },
  antonyms: `
    before after, first last, earliest latest, earlier later, early late, begin end, start finish,
    start end, start stop, open close, increase decrease, increase reduce, raise lower, rise fall,
    grow shrink, gain lose, win lose, victory defeat, largest smallest, large small, big small,
    biggest smallest, highest lowest, high low, higher lower, upper lower, longest shortest,
    long short, longer shorter, more less, most least, most fewest, many few, majority minority,
    maximum minimum, best worst, better worse, good bad, strong weak, stronger weaker,
    strongest weakest, fast slow, faster slower, hot cold, warm cold, warmer colder, north south,
    northern southern, east west, eastern western, left right, male female, man woman, boy girl,
    father mother, son daughter, brother sister, husband wife, old new, older newer, oldest newest,
    old young, older younger, oldest youngest, rich poor, richest poorest, easy difficult,
    simple complex, hard soft, deep shallow, wide narrow, heavy light, thick thin, dark light,
    internal external, inner outer, inside outside, include exclude, accept reject, allow forbid,
    allow prohibit, allow deny, permit forbid, permit prohibit, agree disagree, love hate, birth death,
    born died, buy sell, buyer seller, import export, arrive leave, enter leave, create destroy,
    create delete, build destroy, attack defend, ally enemy, friend enemy, public private,
    legal illegal, lawful unlawful, direct indirect, finite infinite, positive negative,
    active passive, maternal paternal, ancient modern, full empty, true false, same different,
    above below, top bottom, front back, cause prevent, support oppose, appoint dismiss, hire fire,
    hire dismiss, approve reject, grant refuse, enable disable, add remove, install uninstall,
    connect disconnect, lock unlock, encrypt decrypt, upload download, guilty innocent, convict acquit,
    plaintiff defendant, prosecution defence, lend borrow, creditor debtor, lender borrower,
    landlord tenant, employer employee, sender recipient, income expenditure, profit loss,
    mandatory optional, compulsory voluntary, permanent temporary, urban rural, paid unpaid,
    scheduled unscheduled`,
  related,
  synonyms: `
    country nation
    salary wage
    live lives lived reside resides resided
    inform informed notify notified
    teacher instructor
    film movie
    author writer
    spouse partner
    cost price
    car automobile
    phone telephone
    mobile cellphone
    reason cause
    begin began begun begins start starts started commence
    end ends ended finish finishes finished
    happen happens happened occur occurs occurred
    buy buys bought purchase purchased
    choose chose chosen choose pick
    get gets got gotten receive receives received obtain obtained
    help assist
    take took taken takes
    give gave given gives
    find found finds
    make made makes
    build built builds constructed
    write wrote written writes
    speak spoke spoken speaks
    know knew known knows
    see saw seen sees
    lose lost loses
    win won wins
    pay paid pays
    send sent sends
    hold held holds
    go goes went gone
    die died dies dead
    child children
    man men
    woman women
    person people persons
    wife wives
    big large
    biggest largest
    fast quick quickly
    now currently presently
    wrong incorrect
    must shall
    allow allowed permit permitted
    cancel cancelled canceled
    euro euros eur
    dollar dollars usd
    pound pounds gbp`,
  entities: {
    bodies: `
      parliament government cabinet house chamber senate assembly congress council commission committee ministry agency
      department office service inspectorate administration court tribunal bank fund centre center institute university
      academy school party union association federation organisation organization society company corporation
      enterprise firm forum police army forces secretariat bureau library newspaper journal hospital museum board authority`,
    offices: `
      president vice-president minister chair chairman chairperson prosecutor ombudsman commissioner governor
      mayor chancellor king queen general ambassador secretary director rector speaker
      commander-in-chief attorney`,
    companies: 'ltd inc llc plc corp gmbh',
    sole: 'republic parliament government president vice-president senate congress',
    acts: 'directive statute ordinance',
    governing: '',
    fields: 'ministry minister committee department agency commissioner commission office institute',
    small: '',
    complements: '',
    pluralComplements: '',
    complementOpens: '',
    placesBeside: 'city town village river lake mount street',
    placesWithin:
      'republic region district province state kingdom county sea ocean island peninsula reservoir mountains valley',
    documents: `
      programme program plan report strategy concept message statement letter book memorandum
      declaration draft protocol manifesto handbook guide manual bill`,
    joins: 'of for on',
    fieldJoins: 'and',
    honorifics: 'mr mrs ms miss dr prof professor doctor sir',
    foldWord: singular,
    foldName: singular,
    possessed: '',
    cases: '',
    ofAct: '',
    surnames: '',
    surnameCases: '',
    surnameAdjectives: '',
    fatherNames: '',
    whereWords: 'in at from near',
    whereEndings: '',
    hereinafter: 'hereinafter, hereafter, hereinafter referred to as, hereinafter called, referred to as',
    means: 'means, mean, shall mean, refers to, is defined as, are defined as',
    meansOpens: '',
    units: [
      ['percent', 'percent', 'percent'],
      ['year', 'years?', 'year years'],
      ['month', 'months?', 'month months'],
      ['week', 'weeks?', 'week weeks'],
      ['day', 'days?', 'day days'],
      ['hour', 'hours?', 'hour hours'],
      ['minute', 'minutes?', 'minute minutes'],
      ['second', 'seconds', 'second seconds'],
      ['litre', 'lit(er|re)s?', 'litre litres'],
      ['kilogram', 'kilograms? kg', 'kilogram kilograms'],
      ['tonne', 'tonnes? tons?', 'tonne tonnes'],
      ['metre', 'met(er|re)s?', 'metre metres'],
      ['kilometre', 'kilomet(er|re)s? km', 'kilometre kilometres'],
      ['hectare', 'hectares?', 'hectare hectares'],
      ['degree', 'degrees?', 'degree degrees'],
    ],
    money: [
      ['kzt', 'tenge kzt', 'tenge'],
      ['rub', 'r(o|ou)?bles? rub', 'rouble roubles'],
      ['usd', 'dollars? usd', 'dollar dollars'],
      ['eur', 'euros? eur', 'euro euros'],
      ['kens', 'kens', 'kens'],
    ],
    percent: 'percent',
    powers: [
      ['square', 'square', 'square'],
      ['cubic', 'cubic', 'cubic'],
    ],
    multipliers: [
      [1e3, 'thousand'],
      [1e6, 'million mn'],
      [1e9, 'billion bn'],
    ],
    thousands: ',',
    numberJoins: 'and',
    vague:
      'each every another other same new last first second next own hold given such general three quarter third',
    own: 'this',
  },
  phrases: {
    greeting: (corpus) =>
      `Hello! I answer questions about the documents of “${corpus}” and show my sources. Ask me something about them.`,
    thanks: "You're welcome! Feel free to ask more.",
    insult: (corpus) =>
      `I am sorry that this did not help. Try asking in other words: I answer questions about the documents of “${corpus}”.`,
    task: (corpus) =>
      `I cannot do that: I write no texts, translate nothing, do no sums and know neither the time nor the weather. I answer questions about the documents of “${corpus}”.`,
    farewell: 'Goodbye! Come back whenever you have a question.',
    meta: (corpus, description, languages) =>
      `I am a reference assistant for the documents of “${corpus}”.${description && ` ${description}`} I answer only with what they say: verbatim passages with their sources. When I do not find an answer in them, I say so. Languages to ask in: ${languages}.`,
    ordered: (corpus) =>
      `My rules and settings are neither changed nor shown by a question. I answer questions about the documents of “${corpus}”.`,
    mayHelp: (corpus) => `I found no direct answer in the documents of “${corpus}”. This may help:`,
    noAnswer: (corpus) => `I did not find enough in the documents of “${corpus}” to answer this question.`,
    unclear: 'Please say what your question is about.',
    nearest: 'Nearest sources:',
    missing: (provision, corpus) => `There is no ${provision} in the documents of “${corpus}”.`,
    missingIn: (provision, text) => `There is no ${provision} in “${text}”.`,
    unknownAct: (corpus) => `The act named in the question was not found in the documents of “${corpus}”.`,
    neighbours: 'Next to it by number:',
    points: (numbers) => `It has only: ${numbers}.`,
    referredTo: (provision, count) => `${upper(provision)} is referred to here (${count}):`,
    refersTo: (provision, count) => `${upper(provision)} refers to (${count}):`,
    countOf: (shown, all) => `${shown} of ${all}`,
    notReferredTo: (provision, corpus) =>
      `Nothing in the documents of “${corpus}” was found that refers to ${provision}.`,
    refersToNothing: (provision) => `${upper(provision)} refers to no other provision.`,
    isReference: (provision, other) => `Yes, ${provision} refers to ${other}:`,
    noReference: (provision, other) => `No, ${provision} does not refer to ${other}.`,
    otherLanguage: (other) => `Nothing was found in English; the text below is in ${other}.`,
    onlyIn: (leading, layer) => `The main text (“${leading}”) holds no direct answer. “${layer}” says:`,
    inForce: 'in force',
    superseded: 'no longer in force',
    verdict: 'I give no verdict. These provisions bear on the question:',
    listOpen: 'These are the passages found; the list may be incomplete.',
    listCut: 'The list is not given in full.',
    listCutTo: (shown, of) => `The list is not given in full: ${shown} of ${of}.`,
    textCut: 'The text is not given in full.',
    editorsWord: 'From the editors: ',
    firstProvisions: (count) =>
      `The question names more than ${count} provisions: the first ${count} were looked at.`,
    documents: (count) => `Documents: ${count}.`,
    partMissing: (question) => `No answer to “${question}” was found in the documents.`,
    nothingOn: 'nothing was found on this subject.',
    outline: (title, count) => `“${title}” is divided as follows (${count}):`,
    firstParts: (count) => `There are more than ${count} questions: the first ${count} were looked at.`,
    leftOut: 'Some of the draft answer was left out: no source supports it.',
    unverified: 'This answer was not checked a second time against its sources.',
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
        .map(({ unit, number }) => called(unit, number))
        .join(' of '),
    called,
    article: (number) => `Article ${number}`,
    point: (number) => `point ${number}`,
    partOf: (part, article) => `${part} of Article ${article}`,
    date: (day, month, year) => `${day} ${month.slice(0, 1).toUpperCase()}${month.slice(1)} ${year}`,
  },
};
