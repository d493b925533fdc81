import { describe, expect, test } from 'vitest';
import { analyseQuestion, isNegated, questionStems } from '../../src/reading/analysed-question.ts';
import { kindsAskedFor, positionsOf } from '../../src/reading/answer-kinds.ts';
import { gap, weigh } from '../../src/reading/evidence.ts';
import { covers, matchPassage } from '../../src/reading/matching.ts';
import {
  type DescribedPassage,
  describe as describeSentence,
  sentenceFeatures,
} from '../../src/reading/sentence-features.ts';
import { scoreSentences } from '../../src/reading/sentence-model.ts';
import { stem, words } from '../../src/text/words.ts';

const question = (text: string) => analyseQuestion(text, { documents: 100, df: new Map() });

/** A passage with only a title and text. */
function passage(
  asked: ReturnType<typeof question>,
  title: string,
  text: string,
  score: number,
): DescribedPassage {
  return {
    match: matchPassage(asked, title, text, score),
    opens: false,
    isPair: false,
    ownLanguage: true,
    isProvision: false,
  };
}

describe('a question', () => {
  test('has each content stem once, and its numbers, names and kind', () => {
    const asked = question('Когда мост в Заречье закрыли на 12 дней, а мост?');
    expect(asked.terms.map((term) => term.stems[0])).toEqual(
      ['мост', 'заречье', 'закрыли', '12', 'дней'].map(stem),
    );
    expect(asked.numbers.map(({ written }) => written)).toEqual(['12']);
    expect(asked.names).toEqual([stem('заречье')]);
    expect(asked.kinds).toEqual(['date']);
    expect(question('Қанша депутат бар?').kinds).toEqual(['number']);
    expect(question('Who built it?').kinds).toEqual(['person']);
    expect(question('Қайда орналасқан?').kinds).toEqual(['place']);
    expect(question('Высокий мост').kinds).toEqual([]);
  });

  test('may ask for a duration or for a list of grounds', () => {
    expect(question('За какое время чинят мост?').kinds).toEqual(['duration']);
    expect(question('In what cases is the bridge closed?').kinds).toContain('list');
    expect(question('Основания закрытия моста').kinds).toEqual(['list']);
  });

  test('includes the noun after a capitalised adjective in the name', () => {
    expect(question('Сколько мест в Городском совете мэрии?').names).toEqual(
      ['городском', 'совете'].map(stem),
    );
  });

  test('has a counted noun only if it asks how many there are', () => {
    expect(question('Сколько существует палат?').counted).toBe(stem('палат'));
    expect(question('Бюджет тапшылығы қанша болуы мүмкін?').counted).toBeNull();
  });

  test('keeps its stop words if it has no other words', () => {
    expect(questionStems('что это')).toEqual(['что', 'это'].map(stem));
  });

  test('is matched through the correction of a misspelt word', () => {
    const asked = analyseQuestion('паромма', {
      documents: 10,
      df: new Map([[stem('паром'), 2]]),
      corrections: [{ stem: stem('паромма'), known: stem('паром'), isSame: false }],
    });
    const reading = matchPassage(asked, '', 'Паром ходит летом.', 1);
    expect(reading.sentences[0]!.share).toBe(1);
    expect(asked.terms[0]!.weight).toBeCloseTo(Math.log(1 + 8.5 / 2.5), 10);
  });
});

describe('a Kazakh word written without Kazakh letters', () => {
  test('matches all its forms in a Kazakh passage, by Kazakh stemming', () => {
    const asked = analyseQuestion(
      'Сотта неше судья бар?',
      { documents: 100, df: new Map() },
      new Set(),
      'kk',
    );
    expect(asked.terms[0]!.stems).toEqual(['сотт', 'сот']);
    const own = (lang: 'kk' | null) =>
      matchPassage(asked, '', 'Сот тоғыз судьядан тұрады.', 1, 0, lang).sentences[0]!.own;
    expect(own('kk')).toBe(1);
    const inRussian = question('Сотта неше судья бар?');
    expect(matchPassage(inRussian, '', 'Сот тоғыз судьядан тұрады.', 1).sentences[0]!.own).toBeLessThan(1);
  });

  test('is recognised as a name in all its forms', () => {
    const asked = analyseQuestion('Мына Сотта не бар?', { documents: 9, df: new Map() }, new Set(), 'kk');
    expect(asked.names).toEqual(['сот']);
    expect(matchPassage(asked, '', 'Сот ашық.', 1, 0, 'kk').named).toBe(true);
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

describe('the match between a passage and a question', () => {
  test("covers a sentence's own words, those of its headings, and those of its list introduction", () => {
    const asked = question('красный мост ремонт');
    const { sentences } = matchPassage(
      asked,
      'Ремонт',
      'Красный мост закрыт:\n– на зиму;\n– летом мост открыт.',
      1,
    );
    expect(sentences.map(({ kind, own, share }) => [kind, own > 0.6, share > 0.9])).toEqual([
      ['sentence', true, true],
      ['item', false, true],
      ['item', false, true],
    ]);
    expect(sentences.map(({ own }) => own)[1]).toBe(0);
  });

  test('excludes headings, questions and captions as answers', () => {
    const text = 'Мост\n\nГде мост? Мост стоит в городе у реки.';
    const found = matchPassage(question('мост'), '', text, 1).sentences.map((one) =>
      text.slice(one.start, one.end),
    );
    expect(found).toEqual(['Мост стоит в городе у реки.']);
  });
});

describe('kinds of answer', () => {
  test.each([
    ['сколько лет правит мэр?', ['duration']],
    ['how many seats are there?', ['number']],
    ['сколько ему должно быть лет?', ['age']],
    ['how old must a pilot be?', ['age']],
    ['үміткер неше жаста болуы керек?', ['age']],
    ['требования к лоцману', ['fitness']],
    ['сколько стоит проезд?', ['money']],
    ['неліктен көпір жабық?', ['reason']],
    ['what is a quorum?', ['number', 'definition']],
    ['where is the bridge?', ['place']],
    ['рынок города', []],
  ])('%s: %j', (asked, kinds) => {
    expect(kindsAskedFor(asked)).toEqual(expect.arrayContaining(kinds));
    expect(kindsAskedFor(asked).length === 0).toBe(kinds.length === 0);
  });

  const nothing = () => false;
  const places = (kind: Parameters<typeof positionsOf>[0], text: string) =>
    positionsOf(kind, { text, words: words(text) }, nothing);
  test('a number is a duration only if it has a unit of time', () => {
    expect(places('duration', 'Служит шесть лет.')).toEqual([1]);
    expect(places('duration', 'Служат шесть судей.')).toEqual([]);
    expect(places('money', 'Проезд стоит 300 тенге.')).toEqual([2]);
    expect(places('number', 'Тоғыз судьядан тұрады.')).toEqual([0]);
    expect(places('age', 'Лоцману не старше сорока лет.')).toEqual([3]);
    expect(places('duration', 'Лоцману не старше сорока лет.')).toEqual([]);
    expect(places('reason', 'Закрыт, потому что холодно.').length).toBe(1);
    expect(places('date', 'Открыт 5 мая 2019 года.').length).toBeGreaterThan(0);
  });

  test('words of the question are not an answer to it', () => {
    const asked = question('Кто заменил Петрова?');
    const text = 'Вместо Петрова избран Сидоров.';
    const mine = { text, words: words(text) };
    const own = (word: string) => stem(word) === stem('петрова');
    expect(asked.kinds).toEqual(['person']);
    expect(positionsOf('person', mine, own)).toEqual([3]);
  });
});

describe('evidence', () => {
  const weighed = (asked: ReturnType<typeof question>, title: string, text: string) =>
    weigh(asked, [passage(asked, title, text, 1)], [1], null);

  test('rises with shared words, and falls with a missing number or name', () => {
    const asked = question('красный мост');
    const passages = [passage(asked, 'Мост', 'Он красный. Стоит давно.', 4), passage(asked, '', 'Лес.', 2)];
    const evidence = weigh(asked, passages, [4, 2, 2], null);
    expect(evidence.features).toMatchObject({ sentence: 1, gap: 0.5 });
    expect(evidence.score).toBeGreaterThan(weigh(asked, passages.slice(1), [2, 2], null).score);
    const other = weighed(
      question('Сколько лет служит мэр Рыбного после 40 лет?'),
      '',
      'Мэр служит пять лет до 30 лет.',
    );
    expect(other).toMatchObject({ missingNumbers: ['40'], missingNames: [stem('рыбного')] });
    expect(other.features).toMatchObject({ numberMissing: 1, nameMissing: 1 });
    expect(other.features.absent).toBeGreaterThan(0);
  });

  test('does not support a negated question with a statement without a negation', () => {
    const asked = question('Кто не может стать мэром?');
    const unnegated = (text: string) => weighed(asked, '', text).features.unnegated;
    expect(unnegated('Мэром становится житель города.')).toBe(1);
    expect(unnegated('Судья не может стать мэром.')).toBe(0);
  });

  test('has a gap of 0 for no passages and 1 for a single passage', () => {
    expect([gap([]), gap([3]), gap([3, 3]), gap([4, 1, 1])]).toEqual([0, 1, 0, 0.75]);
  });
});

describe('lists and negation', () => {
  test('a whole list is an answer to "how" and "which", unless it lists the points of a provision', () => {
    const text = 'Ferry\n\n1. Open the gate.\n2. Cast off the ferry.\n3. Close the gate.';
    const answered = (query: string, isProvision: boolean) => {
      const asked = question(query);
      return scoreSentences(asked, [{ ...passage(asked, 'Ferry', text, 1), isProvision }]).sentences;
    };
    expect(answered('How do I cast off the ferry?', false).map(({ whole }) => whole)).toEqual([true]);
    expect(answered('How do I cast off the ferry?', true)).toHaveLength(3);
    expect(answered('Who may cast off the ferry?', false).some(({ whole }) => whole)).toBe(false);
    const ways = text.replaceAll(/\d\./g, '–');
    const alone = question('How do I cast off the ferry?');
    const [first] = scoreSentences(alone, [passage(alone, 'Pier', ways, 1)]).sentences;
    expect([first!.whole, ways.slice(first!.start, first!.end)]).toEqual([
      undefined,
      '– Cast off the ferry.',
    ]);
    const steps = `To leave, follow these steps:\n${text.slice(text.indexOf('1.'))}`;
    const asked = question('the ferry does not cast off');
    const { sentences } = scoreSentences(asked, [passage(asked, 'Ferry', steps, 1)]);
    expect(sentences.map(({ whole = false }) => whole).sort()).toEqual([false, true]);
  });

  test('negation is recognised in three languages', () => {
    expect(['не знает', "doesn't know", 'рұқсат жоқ', 'знает'].map((text) => isNegated(words(text)))).toEqual(
      [true, true, true, false],
    );
  });
});

describe('sentences', () => {
  const best = (asked: ReturnType<typeof question>, text: string) => {
    const [first] = scoreSentences(asked, [passage(asked, '', text, 1)]).sentences;
    return text.slice(first!.start, first!.end);
  };

  test('with equally many shared words are ranked by the kind of answer', () => {
    const text = 'Мост построили рабочие. Мост построили в 1932 году.';
    expect(best(question('Когда построили мост?'), text)).toBe('Мост построили в 1932 году.');
    expect(best(question('Сколько судей в суде?'), 'В суде 30 окон. В суде девять судей.')).toBe(
      'В суде девять судей.',
    );
  });

  test('define the term before a dash or a defining word', () => {
    const text = 'Субъект устава подписывает его. Устав - основной закон цеха.';
    expect(best(question('Что такое устав?'), text)).toBe('Устав - основной закон цеха.');
    const asked = question('Что такое устав?');
    const one = passage(asked, '', text, 1);
    const at = sentenceFeatures.indexOf('defines');
    expect([0, 1].map((n) => describeSentence(asked, one, { n, top: 1 })[at])).toEqual([0, 1]);
  });

  const valuesOf = (
    name: (typeof sentenceFeatures)[number],
    asked: ReturnType<typeof question>,
    text: string,
  ) => {
    const one = passage(asked, '', text, 1);
    const at = sentenceFeatures.indexOf(name);
    return one.match.sentences.map((_, n) => describeSentence(asked, one, { n, top: 1 })[at]);
  };

  test('gain nothing from repeating the question', () => {
    const asked = question('How is the bridge painted?');
    expect(valuesOf('nothingNew', asked, 'The bridge is painted. The bridge is painted green.')).toEqual([
      1, 0,
    ]);
  });

  test('inherit earlier context at any distance', () => {
    const asked = question('When was the bridge opened?');
    const text = 'The bridge was opened late. Nobody had hoped. It was in 1932.';
    expect(valuesOf('near', asked, text)[2]).toBe(0);
    expect(valuesOf('context', asked, text)).toEqual([1, 1, 1]);
  });

  test('may give a duration in any unit', () => {
    const asked = question('Сколько времени сохнет краска?');
    expect(asked.counted).not.toBeNull();
    expect(valuesOf('unitRight', asked, 'Краска сохнет три часа. Краска стоит три рубля.')).toEqual([1, 0]);
  });

  test('are ranked by passage if equally good, and cover all passages read', () => {
    const asked = question('высокий мост');
    const passages = [3, 2, 2, 2, 2, 2].map((one) => passage(asked, '', 'Высокий мост.', one));
    expect(scoreSentences(asked, passages).sentences.map((one) => one.passage)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('have a weight for every feature, and every feature is a number', () => {
    const asked = question('Когда построили мост?');
    const one = passage(asked, 'Мост', 'Мост построили в 1932 году.', 1);
    const features = describeSentence(asked, one, { n: 0, top: 1 });
    expect(features).toHaveLength(sentenceFeatures.length);
    expect([...features].every(Number.isFinite)).toBe(true);
    expect(Number.isFinite(scoreSentences(asked, [one]).sentences[0]!.score)).toBe(true);
  });
});

test('a single matching sentence is a more certain answer than one of several equally good ones', () => {
  const asked = question('When was the bridge built?');
  const certainty = (text: string) => {
    const read = [passage(asked, '', text, 1)];
    return weigh(asked, read, [1], scoreSentences(asked, read).first).features.certainty;
  };
  const alone = certainty('The bridge was built in 1932.');
  expect(alone).toBe(1);
  expect(certainty('The bridge was built in 1932. Carts pay two coins.')).toBeLessThan(alone);
  expect(certainty('The bridge was built in 1932. The bridge was built again in 1950.')).toBeLessThan(0.7);
});

test('a duration may be an answer to "when"', () => {
  const lacks = (text: string) => {
    const asked = question('When is the bridge closed?');
    const read = [passage(asked, '', text, 1)];
    return weigh(asked, read, [1], scoreSentences(asked, read).first).features.kindMissing;
  };
  expect(lacks('The bridge is closed by the council.')).toBe(1);
  expect(lacks('The bridge is closed two weeks after a storm.')).toBe(0);
});

test('a row defines the term in its first cell, and need not repeat the title', () => {
  const asked = question('What does DEGRADED mean for a ferry?');
  const values = (text: string) => {
    const read = passage(asked, 'States of a ferry', text, 1);
    return describeSentence(asked, read, { n: 0, top: 1 })[sentenceFeatures.indexOf('defines')]!;
  };
  expect(values('DEGRADED | One engine has stopped')).toBeGreaterThan(0.5);
  expect(values('The first | DEGRADED')).toBe(0);
});
