/** Stores ordinals in a revision as ranges, because usually all of its chunks are embedded one after the other. */
export type Run = [first: number, count: number];

/** The ranges with one more ordinal added. */
export function withOrdinal(runs: readonly Run[], ordinal: number): Run[] {
  if (holdsOrdinal(runs, ordinal)) return [...runs];
  const next: Run[] = [];
  for (const [first, count] of [...runs, [ordinal, 1] as Run].sort(([a], [b]) => a - b)) {
    const last = next.at(-1);
    if (last && last[0] + last[1] === first) last[1] += count;
    else next.push([first, count]);
  }
  return next;
}

export const holdsOrdinal = (runs: readonly Run[], ordinal: number): boolean =>
  runs.some(([first, count]) => ordinal >= first && ordinal < first + count);
