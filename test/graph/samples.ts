/**
 * Passages of the sample corpora, labelled by hand: each was marked by the extraction and then read word by word, what it
 * had missed added and what was wrong taken out. The notation is that of labels.ts.
 */
import type { Labelled } from './labels.ts';

export const samples: Labelled[] = [
  // commentary/en/rights#001
  {
    lang: 'en',
    heading: 'Commentary on Article 12',
    text: `The prohibition of the death penalty is absolute. It applies in peace and in war, and no law, decree or state of emergency may restore it, because [provision:article 27|Article 27] places [provision:article 12|Article 12] beyond any limitation.

Consent to medical experiments must be informed and may be withdrawn at any moment without a reason being given.`,
  },
  // commentary/en/rights#002
  {
    lang: 'en',
    heading: 'Commentary on Article 14',
    text: `Personal data are any information by which a person can be recognised, including the image of a face. A street camera that recognises faces collects personal data and therefore needs either consent or a direct rule of law.

[provision:article 14, paragraph 4|Paragraph 4] does not forbid the processing of applications by machine. It forbids leaving a person alone with the machine: a substantial refusal must have an author who can explain and change it.`,
  },
  // commentary/ru/parlament#002
  {
    lang: 'ru',
    heading: 'Комментарий к статье 38',
    text: `Роспуск — не наказание палаты, а способ выйти из тупика, когда она и [organisation|Правительство] не могут работать вместе. Поэтому перечень оснований в [provision:article 38, point 1|пункте 1] исчерпывающий, и ссылка на политический кризис сама по себе недостаточна.

[organisation|Президент] может, но не обязан распустить [organisation|Палату представителей]. При втором выражении недоверия он вправе вместо этого отправить в отставку [organisation|Правительство].

На время между роспуском и выборами законы принимает [organisation|Палата регионов], поэтому страна не остаётся без законодателя.`,
  },
  // commentary/ru/statya-14#001
  {
    lang: 'ru',
    heading: 'Комментарий к статье 14',
    text: `[provision:article 14, point 3;article 14, point 4|Пункты 3 и 4] не имеют предшественника в [law|Конституции 1994 года]. Они появились потому, что государство стало хранить о человеке гораздо больше сведений, чем может удержать в памяти он сам.

Под [term|персональными данными] следует понимать любые сведения, по которым человека можно узнать, включая изображение лица и место нахождения. Камера на улице, которая распознаёт лица, собирает персональные данные и потому требует либо согласия, либо прямого указания закона.

[provision:article 14, point 4|Пункт 4] не запрещает машинную обработку заявлений. Он запрещает оставлять человека наедине с машиной: у существенного отказа должен быть автор, который способен объяснить его и изменить.`,
  },
  // commentary/ru/statya-29#001
  {
    lang: 'ru',
    heading: 'Комментарий к статье 29',
    text: `Слова «только один раз» относятся ко всей жизни человека, а не к промежутку между сроками. Перерыв в полномочиях, перемена должности или досрочная отставка права на новое избрание не возвращают.

Проживание «последние [amount:15 year|пятнадцать лет]» понимается как постоянная связь со страной. Учёба, лечение и государственная служба за рубежом такую связь не прерывают, если человек сохранял в [place|Кенсае] жилище.

Верхнего предельного возраста для кандидата [law|Конституция] не устанавливает. Запрет избираться вторично нельзя отменить и путём поправки: об этом говорит [provision:article 48, point 4|пункт 4 статьи 48].`,
  },
  // commentary/ru/statya-42#001
  {
    lang: 'ru',
    heading: 'Комментарий к статье 42',
    text: `[organisation|Конституционный суд] пришёл на смену [organisation|Конституционному совету]. Главное различие — доступ граждан: совет рассматривал обращения только высших должностных лиц.

Жалоба гражданина допустима, когда пройдены обычные суды и спорный закон действительно применён в деле. Абстрактное несогласие с законом жалобой не является. Суд не пересматривает факты дела и не назначает наказания: он оценивает только закон.

Запрет повторного назначения защищает независимость: судье не приходится думать о том, кто и как будет решать его дальнейшую судьбу. Возражения [organisation|Президента] на решение суда новая [law|Конституция] не предусматривает.`,
  },
  // faq/questions-kk#001
  {
    lang: 'kk',
    heading: 'Президент неше жылға сайланады?',
    text: `[organisation|Президент] [amount:6 year|алты жылға] және бір рет қана сайланады ([provision:article 29, point 1|29-бап, 1-тармақ]).`,
  },
  // faq/questions-kk#008
  {
    lang: 'kk',
    heading: 'Республиканың астанасы қай қала?',
    text: `Астана – [place|Нұртау] қаласы. [organisation|Конституциялық Сот] [place|Ақжайлауда] орналасады ([provision:article 7|7-бап]).`,
  },
  // faq/questions-ru#001
  {
    lang: 'ru',
    heading: 'На какой срок избирается Президент?',
    text: `[organisation|Президент] избирается на [amount:6 year|шесть лет] и только один раз. Это установлено [provision:article 29, point 1|пунктом 1 статьи 29].`,
  },
  // norm/constitution-en#7
  {
    lang: 'en',
    unit: 'article',
    number: '7',
    heading: 'Article 7. The Capital',
    text: `Article 7. The Capital

1. The capital of the [place|Republic] is the city of [place|Nurtau].
2. The [organisation|President], [organisation|Parliament], the [organisation|Government] and the [organisation|Supreme Court] are located in the capital. The seat of the [organisation|Constitutional Court] is the city of [place|Akzhailau].
3. The status of the capital is determined by a constitutional law.`,
  },
  // norm/constitution-en#27
  {
    lang: 'en',
    unit: 'article',
    number: '27',
    heading: 'Article 27. Judicial Protection and Bounds of Limiting Rights',
    text: `Article 27. Judicial Protection and Bounds of Limiting Rights

1. Everyone has the right to judicial protection of his or her rights and freedoms and to qualified legal assistance.
2. In the administration of justice the following rules are observed:
  1) a person is considered innocent until guilt is established by a court sentence that has taken legal effect;
  2) no one may be convicted twice for the same act;
  3) no one is obliged to testify against himself or herself, a spouse or close relatives;
  4) a law that establishes or increases liability has no retroactive force;
  5) evidence obtained by unlawful means has no force.
3. Rights and freedoms may be limited only by law and only to the extent necessary to protect the constitutional order, public order, and the rights, health and morals of people.
4. The rights provided for in [provision:article 11;article 12|Articles 11 and 12] and in [provision:article 27, paragraph 2|paragraph 2 of this Article] may not be limited in any circumstances.`,
  },
  // norm/constitution-en#31
  {
    lang: 'en',
    unit: 'article',
    number: '31',
    heading: 'Article 31. Powers of the President',
    text: `Article 31. Powers of the President

1. The [organisation|President]:
  1) addresses an annual message to the people on the state of the country;
  2) calls regular and early elections to [organisation|Parliament];
  3) signs and promulgates laws or returns them for renewed discussion;
  4) with the consent of the [organisation|House of Representatives] appoints the [organisation|Prime Minister], and dismisses the [organisation|Prime Minister];
  5) on the proposal of the [organisation|Prime Minister] appoints and dismisses the members of the [organisation|Government];
  6) with the consent of the [organisation|Chamber of Regions] appoints the [organisation|Prosecutor General] and the [organisation|Governor of the National Bank];
  7) decides on the holding of a republican referendum;
  8) conducts negotiations and signs international treaties and receives the credentials of ambassadors;
  9) is the [organisation|Supreme Commander-in-Chief of the Armed Forces];
  10) decides questions of citizenship and of the granting of asylum;
  11) grants pardons;
  12) declares a state of emergency as provided for in [provision:article 47|Article 47].
2. The [organisation|President] issues decrees and orders that are binding throughout the territory of the [place|Republic]. Decrees may not contradict the [law|Constitution] and the laws.
3. The [organisation|President] may not transfer his or her powers to other persons.`,
  },
  // norm/constitution-en#33
  {
    lang: 'en',
    unit: 'article',
    number: '33',
    heading: 'Article 33. Chambers of Parliament',
    text: `Article 33. Chambers of Parliament

1. [organisation|Parliament] is the highest representative body and exercises legislative power. It consists of two chambers, the [organisation|House of Representatives] and the [organisation|Chamber of Regions], which act on a permanent basis.
2. The [organisation|House of Representatives] consists of one hundred and five deputies elected for [amount:5 year|five years]: seventy-five from party lists and thirty in single-member districts. A party takes part in the distribution of seats if at least [amount:5 percent|five per cent] of the votes were cast for it.
3. The [organisation|Chamber of Regions] consists of thirty-six deputies elected for [amount:6 year|six years]: local councils elect three from each region and from the capital, and the [organisation|President] appoints six. Half of the elected deputies are renewed every [amount:3 year|three years].
4. The session of [organisation|Parliament] lasts from the first working day of September to the last working day of June. A sitting of a chamber is valid if at least two thirds of all its deputies take part.`,
  },
  // norm/constitution-kk#7
  {
    lang: 'kk',
    unit: 'article',
    number: '7',
    heading: '7-бап. Астана',
    text: `7-бап. Астана

1. [place|Республиканың] астанасы – [place|Нұртау] қаласы.
2. Астанада [organisation|Президент], [organisation|Парламент], [organisation|Үкімет] және [organisation|Жоғарғы Сот] орналасады. [organisation|Конституциялық Соттың] орналасқан жері – [place|Ақжайлау] қаласы.
3. Астананың мәртебесі конституциялық заңмен айқындалады.`,
  },
  // norm/constitution-kk#32
  {
    lang: 'kk',
    unit: 'article',
    number: '32',
    heading: '32-бап. Президент өкілеттігінің мерзімінен бұрын тоқтатылуы',
    text: `32-бап. Президент өкілеттігінің мерзімінен бұрын тоқтатылуы

1. [organisation|Президенттің] өкілеттігі ол қайтыс болған, өз еркімен орнынан түскен, науқастануына байланысты міндеттерін атқаруға дендеп қабілетсіз болған немесе қызметтен кетірілген жағдайда мерзімінен бұрын тоқтатылады.
2. Науқастануына байланысты қабілетсіздікті [organisation|Парламент] бірлескен отырыста дәрігерлік комиссияның қорытындысы және [organisation|Конституциялық Соттың] қорытындысы негізінде әр палата депутаттары жалпы санының кемінде төрттен үшінің көпшілігімен анықтайды.
3. [organisation|Президент] мемлекетке опасыздық жасағаны немесе өзге де ауыр қылмыс үшін ғана қызметтен кетірілуі мүмкін. Айыпты [organisation|Өкілдер палатасы] депутаттарының кемінде үштен бірі тағады. Шешім [organisation|Жоғарғы Соттың] және [organisation|Конституциялық Соттың] қорытындылары болған кезде әр палатаның үштен екі дауысымен қабылданады.
4. Айып тағылған кезден бастап [amount:2 month|екі ай] ішінде шешім қабылданбаса, айып қабылданбады деп есептеледі.
5. Өкілеттік мерзімінен бұрын тоқтатылған кезде [organisation|Президенттің] міндетін [organisation|Өңірлер палатасының Төрағасы], бұл мүмкін болмаса, [organisation|Премьер-Министр] атқарады. Кезектен тыс сайлау [amount:60 day|алпыс күн] ішінде өткізіледі. Міндетті атқарушы [organisation|Парламентті] таратуға және [law|Конституцияға] түзетулер ұсынуға құқылы емес.`,
  },
  // norm/constitution-kk#33
  {
    lang: 'kk',
    unit: 'article',
    number: '33',
    heading: '33-бап. Парламент палаталары',
    text: `33-бап. Парламент палаталары

1. [organisation|Парламент] – заң шығару билігін жүзеге асыратын жоғары өкілді орган. Ол тұрақты негізде жұмыс істейтін екі палатадан – [organisation|Өкілдер палатасы] мен [organisation|Өңірлер палатасынан] тұрады.
2. [organisation|Өкілдер палатасы] [amount:5 year|бес жылға] сайланатын жүз бес депутаттан тұрады: жетпіс бесі партиялық тізімдер бойынша, отызы бір мандатты округтер бойынша сайланады. Партия кемінде [amount:5 percent|бес пайыз] дауыс алса, мандаттарды бөлуге жіберіледі.
3. [organisation|Өңірлер палатасы] [amount:6 year|алты жылға] сайланатын отыз алты депутаттан тұрады: әр облыстан және астанадан үш депутаттан жергілікті кеңестер сайлайды, алты депутатты [organisation|Президент] тағайындайды. Сайланған депутаттардың жартысы әр [amount:3 year|үш жыл] сайын жаңарып отырады.
4. [organisation|Парламент] сессиясы қыркүйектің бірінші жұмыс күнінен маусымның соңғы жұмыс күніне дейін өтеді. Палатаның отырысы оның депутаттары жалпы санының кемінде үштен екісі қатысқан кезде заңды болады.`,
  },
  // norm/constitution-kk#38
  {
    lang: 'kk',
    unit: 'article',
    number: '38',
    heading: '38-бап. Парламентті тарату',
    text: `38-бап. Парламентті тарату

1. [organisation|Президент] палаталардың төрағаларымен және [organisation|Премьер-Министрмен] консультациялардан кейін [organisation|Өкілдер палатасын] мынадай жағдайларда тарата алады:
1) [organisation|Палата] [organisation|Премьер-Министрді] тағайындауға келісім беруден екі рет бас тартса;
2) [organisation|Палата] [amount:1 year|бір жыл] ішінде [organisation|Үкіметке] екі рет сенімсіздік білдірсе;
3) бюджет басталған жылдың [date:--03-01|1 наурызына] дейін бекітілмесе.
2. [organisation|Өкілдер палатасын] сайлаудан кейінгі [amount:1 year|бір жыл] ішінде, [organisation|Президент] өкілеттігінің соңғы [amount:6 month|алты айында], сондай-ақ төтенше немесе соғыс жағдайы кезінде таратуға болмайды.
3. [organisation|Өңірлер палатасы] таратылмайды.
4. Кезектен тыс сайлау таратылған күннен бастап [amount:2 month|екі ай] ішінде өткізіледі.`,
  },
  // norm/constitution-ru#7
  {
    lang: 'ru',
    unit: 'article',
    number: '7',
    heading: 'Статья 7. Столица',
    text: `Статья 7. Столица

1. Столицей [place|Республики] является город [place|Нуртау].
2. В столице находятся [organisation|Президент], [organisation|Парламент], [organisation|Правительство] и [organisation|Верховный суд]. Местом нахождения [organisation|Конституционного суда] является город [place|Акжайлау].
3. Статус столицы определяется конституционным законом.`,
  },
  // norm/constitution-ru#27
  {
    lang: 'ru',
    unit: 'article',
    number: '27',
    heading: 'Статья 27. Судебная защита и пределы ограничения прав',
    text: `Статья 27. Судебная защита и пределы ограничения прав

1. Каждый имеет право на судебную защиту своих прав и свобод и на квалифицированную юридическую помощь.
2. При осуществлении правосудия соблюдаются следующие правила:
1) лицо считается невиновным, пока его вина не установлена вступившим в силу приговором суда;
2) никто не может быть дважды осуждён за одно и то же деяние;
3) никто не обязан свидетельствовать против себя, супруга и близких родственников;
4) закон, устанавливающий или усиливающий ответственность, обратной силы не имеет;
5) доказательства, полученные незаконным способом, не имеют силы.
3. Права и свободы могут быть ограничены только законом и лишь в той мере, в какой это необходимо для защиты конституционного строя, общественного порядка, прав, здоровья и нравственности людей.
4. Ни в каких случаях не подлежат ограничению права, предусмотренные [provision:article 11;article 12|статьями 11 и 12], а также [provision:article 27, point 2|пунктом 2 настоящей статьи].`,
  },
  // norm/constitution-ru#29
  {
    lang: 'ru',
    unit: 'article',
    number: '29',
    heading: 'Статья 29. Выборы и срок полномочий Президента',
    text: `Статья 29. Выборы и срок полномочий Президента

1. [organisation|Президент] избирается на основе всеобщего, равного и прямого избирательного права при тайном голосовании сроком на [amount:6 year|шесть лет]. Одно и то же лицо может быть избрано [organisation|Президентом] только один раз.
2. [organisation|Президентом] может быть избран гражданин [place|Республики] по рождению, не моложе [amount:40 year|сорока лет], свободно владеющий государственным языком, проживающий в [place|Кенсае] последние [amount:15 year|пятнадцать лет] и имеющий высшее образование.
3. Очередные выборы [organisation|Президента] проводятся в третье воскресенье октября.
4. Избранным считается кандидат, набравший более половины голосов избирателей, принявших участие в голосовании. Если никто не набрал такого числа голосов, через [amount:2 week|две недели] проводится повторное голосование по двум кандидатам, получившим наибольшее число голосов.`,
  },
  // norm/constitution-ru#31
  {
    lang: 'ru',
    unit: 'article',
    number: '31',
    heading: 'Статья 31. Полномочия Президента',
    text: `Статья 31. Полномочия Президента

1. [organisation|Президент]:
1) обращается к народу с ежегодным посланием о положении в стране;
2) назначает очередные и внеочередные выборы [organisation|Парламента];
3) подписывает и обнародует законы либо возвращает их для повторного обсуждения;
4) с согласия [organisation|Палаты представителей] назначает [organisation|Премьер-министра], освобождает его от должности;
5) по представлению [organisation|Премьер-министра] назначает и освобождает членов [organisation|Правительства];
6) назначает с согласия [organisation|Палаты регионов] [organisation|Генерального прокурора] и [organisation|Председателя Национального банка];
7) принимает решение о проведении республиканского референдума;
8) ведёт переговоры и подписывает международные договоры, принимает верительные грамоты послов;
9) является [organisation|Верховным Главнокомандующим Вооружёнными силами];
10) решает вопросы гражданства и предоставления убежища;
11) осуществляет помилование;
12) вводит чрезвычайное положение в порядке, предусмотренном [provision:article 47|статьёй 47].
2. [organisation|Президент] издаёт указы и распоряжения, обязательные на всей территории [place|Республики]. Указы не могут противоречить [law|Конституции] и законам.
3. [organisation|Президент] не вправе передавать свои полномочия другим лицам.`,
  },
  // norm/constitution-ru#32
  {
    lang: 'ru',
    unit: 'article',
    number: '32',
    heading: 'Статья 32. Досрочное прекращение полномочий Президента',
    text: `Статья 32. Досрочное прекращение полномочий Президента

1. Полномочия [organisation|Президента] прекращаются досрочно в случае его смерти, отставки по собственному желанию, устойчивой неспособности исполнять обязанности по болезни или отрешения от должности.
2. Неспособность по болезни устанавливает [organisation|Парламент] на совместном заседании большинством не менее трёх четвертей от общего числа депутатов каждой палаты на основании заключения врачебной комиссии и заключения [organisation|Конституционного суда].
3. [organisation|Президент] может быть отрешён от должности только за государственную измену или иное тяжкое преступление. Обвинение выдвигается не менее чем третью депутатов [organisation|Палаты представителей]. Решение принимается двумя третями голосов каждой палаты при наличии заключений [organisation|Верховного суда] и [organisation|Конституционного суда].
4. Если в течение [amount:2 month|двух месяцев] с момента предъявления обвинения решение не принято, обвинение считается отклонённым.
5. При досрочном прекращении полномочий обязанности [organisation|Президента] исполняет [organisation|Председатель Палаты регионов], а при невозможности — [organisation|Премьер-министр]. Внеочередные выборы проводятся в течение [amount:60 day|шестидесяти дней]. Исполняющий обязанности не вправе распускать [organisation|Парламент] и предлагать поправки к [law|Конституции].`,
  },
  // 2019/2019-03-14-prezident-o-vodohranilishchah#001
  {
    lang: 'ru',
    text: `Уважаемые участники совещания! Третий год подряд весенний сток реки [place|Каракем] меньше обычного, и третий год мы встречаем лето с одним и тем же вопросом: хватит ли воды полям. Я убеждён, что ответ надо искать не в запретах, а в строительстве.

До конца [date:2024|2024 года] мы построим три водохранилища: [place|Верхнекемское], [place|Саздинское] и [place|Жалгызагашское]. Вместе они удержат [amount:400000000 cubic metre|четыреста миллионов кубических метров] паводковой воды, которая сегодня уходит в пески. Деньги в бюджете предусмотрены, проекты готовы.

Мне говорят, что дешевле поднять цену и заставить людей экономить. Я с этим не согласен. Тариф на воду для населения и для полива повышаться не будет, пока я [organisation|Президент]. Крестьянин не виноват в том, что государство [amount:30 year|тридцать лет] не строило плотин.

Сначала накопим воду, потом будем учиться её считать. Поручаю [organisation|Кабинету министров] ежеквартально докладывать о ходе строительства, а областным администрациям — выделить землю под водохранилища до [date:--06-01|1 июня].`,
  },
  // 2019/2019-09-02-prezident-o-srokah#001
  {
    lang: 'ru',
    text: `На встрече с журналистами [organisation|Президента] спросили, не пора ли менять нормы о сроке полномочий главы государства.

«[law|Конституция 1994 года] прошла проверку временем, — ответил он. — Она допускает два срока подряд по [amount:5 year|пять лет], и этого ограничения достаточно. Любая перемена правил посередине игры вызывает подозрения: люди спросят, для кого она делается. Поэтому я не вижу необходимости трогать [law|Основной закон] ни в этом году, ни в ближайшие годы».

На вопрос о должности [organisation|Вице-президента] глава государства сказал, что считает её полезной: «[organisation|Вице-президент] председательствует в [organisation|Сенате] и всегда готов подхватить работу. Это запасной парашют. Его не критикуют за то, что он ни разу не раскрылся».

Отвечая на вопрос о [organisation|Конституционном совете], [organisation|Президент] заметил, что прямые жалобы граждан завалили бы его бумагами: «Для жалоб есть суды. Совет должен думать о государстве в целом, а семь человек не могут прочитать миллион писем».

В заключение он пообещал вернуться к разговору о сроках, «если этого попросит само общество, а не политологи».`,
  },
  // 2021/2021-12-09-ormantai-permission-to-gather#001
  {
    lang: 'en',
    heading: 'Statement of the Ombudsman on Human Rights Day',
    text: `This year local administrations received three hundred and forty applications to hold a peaceful assembly. They refused two hundred and twelve of them. In one hundred and five cases the reason given was "repair of the square". I have visited some of those squares. Nobody was repairing anything.

[provision:article 16|Article 16] of the [law|Constitution] requires the permission of the administration and [amount:10 day|ten days]' notice. A right that needs permission is a favour. I propose that we replace permission with notification: the organiser informs, the authorities protect, and only a court may prohibit.

I have heard the objection that our society is not ready. Societies become ready by practising. In the town of [place|Saz] the local head, on his own initiative, stopped refusing applications in March. Eighteen assemblies took place. There was not one arrest and not one broken window, and the largest of them was about a bus timetable.

I have no power to change the [law|Constitution], and my own office rests on an ordinary law that [organisation|Parliament] may repeal in a morning. But I will repeat this proposal every year until it is answered.`,
  },
  // 2022/2022-03-22-prezident-berezhem-vodu#001
  {
    lang: 'ru',
    text: `[amount:3 year|Три года] назад я говорил, что сначала мы накопим воду, а потом научимся её считать. Жизнь поправила меня. [place|Верхнекемское водохранилище] построено, и прошлым летом оно было заполнено только на треть: наполнять его оказалось нечем.

Поэтому мы меняем порядок. Строительство [place|Саздинского] и [place|Жалгызагашского водохранилищ] откладывается. Деньги — [amount:17000000000 kens|семнадцать миллиардов кенсов] — пойдут на ремонт [amount:2000 kilometre|двух тысяч километров] каналов и на капельный полив. Каждый спасённый литр дешевле нового.

О тарифе. Я обещал, что он не вырастет, и для населения это обещание сохраняется. Для полива плата будет расти по [amount:5 percent|пять процентов] в год, как предлагал министр. Тот, кто перешёл на капельный полив, от повышения освобождается на [amount:5 year|пять лет].

Признать ошибку труднее, чем открыть плотину. Но глава государства, который не умеет менять мнение перед лицом фактов, опаснее засухи. Прошу каждого хозяина посмотреть на свой арык: если утром под ним мокро, значит, наша общая вода ушла зря.`,
  },
  // 2022/kratkie-vyskazyvaniya-2022#001
  {
    lang: 'ru',
    heading: 'Высказывания',
    text: `Дата: [date:2022-02-03|2022-02-03]; Кто: [person|Марина Тулепова]; Тема: налоги; Высказывание: Льготы двадцати семи крупных компаний отменены; исключений ни для кого не будет.

Дата: [date:2022-03-30|2022-03-30]; Кто: [person|Данияр Сагимбай]; Тема: вода; Высказывание: Капельный полив на [amount:1 hectare|одном гектаре] экономит [amount:4000 cubic metre|четыре тысячи кубических метров] воды за лето.

Дата: [date:2022-04-14|2022-04-14]; Кто: [person|Бекзат Арыстанов]; Тема: парламент; Высказывание: В этом году [organisation|Народное собрание] впервые вернуло [organisation|Кабинету министров] законопроект на доработку.

Дата: [date:2022-05-05|2022-05-05]; Кто: [person|Жанна Ормантай]; Тема: права человека; Высказывание: Я прошу принять [law|закон об омбудсмане] заново: сейчас мои запросы можно оставлять без ответа.

Дата: [date:2022-08-19|2022-08-19]; Кто: [person|Инна Веденская]; Тема: цифровые услуги; Высказывание: Бумажный бланк с сорока строками мы заменили вопросом из трёх слов: «Вы это подтверждаете?»

Дата: [date:2022-10-07|2022-10-07]; Кто: [person|Алдияр Кенесбек]; Тема: образование; Высказывание: Осталось девяносто три трёхсменные школы, то есть половина от того, что было в [date:2020|2020 году].

Дата: [date:2022-11-24|2022-11-24]; Кто: [person|Марина Тулепова]; Тема: здравоохранение; Высказывание: За [amount:2 year|два года] в сёла приехали триста сорок врачей, и тридцать восемь из них уже уехали обратно.`,
  },
  // 2023/2023-05-24-vedenskaya-face-recognition#001
  {
    lang: 'en',
    text: `Thank you all for coming. The centre we open today receives pictures from six thousand two hundred cameras in five cities: [place|Akzhailau], [place|Nurtau], [place|Temirsai], [place|Saz] and [place|Kokpar]. Since the trial began in February it has helped to find forty-one missing children, nine of them within the first hour.

The cameras compare faces with a list of wanted and missing persons. I want to be clear about what they do not do. They do not record where ordinary citizens go, and pictures that match nothing are deleted after [amount:72 hour|seventy-two hours].

We are told that this needs a special law. I do not share that view. The police may look for a wanted person with their own eyes, and a camera is a pair of eyes that does not get tired. The general law on public order is enough.

By the end of [date:2025|2025] the system will cover all cities with more than fifty thousand inhabitants. I invite the [organisation|Ombudsman], members of the press and anyone who doubts us to visit the centre and ask any question. Trust grows where doors are open.`,
  },
  // 2023/2023-11-30-sagymbay-kanaldar#001
  {
    lang: 'kk',
    text: `Құрметті әріптестер! [amount:2 year|Екі жыл] бұрын мен өзеннен алынған әр [amount:100 litre|жүз литр] судың [amount:40 litre|қырық литрі] жолда жоғалатынын айтқан едім. Бүгін бұл көрсеткіш [amount:31 litre|отыз бір литрге] түсті. Бұл әлі де көп, бірақ біз дұрыс жолдамыз.

[amount:2 year|Екі жылда] [amount:1150 kilometre|бір мың жүз елу шақырым] канал бетондалды, [amount:16000 hectare|он алты мың гектар] жер тамшылатып суаруға көшті. Үнемделген су жетпіс мың адам тұратын қалаға [amount:1 year|бір жылға] жетеді. Суару суының ақысы жыл сайын [amount:5 percent|бес пайызға] өсті, жиналған қаржының бәрі каналдарды жөндеуге жұмсалды. Әр кенстің есебі министрліктің сайтында тұр.

Қиындық та бар. [place|Сазды облысында] жөнделген каналдың жартысы бірінші қыстан кейін жарылып кетті. Мердігер жұмысты өз есебінен қайта жасайды, ал жұмысты қабылдаған екі қызметкер жұмыстан шығарылды.

Келесі мақсат – [date:2026|2026 жылға] қарай су шығынын [amount:25 percent|жиырма бес пайызға] дейін төмендету. Су қоймасын салу керек пе деген сұраққа жауабым сол күйінде: алдымен тесік шелекті жамап алайық. Шаруаларға айтарым: тамшылатып суаруға көшкендерге берілетін жеңілдік [amount:5 year|бес жыл] бойы сақталады.`,
  },
  // 2026/2026-02-16-arystanov-referendum-qorytyndysy#001
  {
    lang: 'kk',
    heading: 'Референдум қорытындысы туралы мәлімдеме',
    text: `Құрметті отандастар! Кеше халық өз сөзін айтты. Референдумға сайлаушылардың [amount:64 percent|алпыс төрт пайызы] қатысты, олардың [amount:71 percent|жетпіс бір пайызы] жаңа [law|Конституцияны] қолдады. Алты облыстың бесеуінде қолдағандар басым болды, [place|Көкпар облысында] ғана қарсы дауыс бергендер көп.

[amount:5 year|Бес жыл] бұрын мен жаңа [law|Конституцияның] қажеті жоқ, бар заңды пайдалану керек деп айтқан едім. Егер [amount:5 year|бес жылдан] кейін [organisation|Парламентті] жай заңмен күшейту мүмкін болмаса, қателескенімді бірінші болып мойындаймын деп уәде бердім. Уәдемде тұрамын: мен қателестім. Жай заңмен біз комитет хаттамаларын жариялауды ғана үйрене алдық.

Енді алдымызда көп жұмыс тұр. [law|Конституция] [date:--07-01|1 шілдеде] күшіне енеді, [organisation|Өкілдер палатасының] сайлауы [date:--09-27|27 қыркүйекте] өтеді. Оған дейін отыз екі заңды қабылдауымыз керек. Олардың ең маңыздылары – сайлау туралы, [organisation|Конституциялық Сот] туралы және жергілікті өзін-өзі басқару туралы заңдар.

Қарсы дауыс бергендерге айтарым: сіздердің дауыстарыңыз жоғалған жоқ. [place|Көкпар облысының] тұрғындары нені ұнатпағанын білу үшін келесі аптада сонда барамын.`,
  },
  // 2026/2026-07-01-prezident-konstitutsiya-kushine-endi#001
  {
    lang: 'kk',
    text: `Қымбатты отандастар! Бүгін, [date:--07-01|1 шілдеде], жаңа [law|Конституция] күшіне енді. [law|1994 жылғы Конституция] [amount:32 year|отыз екі жылға] жуық қызмет етті, оған құрметпен қоштасу айтамыз.

Бүгіннен бастап [organisation|Вице-Президент] лауазымы жоқ. Бүгіннен бастап өлім жазасына тыйым салынады. Бүгіннен бастап бейбіт жиналысқа рұқсат сұраудың қажеті жоқ, хабарлау жеткілікті. Бүгіннен бастап астанамыз – [place|Нұртау].

Менің өкілеттігім [date:2028-01|2028 жылғы қаңтарда] аяқталады. Жаңа ереже бойынша мен қайта сайлана алмаймын және бұған өкінбеймін. Керісінше, келесі [organisation|Президентке] [amount:6 year|алты жыл] берілетініне, оның қайта сайлану туралы ойламайтынына қуанамын.

Заң қағазда тұрса, ол – сөз ғана. Оны орындайтын адам болса, ол – тірек. Сондықтан әр министрге тапсырдым: [amount:3 month|үш ай] ішінде өз саласындағы [law|Конституцияға] қайшы келетін ережелердің тізімін жариялаңыздар. [amount:2 year|Екі жыл] ішінде барлық заңдар [law|Конституцияға] сәйкес келтірілуге тиіс.

Баршаңызды жаңа дәуірмен құттықтаймын! Бірлігіміз берік, суымыз мол болсын!`,
  },
];
