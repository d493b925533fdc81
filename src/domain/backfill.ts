/**
 * Jobs that create vectors for chunks that have none. All jobs share one stream, which ensures that at most one job at
 * a time covers the same documents, and that only one worker holds a job until its claim expires. Completed work is
 * recorded in a separate stream (`backfill-<job_id>`), which is not needed to continue the job.
 */
import type { Decider } from './decider.ts';
import type { BackfillFacts, DomainEvent } from './events.ts';

export interface BackfillJob extends BackfillFacts {
  claim: { worker: string; until: string } | null;
  /** `failed` and `completed` mean that the job has ended; null if it has not. */
  ended: 'completed' | 'failed' | null;
}

export interface BackfillsState {
  jobs: ReadonlyMap<string, BackfillJob>;
}

export type BackfillsCommand =
  /** Does nothing while another job covers any of the same documents; see `runningOver`. */
  | { type: 'Request'; job: BackfillFacts }
  /** Claims the job or renews the claim. Does nothing if another worker holds the job or it has ended. */
  | { type: 'Claim'; job_id: string; worker: string; now: string; until: string }
  /** Does nothing if the job has ended or another worker has claimed it. */
  | { type: 'End'; job_id: string; worker: string; finished_at: string; failed: string | null };

export const backfills: Decider<BackfillsState, BackfillsCommand> = {
  initial: { jobs: new Map() },

  evolve(state, event) {
    const change = (job_id: string, changes: Partial<BackfillJob>) => {
      const job = state.jobs.get(job_id);
      return job === undefined ? state : { jobs: new Map(state.jobs).set(job_id, { ...job, ...changes }) };
    };
    switch (event.type) {
      case 'BackfillRequested':
        return {
          jobs: new Map(state.jobs).set(event.data.job_id, { ...event.data, claim: null, ended: null }),
        };
      case 'BackfillClaimed': {
        const { job_id, worker, until } = event.data;
        return change(job_id, { claim: { worker, until } });
      }
      case 'BackfillCompleted':
        return change(event.data.job_id, { claim: null, ended: 'completed' });
      case 'BackfillFailed':
        return change(event.data.job_id, { claim: null, ended: 'failed' });
      default:
        return state;
    }
  },

  decide(command, state): DomainEvent[] {
    switch (command.type) {
      case 'Request':
        return runningOver(state, command.job.doc_key) === null
          ? [{ type: 'BackfillRequested', data: command.job }]
          : [];
      case 'Claim': {
        const { job_id, worker, now, until } = command;
        const job = state.jobs.get(job_id);
        if (job === undefined || job.ended !== null) return [];
        const { claim } = job;
        if (claim !== null && claim.worker !== worker && Date.parse(claim.until) > Date.parse(now)) return [];
        return [{ type: 'BackfillClaimed', data: { job_id, worker, until } }];
      }
      case 'End': {
        const { job_id, worker, finished_at, failed } = command;
        const job = state.jobs.get(job_id);
        if (job === undefined || job.ended !== null || job.claim?.worker !== worker) return [];
        return failed === null
          ? [{ type: 'BackfillCompleted', data: { job_id, finished_at } }]
          : [{ type: 'BackfillFailed', data: { job_id, finished_at, reason: failed } }];
      }
    }
  },
};

/** The unfinished job that covers any of the same documents. If `docKey` is null, all documents. */
export function runningOver({ jobs }: BackfillsState, docKey: string | null): BackfillJob | null {
  for (const job of jobs.values())
    if (job.ended === null && (docKey === null || job.doc_key === null || job.doc_key === docKey)) return job;
  return null;
}

/** The jobs that still need a worker, oldest first. */
export function unfinished({ jobs }: BackfillsState): BackfillJob[] {
  return [...jobs.values()].filter((job) => job.ended === null);
}
