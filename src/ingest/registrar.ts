/** Assigns ids to documents. Requests that arrive during an append are combined in the next append. */
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import type { Position } from '../ports/event-log.ts';

export interface Registered {
  doc_id: number;
  /** Whether the document is new, which means that its stream is empty. */
  isNew: boolean;
}

/** Maximum number of documents registered per append, well below the history's limit. */
const atOnce = 500;

interface PendingRegistration extends PromiseWithResolvers<Registered> {
  doc_key: string;
}

export class Registrar {
  readonly #commands: Pick<Commands, 'catalog'>;
  readonly #corpusId: string;
  readonly #root: string;
  readonly #cause: Cause;
  #asked: PendingRegistration[] = [];
  #running = false;
  /** Position of the last registration. */
  position: Position | null = null;

  /** `root` is the source of the documents. */
  constructor(commands: Pick<Commands, 'catalog'>, corpusId: string, root: string, cause: Cause) {
    this.#commands = commands;
    this.#corpusId = corpusId;
    this.#root = root;
    this.#cause = cause;
  }

  /** The id of a key that is known to the loaded catalog; otherwise null. */
  known(docKey: string): number | null {
    return this.#commands.catalog.state.documents.get(this.#corpusId)?.get(docKey)?.doc_id ?? null;
  }

  /** Rejects if a catalog command fails. */
  register(docKey: string): Promise<Registered> {
    const asked = { doc_key: docKey, ...Promise.withResolvers<Registered>() };
    this.#asked.push(asked);
    if (!this.#running) void this.#run();
    return asked.promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#asked.length > 0) await this.#registerSome(this.#asked.splice(0, atOnce));
    this.#running = false;
  }

  async #registerSome(some: readonly PendingRegistration[]): Promise<void> {
    try {
      const { catalog } = this.#commands;
      const before = new Set(some.filter(({ doc_key }) => this.known(doc_key) !== null));
      const documents = some.map(({ doc_key }) => ({ doc_key, root: this.#root }));
      const done = await catalog.execute(
        { type: 'RegisterDocuments', corpus_id: this.#corpusId, documents },
        this.#cause,
        { assumeCurrent: true },
      );
      if (done.position !== null) this.position = done.position;
      const made = new Set(
        done.events.map((event) => (event.type === 'DocumentRegistered' ? event.data.doc_id : 0)),
      );
      for (const asked of some) {
        const doc_id = this.known(asked.doc_key)!;
        asked.resolve({ doc_id, isNew: made.has(doc_id) && !before.has(asked) });
      }
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
}
