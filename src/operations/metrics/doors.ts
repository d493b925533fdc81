/** Prometheus metrics of requests by route, asks by corpus, channel and outcome, and the health of the service. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Part } from '../../answering/parts.ts';
import type { Channel, Mode } from '../../domain/events.ts';
import type { Health } from '../health.ts';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const madeEachMs = 1_000;
const states = { ok: 1, degraded: 0.5, down: 0 };

/** A request that counts against a limit: a question to a corpus, a rating, or opening a source. */
export interface LimitedRequest {
  corpus: string;
  channel: Channel | 'rating' | 'resume' | 'source-page';
}

export class DoorMetrics {
  readonly #registry: Registry;
  readonly #requests: Histogram<'method' | 'route' | 'status'>;
  readonly #asks: Counter<'corpus' | 'channel' | 'outcome' | 'cached'>;
  readonly #latency: Histogram<'corpus' | 'channel'>;
  readonly #limits: Counter<'corpus' | 'channel' | 'caller' | 'outcome'>;
  #processMetrics = false;
  #text: { at: number; made: Promise<{ type: string; body: string }> } | null = null;

  /**
   * `registry` is the process's registry, to which other parts may have added their own metrics. Default: a new one.
   */
  constructor(app: { health(): Health }, running: () => number, registry = new Registry()) {
    this.#registry = registry;
    const registers = [registry];
    this.#requests = new Histogram({
      name: 'docent_http_request_seconds',
      help: 'Time from a request to the end of its reply.',
      labelNames: ['method', 'route', 'status'],
      buckets: seconds,
      registers,
    });
    this.#asks = new Counter({
      name: 'docent_asks_total',
      help:
        'Questions by the mode of their answer (no_answer: no answer was found) or the code of their error, ' +
        'and by whether the FAQ cache had the answer.',
      labelNames: ['corpus', 'channel', 'outcome', 'cached'],
      registers,
    });
    this.#latency = new Histogram({
      name: 'docent_ask_seconds',
      help: 'Time from a question to the end of its answer.',
      labelNames: ['corpus', 'channel'],
      buckets: seconds,
      registers,
    });
    this.#limits = new Counter({
      name: 'docent_limits_total',
      help: 'Requests counted against the limits of a key or an address: allowed or refused.',
      labelNames: ['corpus', 'channel', 'caller', 'outcome'],
      registers,
    });
    new Gauge({
      name: 'docent_asks_running',
      help: 'Questions being answered by this instance.',
      registers,
      collect() {
        this.set(running());
      },
    });
    new Gauge({
      name: 'docent_component_up',
      help: 'State of a component: 1 ok, 0.5 degraded, 0 down.',
      labelNames: ['component'],
      registers,
      collect() {
        for (const [component, state] of Object.entries(app.health().components))
          this.set({ component }, states[state]);
      },
    });
    new Gauge({
      name: 'docent_projection_lag_seconds',
      help: 'Lag of a projection behind the history.',
      labelNames: ['projection'],
      registers,
      collect() {
        for (const [projection, { lag_ms }] of Object.entries(app.health().projections))
          this.set({ projection }, lag_ms / 1000);
      },
    });
  }

  request(method: string, route: string, status: number, ms: number): void {
    this.#requests.observe({ method, route, status }, ms / 1000);
  }

  /** Records a finished ask: its first and last parts, and its duration. */
  ask(channel: Channel, first: Part, last: Part, ms: number): void {
    const corpus = first.type === 'meta' ? first.corpus_id : '';
    const outcome = last.type === 'done' ? last.mode : last.type === 'error' ? last.code : 'broken';
    this.#ended({ corpus, channel, outcome, cached: String(last.type === 'done' && last.cached) }, ms);
  }

  /** Records a lookup of sources without an answer. */
  sourceRefs(corpus: string, mode: Mode, ms: number): void {
    this.#ended({ corpus, channel: 'source-refs', outcome: mode, cached: 'false' }, ms);
  }

  limit({ corpus, channel }: LimitedRequest, caller: 'key' | 'address', allowed: boolean): void {
    this.#limits.inc({ corpus, channel, caller, outcome: allowed ? 'allowed' : 'refused' });
  }

  #ended(labels: { corpus: string; channel: Channel; outcome: string; cached: string }, ms: number): void {
    this.#asks.inc(labels);
    const { corpus, channel } = labels;
    this.#latency.observe({ corpus, channel }, ms / 1000);
  }

  /**
   * The metrics in Prometheus format. They are generated at most once a second, because that takes as long as some
   * questions.
   */
  text(): Promise<{ type: string; body: string }> {
    if (!this.#processMetrics) {
      this.#processMetrics = true;
      collectDefaultMetrics({ register: this.#registry });
    }
    const now = performance.now();
    if (this.#text === null || now - this.#text.at >= madeEachMs) {
      const { contentType: type } = this.#registry;
      this.#text = { at: now, made: this.#registry.metrics().then((body) => ({ type, body })) };
    }
    return this.#text.made;
  }
}
