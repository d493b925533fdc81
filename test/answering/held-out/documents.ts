/**
 * Documents on other topics than the samples, invented for these cases and never used to tune a rule. They show what to
 * expect for unseen documents.
 */
export const documents: Record<'ru' | 'kk' | 'en', { file: string; text: string }> = {
  ru: {
    file: 'recipes.md',
    text: `# Домашняя пекарня

## Ржаной хлеб на закваске

Закваску кормят накануне вечером равными частями муки и воды и оставляют при комнатной температуре на двенадцать часов. Тесто замешивают из пятисот граммов ржаной муки, трёхсот пятидесяти граммов воды и двухсот граммов закваски. Хлеб выпекают пятьдесят минут при температуре двести двадцать градусов. Готовую буханку режут не раньше, чем через сутки.

## Сырники

Для сырников берут творог жирностью девять процентов, одно яйцо и две ложки муки. Сахар кладут по вкусу. Жарят сырники на топлёном масле по три минуты с каждой стороны.

## Яблочный пирог

Яблоки сорта антоновка очищают и режут тонкими дольками. Форму смазывают сливочным маслом и посыпают сухарями. Пирог стоит в духовке сорок минут. Подают его с ванильным мороженым.

## Хранение

Свежий хлеб хранят в льняном мешке до четырёх дней. Сырники замораживают на срок до двух месяцев. Пирог с яблоками в холодильник не ставят.
`,
  },
  kk: {
    file: 'reading-room.md',
    text: `# Ауылдық кітапхананың ережесі

## Жұмыс уақыты

Кітапхана дүйсенбіден жұмаға дейін сағат оннан кешкі жетіге дейін ашық. Сенбі күні кітапхана сағат үшке дейін жұмыс істейді. Жексенбі — демалыс күні.

## Кітап беру

Оқырманға бір мезгілде бес кітап беріледі. Кітап он төрт күнге беріледі. Мерзімді телефон арқылы бір рет ұзартуға болады. Сирек кітаптар үйге берілмейді, олар тек оқу залында оқылады.

## Айыппұл

Кітапты кешіктірген оқырман әр күн үшін жиырма теңге төлейді. Жоғалған кітаптың орнына сол кітаптың жаңа данасы әкелінеді.

## Балалар бөлмесі

Балалар бөлмесі екінші қабатта орналасқан. Он жасқа дейінгі балалар бөлмеге ересек адаммен бірге кіреді.
`,
  },
  en: {
    file: 'dehumidifier.md',
    text: `# Dryden D40 dehumidifier: owner's manual

## Placing the unit

Place the unit on a level floor, at least thirty centimetres away from walls and curtains. Do not use it in rooms colder than five degrees Celsius. Let the unit stand upright for two hours before it is switched on for the first time.

## Emptying the tank

The tank holds four litres. When it is full, the red lamp lights up and the compressor stops. Pull the tank out slowly, pour the water away and push it back until it clicks. The water is not fit for drinking.

## Cleaning the filter

Wash the filter with lukewarm water every two weeks. Never use solvents. A filter that is torn is replaced by part number DF-12.

## Faults

If the display shows E3, the humidity sensor is disconnected. If the unit is loud, check that it stands level. The warranty lasts three years from the day of purchase.
`,
  },
};

export interface HeldOutCase {
  q: string;
  /** Text of the answer; null if the document has no answer. */
  has: string | null;
}

export const cases: Record<'ru' | 'kk' | 'en', HeldOutCase[]> = {
  ru: [
    { q: 'Сколько минут выпекают ржаной хлеб?', has: 'пятьдесят минут' },
    { q: 'При какой температуре пекут ржаной хлеб?', has: 'двести двадцать градусов' },
    { q: 'Какой творог нужен для сырников?', has: 'девять процентов' },
    { q: 'На чём жарят сырники?', has: 'топлёном масле' },
    { q: 'Сколько времени стоит в духовке яблочный пирог?', has: 'сорок минут' },
    { q: 'С чем подают яблочный пирог?', has: 'ванильным мороженым' },
    { q: 'В чём хранят свежий хлеб?', has: 'льняном мешке' },
    { q: 'Когда можно резать готовую буханку?', has: 'через сутки' },
    { q: 'Сколько стоит билет на поезд до Самары?', has: null },
    { q: 'Кто открыл пенициллин?', has: null },
  ],
  kk: [
    { q: 'Кітап неше күнге беріледі?', has: 'он төрт күнге' },
    { q: 'Оқырманға бір мезгілде неше кітап беріледі?', has: 'бес кітап' },
    { q: 'Балалар бөлмесі қай қабатта орналасқан?', has: 'екінші қабатта' },
    { q: 'Кітапты кешіктірген оқырман қанша төлейді?', has: 'жиырма теңге' },
    { q: 'Сирек кітаптар қайда оқылады?', has: 'оқу залында' },
    { q: 'Кітапхана сенбі күні сағат нешеге дейін жұмыс істейді?', has: 'сағат үшке дейін' },
    { q: 'Жоғалған кітаптың орнына не әкелінеді?', has: 'жаңа данасы' },
    { q: 'Футбол матчында кім жеңді?', has: null },
  ],
  en: [
    { q: 'How much water does the tank hold?', has: 'four litres' },
    { q: 'How often should the filter be washed?', has: 'every two weeks' },
    { q: 'What does E3 on the display mean?', has: 'humidity sensor is disconnected' },
    { q: 'How long is the warranty?', has: 'three years' },
    { q: 'Can I drink the water from the tank?', has: 'not fit for drinking' },
    { q: 'Which part replaces a torn filter?', has: 'DF-12' },
    { q: 'What should I check if the unit is loud?', has: 'stands level' },
    { q: 'Who won the chess tournament in Oslo?', has: null },
    { q: 'What is the capital of Portugal?', has: null },
  ],
};
