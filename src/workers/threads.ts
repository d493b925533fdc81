/** The worker threads of one process. */
import { Thread } from './rpc.ts';

/** Told what could not be done and will be tried again: a sentence without personal content. */
export type OnTrouble = (sentence: string) => void;

const entry = (name: string) => new URL(`./${name}-worker.ts`, import.meta.url);

/** The threads of one process, closed in the reverse order. */
export class Threads {
  readonly #started: Thread[] = [];

  start(name: string, data: unknown, youngMb?: number): Thread {
    const thread = new Thread(entry(name), data, youngMb);
    this.#started.push(thread);
    return thread;
  }

  async close(): Promise<void> {
    for (const thread of this.#started.toReversed()) await thread.close();
  }
}
