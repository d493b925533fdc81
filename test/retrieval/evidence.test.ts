import { describe, expect, test } from 'vitest';
import { covers, enough, gap, matchPassage, threshold, weigh } from '../../src/retrieval/evidence.ts';
import { opposed, turned } from '../../src/retrieval/polarity.ts';
import { analyseQuestion, isNegated, questionStems } from '../../src/retrieval/question.ts';
import { score } from '../../src/retrieval/sentence-scoring.ts';
import { stem, words } from '../../src/text/words.ts';

const question = (text: string) => analyseQuestion(text, { documents: 100, df: new Map() });

describe('a question', () => {
  test('has its content stems once, its numbers, names and type', () => {
    const asked = question('Когда мост в Заречье закрыли на 12 дней, а мост?');
    expect(asked.terms.map((term) => term.stems[0])).toEqual(
      ['мост', 'заречье', 'закрыли', '12', 'дней'].map(stem),
    );
    expect(asked.numbers).toEqual(['12']);
    expect(asked.names).toEqual([stem('заречье')]);
    expect(asked.type).toBe('date');
    expect(question('Қанша депутат бар?').type).toBe('number');
    expect(question('Who built it?').type).toBe('person');
    expect(question('Қайда орналасқан?').type).toBe('place');
    expect(question('Как устроен мост?').type).toBeNull();
  });

  test('requires the whole of a hyphened word, and names the index does not know', () => {
    expect(question('Кого избирает вице-мэр?').compounds).toEqual([['вице', 'мэр'].map(stem)]);
    expect(question('Кто выбрал HTTP-метод?').compounds).toEqual([]);
    expect(question('Кто назначает мэра США?').strangers).toEqual([stem('сша')]);
    expect(question('Когда родился Иван Петрович Сидоров?').strangers).toHaveLength(3);
    const known = { documents: 100, df: new Map([[stem('сидоров'), 3]]) };
    expect(analyseQuestion('Когда родился Иван Петрович Сидоров?', known).strangers).toEqual([]);
    expect(question('Қырғызстанда сайлау бар ма?').strangers).toEqual([stem('қырғызстанда')]);
  });

  test('names the noun that belongs to a capital adjective', () => {
    expect(question('Сколько мест в Городском совете мэрии?').names).toEqual(
      ['городском', 'совете'].map(stem),
    );
  });

  test('of stop words only keeps them', () => {
    expect(questionStems('что это')).toEqual(['что', 'это'].map(stem));
  });

  test('a misspelt word is met by the word that stands in for it', () => {
    const asked = analyseQuestion('паромма', {
      documents: 10,
      df: new Map([[stem('паром'), 2]]),
      corrections: [{ stem: stem('паромма'), known: [stem('паром')] }],
    });
    const reading = matchPassage(asked, '', 'Паром ходит летом.', 1);
    expect(reading.sentences[0]!.share).toBe(1);
    expect(asked.terms[0]!.weight).toBeCloseTo(Math.log(1 + 8.5 / 2.5), 10);
  });
});

describe('covers', () => {
  test.each([
    ['мост', 'мост', true],
    ['мост', 'мосты', false],
    ['назнача', 'назначен', true],
    ['назнача', 'назва', false],
    ['elect', 'electricity', false],
    ['electoral', 'elector', true],
  ])('%s by %s: %s', (term, word, expected) => {
    expect(covers(term, word)).toBe(expected);
  });
});

describe('evidence', () => {
  test('is what the best sentence and passage cover, and how far they are ahead', () => {
    const asked = question('красный мост');
    const readings = [
      matchPassage(asked, 'Мост', 'Он красный. Стоит давно.', 4),
      matchPassage(asked, '', 'Лес.', 2),
    ];
    const evidence = weigh(asked, readings, [4, 2, 2]);
    expect(evidence.sentence).toBeCloseTo(1, 10);
    expect(evidence.passage).toBeCloseTo(1, 10);
    expect(evidence.gap).toBe(0.5);
    expect(evidence.terms).toBe(2);
  });

  test('each of them raises the score', () => {
    const scored = (query: string, text: string, scores: readonly number[] = [4, 2]) => {
      const asked = question(query);
      return weigh(asked, [matchPassage(asked, '', text, 4)], scores).score;
    };
    const whole = scored('красный мост', 'Мост красный.');
    expect(whole).toBeGreaterThan(scored('красный мост', 'Мост старый. Стоит давно, он красный.'));
    expect(whole).toBeGreaterThan(scored('красный мост', 'Мост старый.'));
    expect(whole).toBeGreaterThan(scored('красный мост', 'Мост красный.', [4, 4]));
    expect(whole).toBeGreaterThan(scored('мост', 'Мост красный.'));
  });

  test('a missing number and a missing name count against it, polarity is only told', () => {
    const asked = question('Сколько лет служит мэр Рыбного после 40 лет?');
    const read = (text: string) => weigh(asked, [matchPassage(asked, '', text, 1)], [1]);
    const evidence = read('Мэр служит пять лет до 30 лет.');
    expect(evidence).toMatchObject({
      missingNumbers: ['40'],
      missingNames: [stem('рыбного')],
      missing: true,
      polarity: true,
      gap: 1,
    });
    // More than the word itself is worth, which raises what is covered.
    const number = read('Мэр служит пять лет до 40 лет.').score - evidence.score;
    const name = read('Мэр Рыбного служит пять лет до 30 лет.').score - evidence.score;
    const word = read('Мэр служит пять лет до 30 лет после.').score - evidence.score;
    expect(Math.min(number, name)).toBeGreaterThan(1);
    expect(word).toBeLessThan(1);
    expect(read('Мэр служит пять лет после 30 лет.')).toMatchObject({ polarity: false });
  });

  test('gap: 0 for nothing, 1 for a single passage', () => {
    expect([gap([]), gap([3]), gap([3, 3]), gap([4, 1, 1])]).toEqual([0, 1, 0, 0.75]);
  });

  test('the threshold is lower where titles do not tell passages apart', () => {
    expect(threshold(['', '', ''])).toBeLessThan(threshold(['a', 'b', 'c']));
    expect(threshold(['a', 'a', 'a'])).toBe(threshold(['', '', '']));
    const evidence = weigh(question('слон'), [matchPassage(question('слон'), '', 'Лес шумит.', 1)], [1, 1]);
    expect(enough(evidence, threshold(['a', 'b']))).toBe(false);
  });
});

describe('polarity', () => {
  const says = (asked: string, sentence: string) => opposed(words(asked), words(sentence));
  test.each([
    ['Кто не может стать мэром?', 'Мэром становится житель города.', true],
    ['Кто не может стать мэром?', 'Судья не может стать мэром.', false],
    ['Что было до реформы?', 'После реформы налог вырос.', true],
    ['Which river is the longest?', 'It is the shortest river of the land.', true],
    ['Is the office compatible?', 'The office is incompatible with trade.', true],
    ['Which river is long?', 'The long river flows north.', false],
  ])('%s / %s: %s', (asked, sentence, expected) => {
    expect(says(asked, sentence)).toBe(expected);
  });

  test('negation in three languages', () => {
    expect(['не знает', "doesn't know", 'рұқсат жоқ', 'знает'].map((text) => isNegated(words(text)))).toEqual(
      [true, true, true, false],
    );
  });
});

describe('extraction', () => {
  test('the type of answer decides between sentences that share as many words', () => {
    const asked = question('Когда построили мост?');
    const text = 'Мост построили рабочие. Мост построили в 1932 году.';
    const best = score(asked, [matchPassage(asked, '', text, 1)])[0]!;
    expect(text.slice(best.start, best.end)).toBe('Мост построили в 1932 году.');
  });

  test('a better passage leads where sentences are alike, and all that were read count', () => {
    const asked = question('высокий мост');
    const readings = [3, 2, 2, 2, 2, 2].map((one) => matchPassage(asked, '', 'Высокий мост.', one));
    expect(score(asked, readings).map((one) => one.passage)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

test.each([
  ['How long can he stay with a permit?', 'Without a permit he may stay two days.', true],
  ['How long can he stay without a permit?', 'Without a permit he may stay two days.', false],
  ['Can he stay with a permit?', 'Without a permit two days, with a permit ten.', false],
  ['Можно ли войти по решению суда?', 'Без решения суда войти нельзя.', true],
  ['Рұқсатпен кіруге бола ма?', 'Рұқсатсыз кіруге болмайды.', true],
  ['Кто входит с мэром?', 'Без стука не входят.', false],
])('%s / %s: turned %s', (asked, said, expected) => {
  expect(turned(words(asked), words(said))).toBe(expected);
});
