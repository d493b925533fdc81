/** Prometheus metrics of the core: the stages of asks and the appends to the history. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Channel } from '../../domain/events.ts';
import { decorateAppend } from '../../event-sourcing/event-log-decorators.ts';
import { Failure } from '../../failures.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { ModelCall, ModelUsage } from '../../ports/models.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class CoreMetrics {
  readonly #stages: Histogram<'corpus' | 'channel' | 'stage'>;
  readonly #appends: Histogram<'outcome'>;
  readonly #calls: Counter<'call'>;
  readonly #units: Counter<'unit'>;
  readonly #cost: Counter;

  /** `registry` is the one exposed at /metrics. */
  constructor(registry: Registry) {
    const registers = [registry];
    this.#stages = new Histogram({
      name: 'docent_ask_stage_seconds',
      help: 'Duration of each stage of a question: record, understand, cache, retrieve, answer, end.',
      labelNames: ['corpus', 'channel', 'stage'],
      buckets: seconds,
      registers,
    });
    this.#appends = new Histogram({
      name: 'docent_append_seconds',
      help: 'Duration of an append to the history; outcome: ok (on disk), or the failure code.',
      labelNames: ['outcome'],
      buckets: seconds,
      registers,
    });
    this.#calls = new Counter({
      name: 'docent_model_calls_total',
      help: 'Calls to language models that were billed, by kind: chat, embed, rerank.',
      labelNames: ['call'],
      registers,
    });
    this.#units = new Counter({
      name: 'docent_model_units_total',
      help: 'Units billed by language models: input_tokens, output_tokens, embed_tokens, search_units.',
      labelNames: ['unit'],
      registers,
    });
    this.#cost = new Counter({
      name: 'docent_model_cost_usd_total',
      help: 'Cost of language models at the configured prices, in US dollars.',
      registers,
    });
  }

  onModelUsage(call: ModelCall, usage: ModelUsage, microUsd: number): void {
    this.#calls.inc({ call });
    for (const [unit, n] of Object.entries(usage)) if (n > 0) this.#units.inc({ unit }, n);
    this.#cost.inc(microUsd / 1e6);
  }

  /** Counts the durations of the stages of an ask, in milliseconds. */
  readonly onStages = (
    { corpus_id, channel }: { corpus_id: string; channel: Channel },
    stages: ReadonlyMap<string, number>,
  ): void => {
    for (const [stage, ms] of stages) this.#stages.observe({ corpus: corpus_id, channel, stage }, ms / 1000);
  };

  /** The log, measuring the duration of every append. */
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
