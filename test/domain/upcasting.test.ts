import { expect, it } from 'vitest';
import { eventSchemas } from '../../src/domain/events.ts';
import { lift } from '../../src/domain/upcasting.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });

/** A type that has come to its third version, with a stored sample of each. */
const schemas = { ...eventSchemas, AnswerRated: { version: 3, personal: ['comment'] } };
const steps = {
  AnswerRated: [
    ({ stars, ...rest }: Record<string, unknown>) => ({
      ...rest,
      rating: Number(stars) >= 3 ? 'up' : 'down',
    }),
    (data: Record<string, unknown>) => ({ subject: data.request_id, comment: null, ...data }),
  ],
};
const samples = [
  [1, { request_id: 'r', stars: 2 }],
  [2, { request_id: 'r', rating: 'down' }],
  [3, { request_id: 'r', rating: 'down', subject: 'r', comment: null }],
] as const;

it.each(samples)('lifts a sample of version %i through every later one', (version, data) => {
  const before = structuredClone(data);
  expect(lift('AnswerRated', version, data, steps, schemas)).toEqual({ version: 3, data: samples[2][1] });
  expect(data).toEqual(before);
});

it("keeps today's data as it is", () => {
  const data = { corpus_id: 'c', more: 1 };
  expect(lift('CorpusActivated', 1, data)).toEqual({ version: 1, data });
  expect(lift('CorpusActivated', 1, data).data).toBe(data);
});

it.each([
  ['an unknown type', 'CorpusPainted', 1],
  ['a name every object has', 'constructor', 1],
  ['a later version', 'CorpusActivated', 2],
])('refuses %s', (_, type, version) => {
  expect(() => lift(type, version, {})).toThrow(failure('newer_format'));
});

it('says when a step is missing', () => {
  expect(() => lift('AnswerRated', 1, {}, {}, schemas)).toThrow(failure('internal'));
});

it('knows a step for every version that was ever in force', () => {
  for (const [type, { version }] of Object.entries(eventSchemas)) {
    for (let older = 1; older < version; older++) {
      expect(() => lift(type, older, {})).not.toThrow(failure('internal'));
    }
    expect(version).toBeGreaterThanOrEqual(1);
  }
});
