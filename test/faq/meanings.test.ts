/** Paraphrased questions: which ones a model may match, and which are excluded regardless of the model. */
import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/domain/events.ts';
import { Meanings } from '../../src/faq/meanings.ts';

const entry = (question: string) => ({ question });

describe('a model that considers all questions equal', () => {
  const meanings = new Meanings(async (texts) => texts.map(() => Float32Array.of(1)));
  const isSame = async (lang: Language, a: string, b: string) =>
    (await meanings.same(a, lang, [entry(b)])).length === 1 &&
    (await meanings.same(b, lang, [entry(a)])).length === 1;

  it.each<[Language, string, string]>([
    ['ru', 'На сколько дней выдаётся книга?', 'На сколько дней дают книгу домой?'],
    ['ru', 'Когда открыт читальный зал?', 'когда работает читальный зал'],
    ['ru', 'Где находится Нуртау?', 'где нуртау находится?'],
    ['en', 'When does the library open?', 'When does the library start working?'],
  ])('is trusted for (%s) %s — %s', async (...pair) => {
    expect(await isSame(...pair)).toBe(true);
  });

  it.each<[string, Language, string, string]>([
    ['another number', 'ru', 'Что сказано в статье 5 закона?', 'О чём говорит статья 6 закона?'],
    ['a number in words', 'en', 'Who is lent two books?', 'Who is lent three books?'],
    ['another name', 'ru', 'Кто основал город Нуртау?', 'Кто построил город Астана?'],
    ['a negation', 'ru', 'Кто может быть избран депутатом?', 'Кто не может быть избран депутатом?'],
    ['a negation with a suffix', 'kk', 'Кітап неше күнге беріледі?', 'Кітап неше күнге берілмейді?'],
    ['a contracted negation', 'en', 'Can a reader keep the book?', "Can't a reader keep the book?"],
    ['another question word', 'ru', 'Когда открыт читальный зал?', 'Где открыт читальный зал?'],
    ['no word in common', 'ru', 'Кто платит налоги?', 'Кто вносит сборы?'],
  ])('is not asked about %s', async (_, ...pair) => {
    expect(await isSame(...pair)).toBe(false);
  });
});

describe('among several questions', () => {
  const entries = ['book near', 'book nearer', 'book far'].map(entry);
  const angles: Record<string, number> = {
    'book asked': 0,
    'book near': 0.3,
    'book nearer': 0.1,
    'book far': 1,
    'book else': 0.5,
  };
  const vectorsOf = (texts: readonly string[]) =>
    texts.map((text) => Float32Array.of(Math.cos(angles[text]!), Math.sin(angles[text]!)));

  it('the nearest one matches if it is near enough', async () => {
    const asked: string[] = [];
    const meanings = new Meanings(async (texts) => {
      asked.push(...texts);
      return vectorsOf(texts);
    });
    expect(await meanings.same('book asked', 'en', entries)).toEqual([entries[1]]);
    expect(await meanings.same('book else', 'en', [entries[1]!, entries[2]!])).toEqual([]);
    expect(asked).toEqual(['book asked', 'book near', 'book nearer', 'book far', 'book else']);
  });

  it('none matches if the model does not respond, and an empty list causes no call', async () => {
    let calls = 0;
    const meanings = new Meanings(async () => {
      calls++;
      throw new Error('unavailable');
    });
    expect(await meanings.same('book asked', 'en', entries)).toEqual([]);
    expect(await meanings.same('book asked', 'en', [])).toEqual([]);
    expect(calls).toBe(1);
  });
});
