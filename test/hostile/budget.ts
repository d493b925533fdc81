/**
 * The limits for a hostile case, and the source of random cases. The cases are the same in every run, or those of
 * HOSTILE_SEED (`now` draws others); HOSTILE_RUNS sets their total number.
 */

/**
 * `msMax`: the processor time of the thread on a core that runs `reference` in `referenceMs`, scaled up on a slower or
 * shared core. `mbMax`: the memory that is allocated, whether or not it is retained.
 */
const msMax = 50;
const mbMax = 64;
const referenceMs = 40;
/**
 * The lowest of this many measurements counts, because a measurement may include the collection of garbage left by
 * other files.
 */
const triesMax = 6;

const runs = Number(process.env.HOSTILE_RUNS ?? 20_000);
const named = process.env.HOSTILE_SEED ?? '20261122';
const seed = named === 'now' ? Date.now() % 2 ** 31 : Number(named);
process.stderr.write(`hostile cases: ${runs}, HOSTILE_SEED=${seed}\n`);

/** The parameters of a property that gets this share (0 to 1) of all cases. */
export const share = (part: number): { seed: number; numRuns: number } => ({
  seed,
  numRuns: Math.max(1, Math.round(runs * part)),
});

interface Spent {
  ms: number;
  mb: number;
}

function measure<T>(act: () => T): Spent {
  const before = process.threadCpuUsage();
  const heap = process.memoryUsage().heapUsed;
  act();
  const { user, system } = process.threadCpuUsage(before);
  return { ms: (user + system) / 1000, mb: (process.memoryUsage().heapUsed - heap) / 2 ** 20 };
}

/** Representative work: an expression that scans a text again from each of its letters. */
function reference(): void {
  for (let n = 0; n < 4; n++) /[\p{L}-]*\p{Ll}[-\u2010]$/u.test('а'.repeat(700));
}

/**
 * The current time limit of an action on this machine, in ms. Measured only after an action took longer than it may on
 * an idle core.
 */
const msHere = (): number => msMax * Math.max(1, measure(reference).ms / referenceMs);

/**
 * How the action exceeds the budget; null if it does not. An action over budget is repeated, because compilation or
 * garbage collection may have happened meanwhile.
 */
export function overBudget(act: () => unknown): string | null {
  for (let tries = 1; ; tries++) {
    const { ms, mb } = measure(act);
    if (ms < msMax && mb < mbMax) return null;
    if (tries < triesMax) continue;
    const most = msHere();
    return ms < most && mb < mbMax
      ? null
      : `${Math.round(ms)} ms of ${Math.round(most)}, ${Math.round(mb)} MB of ${mbMax}`;
  }
}

/**
 * Like `overBudget`, for the work of the thread until the promise settles; retained memory is ignored, because it need
 * not belong to this action.
 */
export async function heldTooLong(act: () => Promise<unknown>): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const before = process.threadCpuUsage();
    await act();
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms < msMax) return null;
    if (tries < triesMax) continue;
    const most = msHere();
    return ms < most ? null : `${Math.round(ms)} ms of ${Math.round(most)}`;
  }
}
