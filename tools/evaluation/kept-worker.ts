/** The thread that reads and compares stored reports (kept.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../src/failures.ts';
import { doTask, type KeptReply, type KeptTask } from './kept.ts';

const { data, task } = workerData as { data: string; task: KeptTask };

function reply(): KeptReply {
  try {
    return { value: doTask(data, task) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, detail } = error;
    return { failure: { code, detail } };
  }
}

parentPort!.postMessage(reply());
