/** One ingestion from its files to read models that hold it. */
import type { Cause } from '../event-sourcing/commands.ts';
import {
  type IngestDeps,
  type IngestProgress,
  type IngestReport,
  type IngestRequest,
  ingest,
} from './ingest.ts';
import { openParsePool } from './parse-pool.ts';

/** Processes that parse files. */
const parsers = 2;

export type TakeIn = (
  request: Omit<IngestRequest, 'cause'>,
  cause: Cause,
  onProgress?: (progress: IngestProgress) => void,
  signal?: AbortSignal,
) => Promise<IngestReport>;

/** Ingests with parsers of its own for each call; resolves once the read models hold what went in. */
export function createIngestion(deps: Omit<IngestDeps, 'pool'>): TakeIn {
  return async (request, cause, onProgress, signal) => {
    const pool = openParsePool({ workers: parsers });
    try {
      const report = await ingest({ ...deps, pool }, { ...request, cause }, onProgress, signal);
      await deps.caughtUp();
      return report;
    } finally {
      await pool.close();
    }
  };
}
