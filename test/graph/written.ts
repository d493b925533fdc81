/**
 * Texts written and labelled before the extraction was run on them, and then used to make it better. The notation is that
 * of labels.ts.
 */
import type { Labelled } from './labels.ts';

export const written: Labelled[] = [
  {
    lang: 'ru',
    text: `Договор заключён [date:2023-03-14|14 марта 2023 года] в городе [place|Алматы] между товариществом «[organisation|Северный мост]» (далее — [term|Поставщик]) в лице директора [person|Сергея Петровича Ковалёва] и [organisation|Министерством финансов Республики Казахстан] (далее — [term|Заказчик]).`,
  },
  {
    lang: 'ru',
    text: `Согласно [provision:article 15, point 3|пункту 3 статьи 15] [law|Закона Республики Казахстан «О государственных закупках»] цена договора не превышает [amount:12000000 kzt|12 млн тенге], а пеня составляет [amount:0.1 percent|0,1 %] за каждый день.`,
  },
  {
    lang: 'ru',
    text: `[person|В. И. Орлова], заместитель министра, сообщила, что [organisation|Национальный банк] повысил ставку до [amount:14.25 percent|14,25 процента] с [date:2024-07-01|1 июля 2024 года].`,
  },
  {
    lang: 'ru',
    text: `Под [term|коммерческой тайной] понимаются сведения, названные в [provision:article 7;article 8|статьях 7 и 8] настоящих [law|Правил].`,
  },
  {
    lang: 'ru',
    text: `[person|Тимур Сулейменов] и [person|Ольга Ким] выступили на форуме в [place|Астане]; [person|Сулейменов] рассказал о программе «[document|Чистый воздух]».`,
  },
  {
    lang: 'ru',
    text: `[organisation|Центральная избирательная комиссия] ([organisation|ЦИК]) зарегистрировала партию «[organisation|Родник]» [date:--02-05|5 февраля]. В [place|Карагандинской области] [organisation|ЦИК] открыла 40 участков на площади [amount:1200 square metre|1200 квадратных метров].`,
  },
  {
    lang: 'ru',
    text: `По [law|Регламенту (ЕС) 2016/679] штраф достигает [amount:20000000 eur|двадцати миллионов евро]. Суд сослался на [provision:article 9, point 1, subpoint 2|подпункт 2) пункта 1 статьи 9] и на [provision:chapter 3|главу 3].`,
  },
  {
    lang: 'ru',
    text: `Завод на реке [place|Иртыш] выпускает [amount:3000 tonne|три тысячи тонн] в месяц. Профессор [person|Айгуль Нурланова] из [organisation|Евразийского университета] изучает озеро [place|Балхаш].`,
  },
  {
    lang: 'ru',
    text: `[organisation|Президент Республики Кенсай] [person|Алдияр Кенесбек] подписал [law|Указ № 45] от [date:2022-05-03|3 мая 2022 года]. [organisation|Президент Франции] прибыл в [place|Казахстан].`,
  },
  {
    lang: 'en',
    text: `This [law|Agreement] is made on [date:2022-04-03|3 April 2022] between [organisation|Northgate Logistics Ltd] (hereinafter the [term|Carrier]) and the [organisation|Ministry of Transport of Kensai].`,
  },
  {
    lang: 'en',
    text: `Under [provision:article 7, point 2|Article 7(2)] of [law|Regulation (EU) 2016/679], consent may be withdrawn within [amount:30 day|30 days]. See also [provision:section 4|Section 4] and [provision:article 9, paragraph 2|paragraph 2 of Article 9].`,
  },
  {
    lang: 'en',
    text: `Dr [person|Helen Marsh] of [organisation|Oxford University] met [organisation|Prime Minister] [person|Marina Tulepova] in [place|London] on Monday.`,
  },
  {
    lang: 'en',
    text: `“[term|Personal data]” means any information about a person. The company paid [amount:5000000 usd|$5 million], or [amount:4 percent|4 per cent] of its turnover, in [date:2021|2021].`,
  },
  {
    lang: 'en',
    text: `The [organisation|World Health Organization] ([organisation|WHO]) published its report “[document|Clean Water for All]” in [date:2020-03|March 2020]. [organisation|WHO] staff travelled [amount:350 kilometre|350 kilometres] along the river [place|Nile].`,
  },
  {
    lang: 'en',
    text: `[person|J. R. Hartley] wrote to the [organisation|Supreme Court of Canada] about the [law|Data Protection Act 2018]. [person|Hartley] lives in the town of [place|Banff], [place|Alberta].`,
  },
  {
    lang: 'en',
    text: `Employees receive [amount:25 day|twenty-five days] of leave; [person|Anna Petrova], [organisation|Head of Finance], approves requests. [provision:article 11;article 12|Articles 11 and 12] of the [law|Labour Code] apply.`,
  },
  {
    lang: 'en',
    text: `By the end of [date:2030|2030] the [organisation|Government] will plant [amount:2000 hectare|2,000 hectares] of forest near [place|Lake Victoria].`,
  },
  {
    lang: 'kk',
    text: `Шарт [date:2023-03-14|2023 жылғы 14 наурызда] [place|Алматы] қаласында «[organisation|Солтүстік көпір]» серіктестігі (бұдан әрі – [term|Жеткізуші]) мен [organisation|Қазақстан Республикасының Қаржы министрлігі] арасында жасалды.`,
  },
  {
    lang: 'kk',
    text: `Осы [law|Кодекстің] [provision:article 15, point 3|15-бабының 3-тармағына] сәйкес айыппұл [amount:50000 kzt|50 000 теңгеден] аспайды.`,
  },
  {
    lang: 'kk',
    text: `[organisation|Премьер-Министр] [person|Әлихан Смайылов] [place|Қарағанды облысына] барып, [amount:120 kilometre|120 шақырым] жол салынатынын айтты.`,
  },
  {
    lang: 'kk',
    text: `[term|Жеке деректер] дегеніміз – адам туралы мәліметтер. [organisation|Ұлттық Банк] мөлшерлемені [date:2024-07-01|2024 жылғы 1 шілдеден] бастап [amount:14 percent|он төрт пайызға] көтерді.`,
  },
  {
    lang: 'kk',
    text: `[person|Айгүл Нұрланова] [organisation|Еуразия университетінде] «[document|Таза су]» бағдарламасы туралы баяндама жасады.`,
  },
  {
    lang: 'kk',
    text: `[provision:article 7, point 2|7-баптың 2-тармағында] және [provision:article 9|9-бапта] көрсетілген мерзім [amount:15 day|он бес күн]. [organisation|Парламент Мәжілісі] заңды [date:--05-12|12 мамырда] қабылдады.`,
  },
  {
    lang: 'kk',
    text: `[person|Б. Сейітов] [place|Ертіс] өзені мен [place|Балқаш] көлін зерттейді. [organisation|Конституциялық Сот Төрағасы] [place|Астанада] [organisation|Франция елшісін] қабылдады.`,
  },
  {
    lang: 'ru',
    text: `Вчера в [place|Нуртау] открылся съезд врачей. [organisation|Министр здравоохранения] [person|Олег Сергеевич Латыпов] сообщил, что за [amount:3 year|три года] построено сорок больниц, а расходы выросли на [amount:18 percent|18 процентов]. По его словам, [organisation|Министерство здравоохранения] просит у [organisation|Парламента] ещё [amount:2500000000 kens|2,5 млрд кенсов].`,
  },
  {
    lang: 'ru',
    text: `Работник обязан уведомить отдел кадров не позднее чем за [amount:14 day|14 дней]. Порядок увольнения установлен [provision:article 49|статьёй 49] [law|Трудового кодекса]. При споре применяется [provision:chapter 5|глава 5] настоящего [law|Положения].`,
  },
  {
    lang: 'ru',
    text: `ООО «[organisation|Рассвет]» (далее — [term|Исполнитель]) передаёт заказчику 120 стульев весом [amount:600 kilogram|600 кг] по акту от [date:2021-09-15|15.09.2021].`,
  },
  {
    lang: 'ru',
    text: `Решение подписали [person|Е. Н. Соколова] и [person|Петров И. А.]. [person|Соколова] напомнила, что [law|Конституция] допускает такой порядок в силу [provision:article 12, point 3;article 12, point 4|пунктов 3 и 4 статьи 12].`,
  },
  {
    lang: 'ru',
    text: `В [date:2019-03|марте 2019 года] [organisation|Верховный суд Республики Казахстан] рассмотрел жалобу жителей [place|Павлодара]. Суд опирался на [law|Закон «О защите прав потребителей»] и [law|Постановление № 7].`,
  },
  {
    lang: 'ru',
    text: `[organisation|Государственная дума] приняла закон. Депутаты [organisation|Государственной думы] обсуждали его с [date:2020-10-01|1 октября 2020 года]. Статью о нём напечатала газета «[organisation|Новое время]».`,
  },
  {
    lang: 'ru',
    text: `Дорога длиной [amount:75 kilometre|75 км] соединит [place|Темирсай] и [place|Кокпар]. Её строит компания «[organisation|Путь]», за что отвечает [organisation|Комитет автомобильных дорог].`,
  },
  {
    lang: 'ru',
    text: `Для целей [provision:section 2|раздела 2] под [term|лёгким транспортом] понимается велосипед. Скорость не выше [amount:25 kilometre|двадцати пяти километров] в час проверяет полиция [place|Алматинской области].`,
  },
  {
    lang: 'en',
    text: `Yesterday [organisation|President] [person|Aldiyar Kenesbek] opened a bridge over the river [place|Karakem]. It is [amount:1200 metre|1,200 metres] long and cost [amount:3000000000 kens|three billion kens].`,
  },
  {
    lang: 'en',
    text: `A tenant gives notice of [amount:2 month|two months] under [provision:section 12|Section 12]. The [law|Housing Act] does not apply to rooms smaller than [amount:9 square metre|9 square metres].`,
  },
  {
    lang: 'en',
    text: `“[term|Working day]” means any day except Saturday and Sunday. In the cases named in [provision:article 5;article 6;article 7|Articles 5 to 7] the period is [amount:10 day|ten days].`,
  },
  {
    lang: 'en',
    text: `[person|Maria Lopez] joined the [organisation|Ministry of Finance] in [date:2015|2015]. [person|Lopez] now heads the [organisation|Central Bank of Kensai], where she succeeded [person|T. Brown] on [date:2021-01-04|4 January 2021].`,
  },
  {
    lang: 'en',
    text: `The [organisation|European Court of Human Rights] ([organisation|ECHR]) sits in [place|Strasbourg], [place|France]. In June the [organisation|ECHR] quoted [provision:article 8|Article 8] of the [law|Convention].`,
  },
  {
    lang: 'en',
    text: `[organisation|Acme Tools] promises a refund within [amount:30 day|30 days]. Questions go to [organisation|Acme Tools Inc], [place|Boston]; complaints are heard by the [organisation|Commissioner for Consumer Rights].`,
  },
  {
    lang: 'en',
    text: `According to the report “[document|Rivers of the East]”, the flow of the [place|Kem River] fell by [amount:12.5 percent|12.5%] between [date:2001|2001] and [date:2011|2011].`,
  },
  {
    lang: 'kk',
    text: `Кеше [place|Нұртауда] дәрігерлердің съезі ашылды. [organisation|Денсаулық сақтау министрлігі] [amount:3 year|үш жыл] ішінде қырық аурухана салды. Шығын [amount:18 percent|18 пайызға] өсті.`,
  },
  {
    lang: 'kk',
    text: `Жұмыскер [amount:14 day|14 күн] бұрын хабарлайды. Тәртіп [law|Еңбек кодексінің] [provision:article 49|49-бабында] және осы [law|Ереженің] [provision:chapter 5|5-тарауында] белгіленген.`,
  },
  {
    lang: 'kk',
    text: `Шешімге [person|Е. Соколова] мен [person|Қайрат Әбенов] қол қойды. [person|Әбенов] [organisation|Жоғарғы Сотта] [date:2019|2019 жылдан] бері істейді.`,
  },
  {
    lang: 'kk',
    text: `«[organisation|Таң]» жауапкершілігі шектеулі серіктестігі (бұдан әрі – [term|Орындаушы]) [date:2021-09-15|2021 жылғы 15 қыркүйекте] [amount:600 kilogram|600 кг] жүк жеткізді.`,
  },
  {
    lang: 'kk',
    text: `Ұзындығы [amount:75 kilometre|75 шақырым] жол [place|Темірсай] мен [place|Көкпарды] қосады. Оны [place|Көкпар облысының] әкімдігі салады, құны [amount:4000000000 kens|төрт миллиард кенс].`,
  },
  {
    lang: 'kk',
    text: `[term|Жұмыс күні] дегеніміз – сенбі мен жексенбіден басқа күн. [provision:article 5, point 1|5-баптың 1-тармағы] мерзімді [amount:10 day|он күн] деп белгілейді.`,
  },
  {
    lang: 'kk',
    text: `[organisation|Президент] [person|Алдияр Кеңесбек] [place|Каракем] өзенінің көпірін ашты. Көпірдің құрылысын [organisation|Ұлттық Банк] пен [organisation|Үкімет] қаржыландырды.`,
  },
];
