/** Worker-thread entry: parses one file at a time for src/ingest/parse-pool.ts. */
import { parentPort } from 'node:worker_threads';
import { type PrepareInput, prepareFile } from '../ingest/prepare.ts';

parentPort?.on('message', (input: PrepareInput) => {
  prepareFile(input).then(
    (prepared) => parentPort?.postMessage({ prepared }),
    (error: Error) => parentPort?.postMessage({ refused: error.message }),
  );
});
