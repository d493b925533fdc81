import { describe, expect, it } from 'vitest';
import { momentOf, positionOf } from '../../src/history/past.ts';

describe('a moment as users enter it', () => {
  it('is a day, or a time with its offset', () => {
    expect(momentOf('--from', undefined)).toBeNull();
    expect(momentOf('--from', '2026-10-04')).toEqual({
      start: '2026-10-04T00:00:00.000Z',
      end: '2026-10-05T00:00:00.000Z',
    });
    expect(momentOf('--from', '2026-10-04T12:30+05:00')?.start).toBe('2026-10-04T07:30:00.000Z');
  });

  it.each(['5', '10/04/2026', 'March 3', '2026-10-04T12:30', '2026-13-40', ''])('is not “%s”', (text) => {
    expect(() => momentOf('--from', text)).toThrow(/^--from must be a day or an RFC 3339 time, such as /);
  });

  it('is named in the error if it is not a position either', async () => {
    const log = { lastBefore: async () => null };
    await expect(positionOf(log, '"a", which is no position,', 'a')).rejects.toThrow(
      /^"a", which is no position, must/,
    );
  });
});
