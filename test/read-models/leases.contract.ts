/** The contract for every store of leases. */
import { expect, it } from 'vitest';
import type { Leases } from '../../src/ports/leases.ts';

export interface LeasesUnderTest {
  /** The same place as another process sees it. */
  open(): Leases;
  /** Waits until a lease that is not renewed has expired. */
  runOut(name: string): Promise<void>;
}

export function leasesContract(start: () => LeasesUnderTest): void {
  it('a lease has one holder, lasts while renewed, and is free once released or expired', async () => {
    const under = start();
    const [one, other] = [under.open(), under.open()];
    expect(await one.isHeld('a')).toBe(false);
    expect(await one.take('a')).toBe(true);
    expect(await other.take('a')).toBe(false);
    expect(await other.isHeld('a')).toBe(true);
    expect(await one.take('a')).toBe(true);
    await other.release('a');
    expect(await other.isHeld('a')).toBe(true);
    await one.release('a');
    expect(await other.isHeld('a')).toBe(false);
    expect(await other.take('a')).toBe(true);
    expect(await one.isHeld('a')).toBe(true);
    await under.runOut('a');
    expect(await one.isHeld('a')).toBe(false);
    expect(await one.take('a')).toBe(true);
    expect(await other.take('a')).toBe(false);
    expect(await one.isHeld('b')).toBe(false);
  });

  it('an expired lease goes to only one of several claimants', async () => {
    const under = start();
    const all = Array.from({ length: 8 }, () => under.open());
    expect(await all[0]!.take('many')).toBe(true);
    for (const leases of all.slice(1)) expect(await leases.isHeld('many')).toBe(true);
    await under.runOut('many');
    const taken = await Promise.all(all.slice(1).map((leases) => leases.take('many')));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('a free lease goes to only one of several claimants', async () => {
    const under = start();
    const all = Array.from({ length: 8 }, () => under.open());
    const taken = await Promise.all(all.map((leases) => leases.take('free')));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });
}
