import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EventType, eventSchemas } from '../../src/domain/events.ts';
import { uuidv7 } from '../../src/domain/ids.ts';
import { forgotten } from '../../src/domain/personal.ts';
import { PersonalCipher } from '../../src/log/personal-cipher.ts';
import type { NewEvent } from '../../src/ports/event-log.ts';
import { storedSamples } from '../domain/stored-samples.ts';
import { keysInMemory } from '../support/memory-keys.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });

const event = (type: EventType, data: unknown, time = '2026-01-01T00:00:00.000Z') =>
  ({ id: uuidv7(), type, time, data }) as unknown as NewEvent;
const rated = (comment: string, subject = 's') =>
  event('AnswerRated', { request_id: 'r', subject, rating: 'up', comment });
const types = Object.keys(eventSchemas) as EventType[];

describe('personal fields', () => {
  it.each(types)('of %s are encrypted and decrypted, and other fields are unchanged', async (type) => {
    const cipher = new PersonalCipher(keysInMemory());
    const before = event(type, storedSamples[type].at(-1));
    const [data] = await cipher.seal([before]);
    expect(await cipher.open([{ ...before, data }])).toEqual([before.data]);
    const isSealed = JSON.stringify(data).includes('"sealed":"1.');
    expect(isSealed).toBe(eventSchemas[type].personal.length > 0);
  });

  it('are decrypted, regardless of their text', async () => {
    const cipher = new PersonalCipher(keysInMemory());
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }),
        async (said) => {
          const events = said.map((one) => rated(one));
          const sealed = await cipher.seal(events);
          const opened = await cipher.open(events.map((one, n) => ({ ...one, data: sealed[n] })));
          expect(opened).toEqual(events.map(({ data }) => data));
        },
      ),
    );
  });

  it('cannot be decrypted under another event, type or path, or if they were changed', async () => {
    const cipher = new PersonalCipher(keysInMemory());
    const asked = event('QuestionAsked', storedSamples.QuestionAsked.at(-1));
    const [data] = (await cipher.seal([asked])) as Record<string, { sealed: string }>[];
    const { query, body_hash } = data!;
    const open = (change: object) => cipher.open([{ ...asked, data, ...change }]);
    const isRefused = (change: object) => expect(open(change)).rejects.toEqual(failure('internal'));
    await isRefused({ id: uuidv7() });
    await isRefused({ type: 'SourcesLookedUp' });
    await isRefused({ data: { ...data, query: body_hash } });
    const { length } = query!.sealed;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 26, max: length - 2 }), async (at) => {
        const changed = query!.sealed[at] === 'A' ? 'B' : 'A';
        const sealed = query!.sealed.slice(0, at) + changed + query!.sealed.slice(at + 1);
        await isRefused({ data: { ...data, query: { sealed } } });
      }),
      { numRuns: 30 },
    );
  });

  it('of one subject are forgotten, and those of other subjects or written later can still be read', async () => {
    const keys = keysInMemory();
    const cipher = new PersonalCipher(keys);
    const events = [rated('mine'), rated('theirs', 't')];
    const sealed = await cipher.seal(events);
    expect(await keys.destroy({ subject: 's' })).toBe(1);
    const later = rated('again');
    const all = [...events.map((one, n) => ({ ...one, data: sealed[n] }))];
    all.push({ ...later, data: (await cipher.seal([later]))[0] });
    expect(await cipher.open(all)).toMatchObject([
      { comment: null, forgotten: true },
      { comment: 'theirs' },
      { comment: 'again' },
    ]);
  });

  it('that are not encrypted are read unchanged, even if nothing is encrypted', async () => {
    const plain = rated('said');
    expect(await new PersonalCipher(keysInMemory()).open([plain])).toEqual([plain.data]);
    expect(await new PersonalCipher(null).open([plain])).toEqual([plain.data]);
  });

  it.each(types.filter((type) => eventSchemas[type].personal.length > 0))(
    'of %s are empty once forgotten',
    (type) => {
      const said = /устав\?|его подписывает|Не о том|owner@|Президент подписывает|^[ade]0$/u;
      const left = forgotten(type, storedSamples[type].at(-1));
      expect(left).toMatchObject({ forgotten: true });
      expect(JSON.stringify(left)).not.toMatch(said);
    },
  );
});
