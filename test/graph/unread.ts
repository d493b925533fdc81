/**
 * Passages from the sample corpora, labelled before extraction first ran on them. The labels of dates and amounts date
 * from a time when the graph had such nodes. The notation is that of labels.ts.
 */
import type { Labelled } from './labels.ts';

export const unread: Labelled[] = [
  // 2025/2025-12-04-sagymbai-sixty-litres#001
  {
    lang: 'en',
    text: `Colleagues, the draft [law|Constitution] contains a number, and some lawyers dislike it for that reason. It says that the state provides at least [amount:60 litre|sixty litres] of safe water a person a day at an affordable price. Constitutions, they say, should contain principles and not litres.

I disagree. A principle cannot be measured with a bucket. Today two hundred and sixty thousand people in our country live on less than [amount:60 litre|sixty litres]. With the number in the text, each of them has a claim and each of us has a deadline.

How shall we do it? Not with new reservoirs. Losses in the canals have fallen from [amount:40 percent|forty per cent] to twenty-seven in [amount:5 year|five years], and the water we saved is enough for all those people twice over. What is missing is pipes: [amount:1900 kilometre|one thousand nine hundred kilometres] of them, to be laid by the end of [date:2028|2028].

Affordable does not mean free. A household that uses what the guarantee covers should not pay more than [amount:2 percent|two per cent] of its income. A household that fills a swimming pool should pay what the pool costs the river.`,
  },
  // 2024/2024-04-18-tulepova-regions-keep-tax#001
  {
    lang: 'en',
    text: `Dear participants, for [amount:30 year|thirty years] a district in our country has lived like a teenager: it earns, brings everything home, and then asks its parents for pocket money. Of every [amount:100 kens|hundred kens] of income tax collected in a district, ninety-eight go to the centre.

From next year we begin to change this. [amount:20 percent|Twenty per cent] of the personal income tax will stay where it is collected, and in the following year [amount:30 percent|thirty per cent]. It is a modest share. It is also fifteen times what districts keep today, and grants will no longer be cut when local revenue grows.

Money comes with duties. A district that keeps tax must publish its budget in plain language, and local councils must approve every purchase above [amount:50000000 kens|fifty million kens] in an open sitting.

I know that the difference between rich and poor districts worries you. For the forty poorest districts a levelling fund will remain. But its size will be fixed by a formula and not by the length of the queue at my door. I hope to see that queue disappear before I do.`,
  },
  // 2021/2021-05-19-arystanov-stronger-parliament#001
  {
    lang: 'en',
    text: `Ladies and gentlemen, the [organisation|People's Assembly] has seventy-seven deputies, four committees and, I regret to say, one habit: to agree. Last year the [organisation|Cabinet] sent us ninety-four bills, and we passed ninety-three of them. I do not believe that the [organisation|Cabinet] was right in ninety-three cases out of ninety-four.

I am often asked whether we need a new [law|Constitution]. My answer today is no. We need to use the one we have. It allows us to hear ministers, and we hardly ever do. It allows us to refuse consent to a [organisation|Prime Minister], and we have never tried.

What I would change is smaller. Deputies should be elected in part from party lists, because seventy-seven single districts produce seventy-seven local advocates and not a single programme. And committees should publish their minutes within [amount:10 day|ten days].

A referendum on a whole new text would divide the country for the sake of paragraphs. Let us first strengthen [organisation|Parliament] by ordinary law. If in [amount:5 year|five years] that proves impossible, I will be the first to say that I was wrong.`,
  },
  // 2026/2026-03-26-ormantai-personal-data#001
  {
    lang: 'en',
    text: `Dear students, when I began this work, a file on a person was a grey folder with a ribbon, and to read it you had to find the key to the cupboard. Today a hundred officials can read it at once, and none of them leaves a fingerprint.

That is why I consider [provision:article 14|Article 14] of the new [law|Constitution] the most important novelty in it, more important than the term of the [organisation|President]. It gives you four things: consent, knowledge, correction within [amount:10 day|ten days], and a human being who answers for the decision of a machine.

I was an opponent of the [document|Safe City] cameras, and I am told that I won. Nobody won. We wrote a law in [amount:2 year|two years] that should have been written before the first camera was bought. Twenty-three people were stopped by mistake in the meantime, and one of them lost a job.

Use your right. Ask the state what it knows about you. I asked, and found out that according to one register I have been dead since [date:2014|2014]. The correction took [amount:9 day|nine days].`,
  },
  // norm/constitution-en#42
  {
    lang: 'en',
    unit: 'article',
    number: '42',
    heading: 'Article 42. The Constitutional Court',
    text: `Article 42. The Constitutional Court

1. The [organisation|Constitutional Court] consists of nine judges appointed for [amount:8 year|eight years] without the right of reappointment: three are appointed by the [organisation|President] and three by each chamber of [organisation|Parliament]. The judges themselves elect the [organisation|Chair].
2. The [organisation|Constitutional Court]:
1) reviews the conformity of laws, decrees of the [organisation|President] and resolutions of the [organisation|Government] with the [law|Constitution];
2) reviews international treaties before their ratification;
3) gives the official interpretation of the norms of the [law|Constitution];
4) decides disputes on the correctness of the elections of the [organisation|President] and the deputies and of the holding of a referendum;
5) gives conclusions in the cases provided for in [provision:article 32|Article 32].
3. The [organisation|President], the Chairs of the chambers, at least one fifth of the deputies of either chamber, the [organisation|Prime Minister], the [organisation|Prosecutor General] and the [organisation|Commissioner for Human Rights] may apply to the [organisation|Constitutional Court]. A citizen may challenge a law applied in his or her case after the court decision has taken effect.
4. A decision is made within [amount:60 day|sixty days] or, if the [organisation|President] demands urgent consideration, within [amount:20 day|twenty days]. The decision is final and binding.
5. A law found unconstitutional loses force on the day the decision is published.`,
  },
  // norm/constitution-en#47
  {
    lang: 'en',
    unit: 'article',
    number: '47',
    heading: 'Article 47. State of Emergency',
    text: `Article 47. State of Emergency

1. In the event of a serious and direct threat to the safety of citizens or to the independence or integrity of the [place|Republic], the [organisation|President] declares a state of emergency after consulting the [organisation|Prime Minister] and the Chairs of the chambers, and informs [organisation|Parliament] of it at once.
2. A state of emergency is declared for not more than [amount:30 day|thirty days]. It may be extended only with the consent of [organisation|Parliament] and each time for not more than [amount:30 day|thirty days].
3. The decree declaring a state of emergency loses force unless the [organisation|House of Representatives] approves it within [amount:72 hour|seventy-two hours].
4. During a state of emergency no elections or referendums are held and the [law|Constitution] is not amended.`,
  },
  // 2023/2023-10-12-arystanov-vybory-glav#001
  {
    lang: 'ru',
    text: `Уважаемые коллеги! В двенадцати районах закончились пробные выборы глав. До сих пор их назначали, и многие предупреждали, что победят говоруны и богачи. Посмотрим, что вышло на деле.

Пришло [amount:63 percent|шестьдесят три процента] избирателей — на девятнадцать пунктов больше, чем на выборы местных собраний. Из двенадцати избранных семеро — учителя, врачи и агрономы, четверо прежде работали в администрации, один — предприниматель. В двух районах победили женщины, чего при назначении не случалось ни разу.

Были и беды. В [place|Кокпарском районе] кандидат раздавал муку, и суд отменил итоги. Но заметьте: отменил суд, а не телефонный звонок.

Я поддерживаю переход к выборам глав во всех районах и городах. С областями сложнее. Глава области распоряжается огромными деньгами и отвечает за исполнение законов. Здесь я за промежуточное решение: пусть его избирает областное собрание, а кандидатов вносит [organisation|Президент].

И последнее. Выбранный глава без денег — это декорация. Пока район отдаёт в центр весь подоходный налог, его глава будет не хозяином, а просителем.`,
  },
  // 2024/2024-02-20-prezident-komissiya#001
  {
    lang: 'ru',
    text: `Уважаемые члены комиссии! Вас сорок человек: судьи, учёные, депутаты, учителя, двое фермеров и один студент. Я сознательно не включил в комиссию ни одного сотрудника своей администрации.

Передо мной двести тридцать тысяч ваших и чужих предложений, которые граждане прислали за год. Чаще всего люди пишут о четырёх вещах: о сроке [organisation|Президента], о доступе к [organisation|Конституционному совету], о местных выборах и о воде.

О сроке скажу отдельно, потому что это касается меня. Я готов рассмотреть и один срок, и два. У каждого решения есть доводы: один срок освобождает от мыслей о переизбрании, два — дают избирателю возможность похвалить или наказать. Своего мнения я пока не высказываю, чтобы оно не стало вашим. Одно условие твёрдое: каким бы ни был новый порядок, я по нему избираться не буду.

Срок вашей работы — [amount:18 month|восемнадцать месяцев]. Заседания открыты, протоколы публикуются. Если в конце вы скажете, что прежняя [law|Конституция] лучше, мы так и поступим.`,
  },
  // 2026/2026-01-20-prezident-pered-referendumom#001
  {
    lang: 'ru',
    text: `Соотечественники! [date|15 февраля] вам предстоит ответить на один вопрос: принимаете ли вы новую [law|Конституцию]. Я не стану уговаривать. Напомню лишь, что в ней нового.

[organisation|Президент] избирается один раз на [amount:6 year|шесть лет]. Должность [organisation|Вице-президента] упраздняется. Гражданин получает право сам обратиться в [organisation|Конституционный суд]. Для мирного собрания достаточно уведомления. Смертная казнь запрещается. Глав районов и городов выбирают жители. Каждому гарантируется вода.

Столица остаётся вопросом, о котором спорили больше всего. Проект переносит её из [place|Акжайлау] в [place|Нуртау], ближе к середине страны. Поначалу я был против: переезд стоит [amount:90000000000 kens|девяносто миллиардов кенсов]. [organisation|Комиссия] убедила меня, что в [place|Акжайлау] больше негде брать воду и что сейсмическая опасность там выше. [organisation|Конституционный суд] при этом останется в прежней столице, подальше от правительственных коридоров.

Если большинство скажет «нет», будет действовать прежний текст, и никто не посмеет назвать это поражением. Прошу об одном: прочитайте проект сами. В нём пятьдесят статей, это два вечера неторопливого чтения.`,
  },
  // 2019/2019-11-20-vedenskaya-sto-procentov-uslug#001
  {
    lang: 'ru',
    text: `Программа «[document|Цифровой Кенсай]» отвечает на простой вопрос: почему за справкой, которую одно ведомство выдаёт для другого, должен ходить человек? К концу [date:2022|2022 года] [amount:100 percent|сто процентов] государственных услуг будут оказываться через портал. Сегодня это [amount:29 percent|двадцать девять процентов], или сто двенадцать услуг из трёхсот восьмидесяти шести.

Мы не собираемся содержать две параллельные системы. Когда услуга переведена в электронный вид, бумажное окно закрывается. Бумага — это очереди, ошибки и соблазн для взятки. В первый год мы закроем сорок окон, во второй — ещё девяносто.

Нас спрашивают о пожилых людях. Для них в библиотеках появятся консультанты, которые помогут завести электронную подпись. Мы посчитали: за одно посещение консультант обучает человека тому, что тот потом делает сам всю жизнь.

Стоимость программы — [amount:11000000000 kens|одиннадцать миллиардов кенсов] за [amount:3 year|три года]. Она окупится за счёт отказа от архивов, курьеров и лишних должностей. Отчёт о выполнении будет публиковаться каждые полгода, и я прошу судить нас по числам, а не по обещаниям.`,
  },
  // commentary/ru/statya-25#001
  {
    lang: 'ru',
    heading: 'Комментарий к статье 25',
    text: `Норма о [amount:60 litre|шестидесяти литрах] обращена прежде всего к государству как к распорядителю водных ресурсов. Она не означает, что большее потребление запрещено, и не освобождает от оплаты: цена должна быть доступной, но не нулевой.

Если централизованного водопровода нет, обязанность исполняется подвозом воды или устройством общих колонок на разумном расстоянии от жилья.

Полное возмещение вреда по [provision:article 25, point 3|пункту 3] включает стоимость восстановления земли, воды и леса, а не только штраф. Слушания по [provision:article 25, point 4|пункту 4] проводятся до выдачи разрешения на строительство; проведённые позднее, они не имеют значения.`,
  },
  // 2020/2020-10-05-prezident-mugalim-kuni#001
  {
    lang: 'kk',
    text: `Құрметті ұстаздар! Биылғы жыл баршамызға оңай тиген жоқ. Сіздер сабақты телефон арқылы, пошта арқылы, кейде тіпті есік алдында тұрып та өткіздіңіздер. Сол үшін сіздерге алғыс айтамын.

Бүгін мен екі шешім туралы хабарлағым келеді. Біріншіден, мұғалімнің жалақысы [amount:2 year|екі жыл] ішінде [amount:50 percent|елу пайызға] өседі: келер жылдың қаңтарында [amount:25 percent|жиырма бес пайызға], одан кейінгі жылы тағы [amount:25 percent|жиырма бес пайызға]. Екіншіден, мұғалімді сабаққа қатысы жоқ жұмысқа тартуға тыйым салынады. Ұстаз көше сыпырмауға, тізім жинамауға тиіс.

Ауыл мектептерінің жағдайы мені ерекше алаңдатады. Елімізде жүз сексен алты мектеп үш ауысымда оқиды, ал екі жүз отыз мектепте физика пәнінің мұғалімі жоқ. Сондықтан [date:2023|2023 жылдың] соңына дейін үш ауысымды мектеп қалмауға тиіс. Бұл – [organisation|Үкіметтің] емес, менің жеке уәдем.

Білімге жұмсалған қаржы – шығын емес, ертеңгі күннің тұқымы. Ол бірден өнбейді, бірақ өнгенде бүкіл елді асырайды. Балаларымыз ауылда туса да, қалада туса да бірдей білім алуға лайық. Сіздерге денсаулық, шыдам және шәкірттеріңіздің жетістігін тілеймін!`,
  },
  // 2024/2024-09-02-tulepova-on-bir-synyp#001
  {
    lang: 'kk',
    text: `Құрметті ұстаздар, ата-аналар, балалар! Жаңа оқу жылы құтты болсын! Бүгін мен мектеп мерзімі туралы ашық айтқым келеді.

[amount:3 year|Үш жыл] бұрын мен он екі жылдық мектепке көшетінімізді мәлімдедім және шартын да айттым: екі жүз он мектеп салынып, тоғыз мың мұғалім қабылдануы керек еді. Жүз отыз сегіз мектеп салынды, бес мың жеті жүз мұғалім келді. Шарт орындалған жоқ, сондықтан он екі жылдық мектепке көшуден бас тартамыз.

Оның орнына он бір жылдық орта білімді міндетті етеміз. Қазір заң бойынша [amount:9 year|тоғыз жыл] ғана міндетті, ал ауылда әр бесінші бала тоғызыншы сыныптан кейін оқуын тоқтатады. Біз үшін қосымша бір сыныптан гөрі әр баланың мектепті аяқтағаны маңыздырақ.

Төрт жастан басталатын мектепке дейінгі тәрбие де тегін болуға тиіс. Ол үшін алпыс мың орын қажет, соның қырық мыңы дайын.

Айтқан сөзден қайту ұят емес, орындалмайтын сөзді қайталай беру ұят. Баршаңызға табыс тілеймін!`,
  },
  // norm/constitution-kk#42
  {
    lang: 'kk',
    unit: 'article',
    number: '42',
    heading: '42-бап. Конституциялық Сот',
    text: `42-бап. Конституциялық Сот
1. [organisation|Конституциялық Сот] қайта тағайындалу құқығынсыз [amount:8 year|сегіз жылға] тағайындалатын тоғыз судьядан тұрады: үшеуін [organisation|Президент], үш-үштен [organisation|Парламенттің] әр палатасы тағайындайды. [organisation|Төрағаны] судьялардың өздері сайлайды.
2. [organisation|Конституциялық Сот]:
1) заңдардың, [organisation|Президент] жарлықтары мен [organisation|Үкімет] қаулыларының [law|Конституцияға] сәйкестігін тексереді;
2) халықаралық шарттарды олар ратификацияланғанға дейін тексереді;
3) [law|Конституция] нормаларына ресми түсіндірме береді;
4) [organisation|Президентті], депутаттарды сайлаудың және референдум өткізудің дұрыстығы туралы дауларды шешеді;
5) [provision:article 32|32-бапта] көзделген жағдайларда қорытындылар береді.
3. [organisation|Конституциялық Сотқа] [organisation|Президент], палаталардың төрағалары, кез келген палата депутаттарының кемінде бестен бірі, [organisation|Премьер-Министр], [organisation|Бас Прокурор] және [organisation|Адам құқықтары жөніндегі уәкіл] жүгінеді. Азамат өз ісінде қолданылған заңға сот шешімі күшіне енгеннен кейін шағым жасауға құқылы.
4. Шешім [amount:60 day|алпыс күн] ішінде, ал [organisation|Президент] шұғыл қарауды талап еткен жағдайда [amount:20 day|жиырма күн] ішінде шығарылады. Шешім түпкілікті және міндетті болып табылады.
5. [law|Конституцияға] сай емес деп танылған заң шешім жарияланған күннен бастап күшін жояды.`,
  },
  // norm/constitution-kk#35
  {
    lang: 'kk',
    unit: 'article',
    number: '35',
    heading: '35-бап. Өкілдер палатасының өкілеттігі',
    text: `35-бап. Өкілдер палатасының өкілеттігі
1. [organisation|Өкілдер палатасының] ерекше қарауына мыналар жатады:
1) заң жобаларын қарауға қабылдау және оларды алғашқы талқылау;
2) [organisation|Премьер-Министрді] тағайындауға келісім беру;
3) республикалық бюджетті және оның атқарылуы туралы есепті бекіту;
4) [organisation|Үкіметке] сенімсіздік білдіру;
5) [organisation|Президенттің] кезекті сайлауын жариялау.
2. [organisation|Палата] өз құрамынан [organisation|Төрағаны] және оның екі орынбасарын жасырын дауыс беру арқылы сайлайды.
3. [organisation|Палата] [organisation|Үкіметтің] кез келген мүшесінің есебін тыңдауға және [organisation|Президентке] оны қызметтен босату туралы үштен екі дауыспен ұсыныс жасауға құқылы. [organisation|Президент] ұсынысты [amount:10 day|он күн] ішінде қарайды.`,
  },
  // norm/constitution-kk#47
  {
    lang: 'kk',
    unit: 'article',
    number: '47',
    heading: '47-бап. Төтенше жағдай',
    text: `47-бап. Төтенше жағдай
1. Азаматтардың қауіпсіздігіне, [place|Республиканың] тәуелсіздігіне немесе тұтастығына елеулі және тікелей қатер төнген кезде [organisation|Президент] [organisation|Премьер-Министрмен] және палаталардың төрағаларымен консультациялардан кейін төтенше жағдай енгізеді және бұл туралы [organisation|Парламентке] дереу хабарлайды.
2. Төтенше жағдай [amount:30 day|отыз күннен] аспайтын мерзімге енгізіледі. Оны ұзартуға тек [organisation|Парламенттің] келісімімен және әр жолы [amount:30 day|отыз күннен] аспайтын мерзімге жол беріледі.
3. Төтенше жағдай енгізу туралы жарлықты [organisation|Өкілдер палатасы] [amount:72 hour|жетпіс екі сағат] ішінде мақұлдамаса, ол күшін жояды.
4. Төтенше жағдай кезінде сайлау мен референдум өткізілмейді және [law|Конституция] өзгертілмейді.`,
  },
];
