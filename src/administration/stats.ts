/** The figures of the dashboard, put together from the counters of the read models. */
import { latencyPercentile } from '../../projections/stats.ts';
import type { Doc } from '../ports/read-models.ts';

export interface AskedOften {
  query: string;
  corpus_id: string;
  count: number;
  last_asked_at: string;
}

export interface QuestionStats {
  questions: { today: number; last_7_days: number; last_30_days: number; all: number };
  /** The last 30 days (UTC), the oldest first, also those without a question. */
  by_day: { date: string; questions: number; errors: number; unanswered: number }[];
  by_corpus: Record<string, number>;
  by_mode: Record<string, number>;
  by_lang: Record<string, number>;
  by_channel: Record<string, number>;
  /** Shares from 0 to 1: of all that have ended; of those that were answered or not for want of evidence. */
  error_rate: number;
  cache_hit_rate: number;
  abstention_rate: number;
  latency_ms: { p50: number | null; p95: number | null; p99: number | null };
  ratings: { up: number; down: number };
}

const days = 30;
const dayMs = 86_400_000;

const numberOf = (doc: Doc | undefined, field: string): number => Number(doc?.[field] ?? 0);
const share = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1e4) / 1e4;

/** `counters`: the records of the collection `stats` by their key. */
export function questionStats(counters: ReadonlyMap<string, Doc>, now: Date): QuestionStats {
  const all = counters.get('all');
  const dates = Array.from({ length: days }, (_, i) =>
    new Date(now.getTime() - (days - 1 - i) * dayMs).toISOString().slice(0, 10),
  );
  const by_day = dates.map((date) => {
    const day = counters.get(`day:${date}`);
    return {
      date,
      questions: numberOf(day, 'asked'),
      errors: numberOf(day, 'failed'),
      unanswered: numberOf(day, 'withheld'),
    };
  });
  const last = (count: number) => by_day.slice(-count).reduce((sum, day) => sum + day.questions, 0);
  const by = (kind: string) =>
    Object.fromEntries(
      [...counters]
        .filter(([key]) => key.startsWith(`${kind}:`))
        .map(([key, doc]) => [key.slice(kind.length + 1), numberOf(doc, 'asked')] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  const answered = numberOf(all, 'answered') + numberOf(all, 'withheld');
  const latency = counters.get('latency') ?? {};
  return {
    questions: {
      today: last(1),
      last_7_days: last(7),
      last_30_days: last(30),
      all: numberOf(all, 'asked'),
    },
    by_day,
    by_corpus: by('corpus'),
    by_mode: by('mode'),
    by_lang: by('lang'),
    by_channel: by('channel'),
    error_rate: share(numberOf(all, 'failed'), numberOf(all, 'asked')),
    cache_hit_rate: share(numberOf(all, 'cached'), answered),
    abstention_rate: share(numberOf(all, 'withheld'), answered),
    latency_ms: {
      p50: latencyPercentile(latency, 0.5),
      p95: latencyPercentile(latency, 0.95),
      p99: latencyPercentile(latency, 0.99),
    },
    ratings: { up: numberOf(all, 'rated_up'), down: numberOf(all, 'rated_down') },
  };
}

/** Questions of the same words counted together, the most frequent first. */
export function askedOften(records: readonly Doc[], limit: number): AskedOften[] {
  const found = new Map<string, AskedOften>();
  for (const { query, corpus_id, asked_at } of records) {
    const key = `${corpus_id} ${String(query)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()}`;
    const before = found.get(key);
    if (before) before.count++;
    else
      found.set(key, {
        query: String(query),
        corpus_id: String(corpus_id),
        count: 1,
        last_asked_at: String(asked_at),
      });
  }
  return [...found.values()].sort((a, b) => b.count - a.count).slice(0, limit);
}
