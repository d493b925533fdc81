import { setImmediate } from 'node:timers';

/** How long work that became ready together may hold the event loop before others get their turn, in ms. */
const budgetMs = 4;

const waiting: (() => void)[] = [];
/** When the work of this turn of the loop began; null: none has yet. */
let began: number | null = null;

/**
 * Awaited before each of many pieces of work that may become ready at once: as many as fit into a few milliseconds are
 * done in one turn of the event loop, the rest in later ones, in order. One piece a turn would make each wait for a whole
 * round of everything else.
 */
export function loopBudget(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) process.nextTick(letPass);
  });
}

function letPass(): void {
  const now = performance.now();
  if (began === null) {
    began = now;
    setImmediate(() => {
      began = null;
    });
  }
  if (now - began < budgetMs) {
    waiting.shift()!();
    // A tick asked for by a promise comes when all promises are followed up: what this piece took is known by then.
    if (waiting.length > 0) Promise.resolve().then(() => process.nextTick(letPass));
  } else
    setImmediate(() => {
      began = null;
      letPass();
    });
}
