/** Prometheus metrics of what lies behind the doors: the stages of asks and the appends to the history. */
import { Histogram, type Registry } from 'prom-client';
import type { StageObserver } from '../../answering/stage-timer.ts';
import { decorateAppend } from '../../event-sourcing/event-log-decorators.ts';
import { Failure } from '../../failures.ts';
import type { EventLog } from '../../ports/event-log.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class CoreMetrics {
  readonly #stages: Histogram<'corpus' | 'channel' | 'stage'>;
  readonly #appends: Histogram<'outcome'>;

  /** `registry`: the one the door tells of at /metrics. */
  constructor(registry: Registry) {
    const registers = [registry];
    this.#stages = new Histogram({
      name: 'docent_ask_stage_seconds',
      help: 'Time of each stage of a question: record, understand, cache, retrieve, answer, end.',
      labelNames: ['corpus', 'channel', 'stage'],
      buckets: seconds,
      registers,
    });
    this.#appends = new Histogram({
      name: 'docent_append_seconds',
      help: 'Time of an append to the history: until it is on disk (ok), or the code of the failure it ended in.',
      labelNames: ['outcome'],
      buckets: seconds,
      registers,
    });
  }

  readonly onStages: StageObserver = ({ corpus_id, channel }, stages) => {
    for (const [stage, ms] of stages) this.#stages.observe({ corpus: corpus_id, channel, stage }, ms / 1000);
  };

  /** The log, each append of which is timed. */
  log(log: EventLog): EventLog {
    return decorateAppend(log, async (append) => {
      const stop = this.#appends.startTimer();
      try {
        const appended = await append();
        stop({ outcome: 'ok' });
        return appended;
      } catch (error) {
        stop({ outcome: error instanceof Failure ? error.code : 'internal' });
        throw error;
      }
    });
  }
}
