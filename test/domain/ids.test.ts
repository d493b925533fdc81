import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deliveryIds, uuidv7, uuidv8 } from '../../src/domain/ids.ts';
import { modulesAnew } from '../support/modules-anew.ts';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('version 7 ids increase, regardless of the clock', () => {
  let last = '';
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 2 ** 48 - 1_000_000 }), { minLength: 1 }), (times) => {
      for (const ms of times) {
        const id = uuidv7(ms);
        expect(id).toMatch(pattern);
        expect(id > last).toBe(true);
        last = id;
      }
    }),
  );
});

it('ids increase beyond the counter of one millisecond', () => {
  const ids = Array.from({ length: 20_000 }, () => uuidv7(1));
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

it('an id begins with the time', async () => {
  // A newly loaded module, because the clock of this one was advanced above.
  const anew = modulesAnew();
  const fresh = await anew.load<typeof import('../../src/domain/ids.ts')>('src/domain/ids.ts');
  anew.end();
  expect(fresh.uuidv7(0x0123_4567_89ab)).toMatch(/^01234567-89ab-7000-/);
  expect(fresh.uuidv7(0x0123_4567_89ab)).toMatch(/^01234567-89ab-7001-/);
  expect(fresh.uuidv7(0x0123_4567_89ac)).toMatch(/^01234567-89ac-7000-/);
});

it('an id derived from parts depends on each part and on its boundaries', () => {
  const id = uuidv8('a', 'b');
  expect(id).toBe(uuidv8('a', 'b'));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const others = [uuidv8('ab'), uuidv8('a', 'b', ''), uuidv8('b', 'a'), uuidv8('a', 'c')];
  expect(new Set([id, ...others]).size).toBe(5);
});

it('a delivery has one id per day in UTC', () => {
  const late = deliveryIds('key:1', 'ask', 'k', new Date('2026-11-21T23:59:59.999Z'));
  const early = deliveryIds('key:1', 'ask', 'k', new Date('2026-11-22T00:00:00.000Z'));
  expect(early.yesterday).toBe(late.today);
  expect(early.today).not.toBe(late.today);
  expect(deliveryIds('key:2', 'ask', 'k', new Date('2026-11-22T00:00:00Z')).today).not.toBe(early.today);
});
