/** Questions in other words: what a model may say of them, and what forbids it whatever a model says. */
import { describe, expect, it } from 'vitest';
import type { HeldEntry } from '../../src/faq/entries.ts';
import { Meanings } from '../../src/faq/meanings.ts';
import { analyse, mayAskTheSame, sameQuestion } from '../../src/text/paraphrase/same-question.ts';

const pair = (a: string, b: string) => [analyse(a), analyse(b)] as const;

describe('may ask the same', () => {
  it.each([
    ['На сколько дней выдаётся книга?', 'На сколько дней дают книгу домой?'],
    ['Когда открыт читальный зал?', 'Когда работает читальный зал?'],
    ['When does the library open?', 'When does the library start working?'],
  ])('%s — %s', (a, b) => {
    const [one, other] = pair(a, b);
    expect([sameQuestion(one, other), mayAskTheSame(one, other), mayAskTheSame(other, one)]).toEqual([
      ...[false, true, true],
    ]);
  });
});

describe('never ask the same', () => {
  it.each([
    ['another number', 'Что сказано в статье 5 закона?', 'О чём говорит статья 6 закона?'],
    ['another name', 'Кто основал город Нуртау?', 'Кто построил город Астана?'],
    ['a negation', 'Кто может быть избран депутатом?', 'Кто не может стать депутатом?'],
    ['the opposite', 'Когда открывают читальный зал?', 'Когда закрывают читальный зал?'],
    ['one of a pair of opposites', 'Можно ли войти до начала?', 'Можно ли войти после начала?'],
    ['another question word', 'Когда открыт читальный зал?', 'Где открыт читальный зал вечером?'],
    ['another time', 'Кто был президентом республики?', 'Кто является президентом республики?'],
    ['a preposition', 'Можно ли войти в зал без билета?', 'Можно ли пройти в зал с билетом?'],
    ['too many other words', 'Кто назначает судей?', 'Кто увольняет и награждает почётных судей?'],
    ['no word in common', 'Кто платит налоги?', 'Кто вносит сборы?'],
    ['another language', 'Who appoints the judges?', 'Кто назначает судей?'],
  ])('%s', (_, a, b) => {
    const [one, other] = pair(a, b);
    expect([mayAskTheSame(one, other), mayAskTheSame(other, one)]).toEqual([false, false]);
  });
});

describe('of several questions', () => {
  const entry = (question: string) => ({ record: { question } }) as unknown as HeldEntry;
  const entries = ['near', 'nearer', 'far'].map(entry);
  const angles: Record<string, number> = { asked: 0, near: 0.3, nearer: 0.1, far: 1, else: 0.5 };
  const vectorsOf = (texts: readonly string[]) =>
    texts.map((text) => Float32Array.of(Math.cos(angles[text]!), Math.sin(angles[text]!)));

  it('the nearest asks the same, where it lies near enough', async () => {
    const asked: string[] = [];
    const meanings = new Meanings(async (texts) => {
      asked.push(...texts);
      return vectorsOf(texts);
    });
    expect(await meanings.same('asked', entries)).toEqual([entries[1]]);
    expect(await meanings.same('else', [entries[1]!, entries[2]!])).toEqual([]);
    expect(asked).toEqual(['asked', 'near', 'nearer', 'far', 'else']);
  });

  it('none does where the model does not answer, and none costs nothing', async () => {
    let calls = 0;
    const meanings = new Meanings(async () => {
      calls++;
      throw new Error('away');
    });
    expect(await meanings.same('asked', entries)).toEqual([]);
    expect(await meanings.same('asked', [])).toEqual([]);
    expect(calls).toBe(1);
  });
});
