/**
 * Counts the costs of language models and enforces budgets. Each process counts its calls and records them in the
 * history every few seconds. The daily and monthly budgets apply to the records of all processes. They can be exceeded
 * by calls in progress, and by calls that other processes have not recorded yet.
 */
import type { EventTypes } from '../domain/events.ts';
import type { SpendingState } from '../domain/spending.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelCall, ModelUsage } from '../ports/models.ts';

/** Prices in US dollars: per million tokens, or per thousand searches. */
export interface Prices {
  input: number;
  output: number;
  embed: number;
  search: number;
}

export interface SpendingDeps {
  commands: Pick<Commands, 'spending'>;
  clock: Clock;
  prices: Prices;
  /** In US dollars per UTC day and month; null means no limit. */
  budget: { day: number | null; month: number | null };
  /** Called when a budget is exhausted, and when the models are within budget again. */
  onTrouble(sentence: string): void;
  /** How often usage is recorded and, if there is a budget, read, in ms. Default: 2,000. */
  everyMs?: number;
}

type Used = EventTypes['ModelsUsed'];

const none = (day: string): Used => ({
  day,
  chats: 0,
  embeds: 0,
  reranks: 0,
  input_tokens: 0,
  output_tokens: 0,
  embed_tokens: 0,
  search_units: 0,
  cost_micro_usd: 0,
});

const everyMsDefault = 2_000;

export class Spending {
  readonly #deps: SpendingDeps;
  /** Usage not yet recorded in the history, by day. */
  readonly #unreported = new Map<string, Used>();
  #month = '';
  #stream: ReturnType<Commands['spending']> | null = null;
  #syncing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #wasSpent: string | null = null;

  constructor(deps: SpendingDeps) {
    this.#deps = deps;
  }

  /** Reads earlier spending, then runs `sync` periodically. The timer does not keep the process alive. */
  async start(): Promise<void> {
    if (this.#hasBudget) await this.sync();
    this.#timer = setInterval(() => void this.sync(), this.#deps.everyMs ?? everyMsDefault).unref();
  }

  /** Records the remaining usage. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.sync();
  }

  /** The cost of some usage, in millionths of a US dollar. */
  costOf({ input_tokens, output_tokens, embed_tokens, search_units }: ModelUsage): number {
    const { input, output, embed, search } = this.#deps.prices;
    return Math.round(
      input_tokens * input + output_tokens * output + embed_tokens * embed + search_units * search * 1000,
    );
  }

  /** Counts a finished call. */
  count(call: ModelCall, usage: ModelUsage): void {
    const day = this.#today();
    const used = this.#unreported.get(day) ?? none(day);
    this.#unreported.set(day, used);
    used[`${call}s`]++;
    used.input_tokens += usage.input_tokens;
    used.output_tokens += usage.output_tokens;
    used.embed_tokens += usage.embed_tokens;
    used.search_units += usage.search_units;
    used.cost_micro_usd += this.costOf(usage);
  }

  /** Fails with `unavailable` if a budget is exhausted. */
  admit(): void {
    const spent = this.spent();
    if (spent !== null) throw new Failure('unavailable', spent);
  }

  /** A sentence about the exhausted budget; null if none is exhausted. */
  spent(): string | null {
    const { day, month } = this.#deps.budget;
    const today = this.#today();
    const [ofDay, ofMonth] = [
      this.#micros((one) => one === today),
      this.#micros((one) => one.startsWith(today.slice(0, 7))),
    ];
    if (day !== null && ofDay >= day * 1e6) return 'The daily budget for language models is spent.';
    if (month !== null && ofMonth >= month * 1e6) return 'The monthly budget for language models is spent.';
    return null;
  }

  /** Records the usage counted here and reads that of other processes. If the history fails, the next run retries. */
  sync(): Promise<void> {
    this.#syncing = this.#syncing.then(() => this.#sync()).catch(() => {});
    return this.#syncing;
  }

  async #sync(): Promise<void> {
    for (const [day, used] of [...this.#unreported]) {
      this.#unreported.delete(day);
      try {
        const cause = { actor: 'system', correlation_id: `spending-${day}` };
        await this.#streamOf(day.slice(0, 7)).execute({ type: 'Count', ...used }, cause, {
          assumeCurrent: true,
        });
      } catch (error) {
        this.#giveBack(used);
        throw error;
      }
    }
    if (this.#hasBudget) await this.#streamOf(this.#today().slice(0, 7)).load();
    const spent = this.spent();
    if (spent !== this.#wasSpent)
      this.#deps.onTrouble(
        spent
          ? `${spent} Questions are answered without models.`
          : 'Language models are within budget again.',
      );
    this.#wasSpent = spent;
  }

  #giveBack(used: Used): void {
    const since = this.#unreported.get(used.day) ?? none(used.day);
    for (const [field, n] of Object.entries(used))
      if (typeof n === 'number') since[field as Exclude<keyof Used, 'day'>] += n;
    this.#unreported.set(used.day, since);
  }

  get #hasBudget(): boolean {
    return this.#deps.budget.day !== null || this.#deps.budget.month !== null;
  }

  #today(): string {
    return this.#deps.clock.now().toISOString().slice(0, 10);
  }

  #micros(counts: (day: string) => boolean): number {
    const recorded: SpendingState['byDay'] = this.#streamOf(this.#today().slice(0, 7)).state.byDay;
    let sum = 0;
    for (const [day, micros] of recorded) if (counts(day)) sum += micros;
    for (const [day, { cost_micro_usd }] of this.#unreported) if (counts(day)) sum += cost_micro_usd;
    return sum;
  }

  #streamOf(month: string): ReturnType<Commands['spending']> {
    if (this.#stream === null || this.#month !== month) {
      this.#stream = this.#deps.commands.spending(month);
      this.#month = month;
    }
    return this.#stream;
  }
}
