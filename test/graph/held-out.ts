/**
 * Texts written and labelled before the extraction was first run on them, to tell how it does on text it was not made
 * with. The notation is that of labels.ts.
 */
import type { Labelled } from './labels.ts';

export const heldOut: Labelled[] = [
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
];
