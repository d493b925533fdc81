import { setImmediate } from 'node:timers';
import { FairShares, type Piece } from './fair-shares.ts';

/**
 * How much of a processor work that became ready together may take before others get their turn, in ms. By the clock a
 * thread that has to share its processor would get ever less done in a turn the busier the machine is.
 */
const budgetMs = 4;
/** What a piece takes, before any has. */
const firstMeanMs = 1;
/**
 * Whoever has had a millisecond more of the loop of late waits for those who come within so many after: long enough to
 * be behind a hundred others who have each had less.
 */
const waitPerMs = 100;
/** And no longer than that for anybody, in ms. */
const behindMsMax = 2_000;

interface Waiting {
  piece: Piece | null;
  /** When it came, and by how much it stands behind those who have had less: the earliest is next. */
  due: number;
  begin(): void;
}

/** The next one first. */
const waiting: Waiting[] = [];
const nobodys: Piece = { who: '', size: 1 };
const shares = new FairShares(firstMeanMs);
/** What the thread had taken of a processor when the work of this turn of the loop began; null: none has yet. */
let began: number | null = null;
let isAsked = false;

/**
 * Awaited before each of many pieces of work that may become ready at once: as many as fit into a few milliseconds are
 * done in one turn of the event loop, the rest in later ones; of those that wait, whoever has had least of the loop goes
 * first. One piece a turn would make each wait for a whole round of everything else. null: a small piece that is held
 * against nobody.
 */
export function loopBudget(piece: Piece | null): Promise<void> {
  return new Promise((begin) => {
    const now = performance.now();
    const due = now + Math.min(behindMsMax, waitPerMs * shares.cost(piece ?? nobodys, now));
    if (piece !== null) shares.begin(piece);
    waiting.splice(indexFor(due), 0, { piece, due, begin });
    if (isAsked) return;
    isAsked = true;
    process.nextTick(letPass);
  });
}

/** Behind all that are due as early. */
function indexFor(due: number): number {
  let [from, to] = [0, waiting.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (waiting[middle]!.due <= due) from = middle + 1;
    else to = middle;
  }
  return from;
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function letPass(): void {
  const now = processorMs();
  if (began === null) {
    began = now;
    setImmediate(() => {
      began = null;
    });
  }
  if (now - began >= budgetMs) {
    setImmediate(() => {
      began = null;
      letPass();
    });
    return;
  }
  const { piece, begin } = waiting.shift()!;
  begin();
  const ended = () => {
    if (piece !== null) shares.end(piece, processorMs() - now);
    isAsked = waiting.length > 0;
    if (isAsked) letPass();
  };
  // A tick asked for by a promise comes when all promises are followed up: what this piece took is known by then.
  Promise.resolve().then(() => process.nextTick(ended));
}
