import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { uuidv7 } from '../../src/domain/ids.ts';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('gives version 7 ids that rise, whatever the clock does', () => {
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

it('rises beyond what one millisecond counts', () => {
  const ids = Array.from({ length: 20_000 }, () => uuidv7(1));
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

it('begins with the time', async () => {
  vi.resetModules();
  // A module of its own: the clock of this one has been ahead above.
  const fresh = await import('../../src/domain/ids.ts');
  expect(fresh.uuidv7(0x0123_4567_89ab)).toMatch(/^01234567-89ab-7000-/);
  expect(fresh.uuidv7(0x0123_4567_89ab)).toMatch(/^01234567-89ab-7001-/);
  expect(fresh.uuidv7(0x0123_4567_89ac)).toMatch(/^01234567-89ac-7000-/);
});
