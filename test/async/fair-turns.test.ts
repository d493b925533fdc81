import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairTurns, type FairTurnsOptions } from '../../src/async/fair-turns.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
const failing = (code: string) => expect.objectContaining({ name: 'Failure', code });

/** Turns whose pieces take the ms in their name (`hostile:30`), and the order they began in. */
function open(options: Partial<FairTurnsOptions> = {}) {
  const turns = new FairTurns({ atOnce: 1, ...options });
  const began: string[] = [];
  const ask = (who: string, ms = 20, signal = never, size = 1) =>
    turns.take(
      { who, size },
      () => {
        began.push(who);
        return new Promise<string>((resolve) => setTimeout(() => resolve(who), ms));
      },
      signal,
    );
  return { turns, began, ask };
}

describe('turns', () => {
  it('come at once while there is room, and give what the work gives', async () => {
    const { began, ask } = open({ atOnce: 2 });
    const [a, b] = [ask('a'), ask('b')];
    expect(began).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(20);
    expect(await Promise.all([a, b])).toEqual(['a', 'b']);
  });

  it('come to whoever has had least of late, however many others wait before', async () => {
    const { began, ask } = open();
    for (let n = 0; n < 50; n++) void ask('flood');
    await vi.advanceTimersByTimeAsync(30);
    void ask('honest');
    await vi.advanceTimersByTimeAsync(40);
    expect(began.slice(0, 4)).toEqual(['flood', 'flood', 'honest', 'flood']);
  });

  it('count what is under way: many sent at the same moment stand behind a newcomer', async () => {
    const { began, ask } = open({ atOnce: 2 });
    for (let n = 0; n < 4; n++) void ask('flood');
    void ask('honest');
    await vi.advanceTimersByTimeAsync(20);
    expect(began).toEqual(['flood', 'flood', 'honest', 'flood']);
  });

  it('weigh by time, not by number: who asks what takes long waits behind who asks often', async () => {
    const { began, ask } = open();
    void ask('heavy', 400);
    await vi.advanceTimersByTimeAsync(400);
    for (let n = 0; n < 5; n++) void ask('often', 10);
    void ask('heavy', 400);
    await vi.advanceTimersByTimeAsync(60);
    expect(began).toEqual(['heavy', 'often', 'often', 'often', 'often', 'often', 'heavy']);
  });

  it('come to small pieces first, of those who have had as little', async () => {
    const { began, ask } = open();
    void ask('first');
    void ask('large', 20, never, 5);
    void ask('small');
    await vi.advanceTimersByTimeAsync(60);
    expect(began).toEqual(['first', 'small', 'large']);
  });

  it('come more often to small pieces than to large ones', async () => {
    const { began, ask } = open();
    for (let n = 0; n < 3; n++) void ask('large', 20, never, 5);
    for (let n = 0; n < 5; n++) void ask('small');
    await vi.advanceTimersByTimeAsync(160);
    expect(began).toEqual(['large', 'small', 'small', 'small', 'small', 'small', 'large', 'large']);
  });

  it('leave half of the places to small pieces, however many large ones came before', async () => {
    const { began, ask } = open({ atOnce: 4, large: { over: 4, atOnce: 2 } });
    for (const who of ['a', 'b', 'c', 'd']) void ask(who, 100, never, 9);
    expect(began).toEqual(['a', 'b']);
    for (const who of ['e', 'f', 'g']) void ask(who);
    expect(began).toEqual(['a', 'b', 'e', 'f']);
    await vi.advanceTimersByTimeAsync(20);
    expect(began).toEqual(['a', 'b', 'e', 'f', 'g']);
    await vi.advanceTimersByTimeAsync(80);
    expect(began).toEqual(['a', 'b', 'e', 'f', 'g', 'c', 'd']);
  });

  it('of large pieces that take long make room for others like them', async () => {
    const { began, ask } = open({ atOnce: 2, large: { over: 4, atOnce: 1 }, longMs: 500 });
    void ask('long', 5_000, never, 9);
    void ask('next', 20, never, 9);
    await vi.advanceTimersByTimeAsync(499);
    expect(began).toEqual(['long']);
    await vi.advanceTimersByTimeAsync(1);
    expect(began).toEqual(['long', 'next']);
  });

  it('forget: what was had a minute ago counts little', async () => {
    const { began, ask } = open();
    void ask('a', 400);
    await vi.advanceTimersByTimeAsync(60_000);
    void ask('b', 30);
    await vi.advanceTimersByTimeAsync(30);
    void ask('c');
    for (const who of ['b', 'a']) void ask(who);
    await vi.advanceTimersByTimeAsync(80);
    expect(began).toEqual(['a', 'b', 'c', 'a', 'b']);
  });

  it('that take long make room for others', async () => {
    const { began, ask } = open({ longMs: 500 });
    const long = ask('long', 5_000);
    const other = ask('other');
    await vi.advanceTimersByTimeAsync(499);
    expect(began).toEqual(['long']);
    await vi.advanceTimersByTimeAsync(21);
    expect(await other).toBe('other');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await long).toBe('long');
    const [a, b] = [ask('a'), ask('b')];
    expect(began).toEqual(['long', 'other', 'a']);
    await vi.advanceTimersByTimeAsync(40);
    expect(await Promise.all([a, b])).toEqual(['a', 'b']);
  });

  it('go on after work that fails', async () => {
    const { turns, ask } = open();
    await expect(
      turns.take({ who: 'a', size: 1 }, () => Promise.reject(new Error('no')), never),
    ).rejects.toThrow('no');
    const next = ask('a');
    await vi.advanceTimersByTimeAsync(20);
    expect(await next).toBe('a');
  });
});

describe('who waits', () => {
  it('is refused where too many do: one of whoever has had most', async () => {
    const { began, ask } = open({ waitingMax: 2 });
    void ask('flood');
    const waiting = [ask('flood'), ask('flood')].map((one) => one.catch((error) => error));
    void ask('honest');
    expect(await waiting[1]).toEqual(failing('unavailable'));
    await vi.advanceTimersByTimeAsync(60);
    expect(began).toEqual(['flood', 'honest', 'flood']);
  });

  it('is refused when the turn does not come in time', async () => {
    const { began, ask } = open({ waitMsMax: 100, longMs: 1_000 });
    void ask('a', 900);
    const late = ask('b').catch((error) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await late).toEqual(failing('unavailable'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(began).toEqual(['a']);
  });

  it('leaves when the asker does', async () => {
    const { turns, began, ask } = open();
    void ask('a');
    const leaving = new AbortController();
    const left = ask('b', 20, leaving.signal).catch((error) => error);
    leaving.abort();
    expect(await left).toEqual(failing('cancelled'));
    expect(turns.waiting).toBe(0);
    await vi.advanceTimersByTimeAsync(40);
    expect(began).toEqual(['a']);
    await expect(ask('c', 20, leaving.signal)).rejects.toEqual(failing('cancelled'));
  });
});
