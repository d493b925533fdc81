import { describe, expect, it } from 'vitest';
import { type EventType, eventSchemas } from '../../src/domain/events.ts';
import { upcast } from '../../src/domain/upcasting.ts';
import { storedSamples } from './stored-samples.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });

/** A type in its third version, with a stored sample of each version. */
const schemas = { ...eventSchemas, AnswerRated: { version: 3 } };
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

describe('upcasting', () => {
  it.each(samples)('converts a sample of version %i through every later version', (version, data) => {
    const before = structuredClone(data);
    expect(upcast('AnswerRated', version, data, steps, schemas)).toEqual({ version: 3, data: samples[2][1] });
    expect(data).toEqual(before);
  });

  it('leaves current data unchanged', () => {
    const data = { corpus_id: 'c', more: 1 };
    expect(upcast('CorpusActivated', 1, data)).toEqual({ version: 1, data });
    expect(upcast('CorpusActivated', 1, data).data).toBe(data);
  });

  it.each([
    ['an unknown type', 'CorpusPainted', 1],
    ['a name every object has', 'constructor', 1],
    ['a later version', 'CorpusActivated', 2],
  ])('rejects %s', (_, type, version) => {
    expect(() => upcast(type, version, {})).toThrow(failure('newer_format'));
  });

  it('reports a missing step', () => {
    expect(() => upcast('AnswerRated', 1, {}, {}, schemas)).toThrow(failure('internal'));
  });
});

describe.each(Object.keys(eventSchemas) as EventType[])('%s', (type) => {
  it('has a stored sample of every version, and each is converted to the current form', () => {
    const versions = storedSamples[type];
    expect(versions).toHaveLength(eventSchemas[type].version);
    for (const [i, sample] of versions.entries())
      expect(upcast(type, i + 1, sample)).toEqual({ version: versions.length, data: versions.at(-1) });
  });
});
