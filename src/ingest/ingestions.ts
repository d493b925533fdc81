/** Runs a service's ingestions, from reading the files until the read models contain the documents. */
import type { Cause } from '../event-sourcing/commands.ts';
import {
  type IngestDeps,
  type IngestProgress,
  type IngestReport,
  type IngestRequest,
  ingest,
} from './ingest.ts';
import { type InspectedFile, type InspectRequest, inspectFile } from './inspect.ts';
import { openParsePool, type ParsePool } from './parse-pool.ts';

/** Number of parser processes shared by all ingestions. */
const parsers = 2;
/** How long idle parsers are kept. Starting one takes a second, and each uses about 80 MB. */
const idleMsDefault = 60_000;

export interface IngestionDeps extends Omit<IngestDeps, 'pool'> {
  /** Starts the parsers. By default they run as separate processes. */
  openPool?(): ParsePool;
  /** Default: 60,000. */
  idleMs?: number;
}

export class Ingestions {
  readonly #deps: IngestionDeps;
  #pool: ParsePool | null = null;
  #running = 0;
  #idle: NodeJS.Timeout | undefined;
  #closing = Promise.resolve();

  constructor(deps: IngestionDeps) {
    this.#deps = deps;
  }

  /** Like `ingest`, but resolves once the read models include the documents. */
  async takeIn(
    request: Omit<IngestRequest, 'cause'>,
    cause: Cause,
    onProgress?: (progress: IngestProgress) => void,
    signal?: AbortSignal,
  ): Promise<IngestReport> {
    const deps = this.#deps;
    return this.#withPool(async (pool) => {
      const report = await ingest({ ...deps, pool }, { ...request, cause }, onProgress, signal);
      await deps.caughtUp();
      return report;
    });
  }

  /** Like `inspectFile`, using the same parsers. */
  inspect(request: InspectRequest): Promise<InspectedFile> {
    return this.#withPool((pool) => inspectFile(pool, request));
  }

  async #withPool<T>(work: (pool: ParsePool) => Promise<T>): Promise<T> {
    const { openPool = () => openParsePool({ workers: parsers }), idleMs = idleMsDefault } = this.#deps;
    clearTimeout(this.#idle);
    this.#running++;
    this.#pool ??= openPool();
    try {
      return await work(this.#pool);
    } finally {
      if (--this.#running === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
    }
  }

  /** Stops the parsers. Ingestions that need them fail with `cancelled`; a later ingestion starts new parsers. */
  close(): Promise<void> {
    clearTimeout(this.#idle);
    const pool = this.#pool;
    this.#pool = null;
    if (pool !== null) this.#closing = Promise.all([this.#closing, pool.close()]).then(() => {});
    return this.#closing;
  }
}
