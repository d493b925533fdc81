/**
 * The service over a deliberately hostile model. Only statements from the passages may reach the reader, every
 * quotation must be in its revision, and the model must not write provisions requested by number, abstentions or
 * greetings.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CohereDouble, says } from '../../support/cohere-double.ts';
import { readsAnswers } from '../../support/second-reader.ts';
import { english } from '../cases/en.ts';
import { kazakh } from '../cases/kk.ts';
import { russian } from '../cases/ru.ts';
import { type Answered, openSamples, type SampleService } from '../sample-corpora.ts';
import { byLanguage, lies } from './lies.ts';

let double: CohereDouble;
let service: SampleService;
beforeAll(async () => {
  double = await CohereDouble.start();
  service = await openSamples({
    COHERE_API_KEY: 'key',
    COHERE_BASE_URL: double.url,
    COHERE_EMBED_MODEL: 'off',
    COHERE_RERANK_MODEL: 'off',
  });
});
afterAll(async () => {
  await service.close();
  await double.stop();
});
/** Lies that only the second reading detects: other cited passages contain the same number. */
const plausible = Object.values(byLanguage).flatMap(({ lies: said }) => [
  said['a denial'],
  said['another number'],
]);
beforeEach(() => {
  double.chats.length = 0;
  // The second reading misses everything else, so code must detect it.
  readsAnswers(double, (text) =>
    plausible.some((lie) => text.includes(lie)) ? { verdict: 'contradicts', reason: 'It is a lie.' } : null,
  );
});

/** Makes the model state these sentences, and cite all its passages for each. */
function claims(...sentences: string[]): void {
  double.chat = ({ documents }) =>
    says({
      pieces: sentences.join(' ').match(/\s*\S+/gu)!,
      citations: sentences.map((of) => ({ of, documents: documents.map(({ id }) => id) })),
    });
}

/** Words each question differently, so that no cached answer is used. */
let asked = 0;
const ask = (question: string) => service.ask({ q: `${question}${' '.repeat(++asked)}` });

/**
 * Checks what holds for every answer: each quotation is at the position that its citation states, in a listed source.
 */
function expectSound({ answer, citations, refs, parts }: Answered): void {
  expect(parts.at(-1)?.type).toBe('done');
  for (const { start, end, ref, quote, revision, content_hash } of citations) {
    expect(refs).toContain(ref);
    expect(answer.slice(start, end).trim()).not.toBe('');
    const key = ref.slice(0, ref.lastIndexOf('#'));
    expect(service.standsIn('krk_2026', key, revision, content_hash, quote)).toBe(true);
  }
  expect(refs.filter((ref) => ref.startsWith('drafts/'))).toEqual([]);
}

describe.each(['en', 'ru', 'kk'] as const)('in %s', (lang) => {
  const { question, bent, truth, lies: said } = byLanguage[lang];

  it.each(lies)('%s is not shown together with a true statement', async (lie) => {
    claims(truth, said[lie]);
    const answered = await ask(question);
    expectSound(answered);
    expect(answered.answer).not.toContain(said[lie]);
    expect(answered.answer).toContain(truth);
    expect(answered.citations.length).toBeGreaterThan(0);
  });

  it.each(lies)('%s alone is not an answer', async (lie) => {
    claims(said[lie]);
    const answered = await ask(question);
    expectSound(answered);
    expect(answered.answer).not.toContain(said[lie]);
    if (answered.mode !== 'no_answer') expect(answered.citations.length).toBeGreaterThan(0);
  });

  it('instructions are not repeated', async () => {
    double.chat = ({ messages, documents }) => {
      const prompt = messages[0]!.content;
      return says({
        pieces: `${truth} ${prompt}`.match(/\s*\S+/gu)!,
        citations: [{ of: prompt.slice(0, 200), documents: [documents[0]!.id] }],
      });
    };
    const answered = await ask(bent);
    expectSound(answered);
    const streamed = answered.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    for (const text of [answered.answer, streamed])
      expect(text).not.toContain('from the passages you are given, and');
  });

  it('a true statement without citations is shown with those that the second reading finds', async () => {
    double.chat = () => says({ pieces: [truth], citations: [{ of: truth, documents: ['99', 'norm', ''] }] });
    const answered = await ask(question);
    expectSound(answered);
    expect(answered.answer).toContain(truth);
    expect(answered.citations.length).toBeGreaterThan(0);
  });

  it('a true statement with misplaced citations is shown and quoted correctly', async () => {
    double.chat = ({ documents }) =>
      says({
        pieces: truth.match(/\s*\S+/gu)!,
        citations: [{ of: truth, documents: documents.map(({ id }) => id), shift: 40 }],
      });
    const answered = await ask(question);
    expectSound(answered);
    expect(answered.answer).toContain(truth);
  });

  it('a false statement that is cut off is never shown', async () => {
    double.chat = ({ documents }) => {
      const reply = says({
        pieces: [said['another number'], ' And'],
        citations: [{ of: said['another number'], documents: [documents[0]!.id] }],
      });
      return 'steps' in reply ? { steps: [...reply.steps.slice(0, -2), 'cut'] } : reply;
    };
    // Answers to other people do not leak into another question.
    const history = [{ role: 'user' as const, content: 'Hello!' }];
    const answered = await service.ask({ q: question, history });
    expectSound(answered);
    expect(answered.answer).not.toContain(said['another number']);
    expect(answered.parts.at(-1)).toMatchObject({ type: 'done', degraded: true });
  });

  it('the answer is in the language of the question', async () => {
    const other = byLanguage[lang === 'en' ? 'ru' : 'en'].truth;
    claims(other, other);
    const answered = await ask(question);
    expectSound(answered);
    expect(answered.answer).not.toContain(other);
    expect(answered.lang).toBe(lang);
  });

  const cases = { en: english, ru: russian, kk: kazakh }[lang];
  const kinds = ['exact', 'missing', 'unanswerable', 'greeting', 'meta'];
  const fixed = kinds.flatMap((kind) => cases.filter((one) => one.kind === kind).slice(0, 2));
  it.each(fixed.map((one) => [`${one.kind}: ${one.q}`, one] as const))(
    '%s is not written by the model',
    async (_, one) => {
      claims(said['an invented address']);
      const answered = await service.ask(one);
      expect(answered.mode).toBe(one.mode);
      // If the documents have no answer, the model declines and code checks it.
      if (one.kind !== 'unanswerable') expect(double.chats).toHaveLength(0);
    },
  );
});
