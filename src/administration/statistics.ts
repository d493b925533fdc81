/** The figures of the dashboard, put together from the counters of the read models. */
import { latencyPercentile } from '../../projections/stats.ts';
import type { AskedOften, Stats } from '../api/statistics.ts';
import type { Doc } from '../ports/read-models.ts';
import { type Acting, type AdministrationDeps, all } from './context.ts';
import { coverageOf } from './embeddings.ts';

export interface Statistics {
  stats(acting: Acting): Promise<Stats>;
}

const mostAsked = 10;
/** Unanswered questions are counted among the latest ones. */
const unansweredLatest = 200;

export function statistics(
  deps: Pick<AdministrationDeps, 'reads' | 'audit' | 'clock' | 'keys' | 'embedder'>,
): Statistics {
  const { reads, audit, clock, keys, embedder } = deps;
  return {
    async stats(acting) {
      await audit.read(acting.name, 'stats', acting.request_id);
      const [counters, corpora, most, unanswered, covered] = await Promise.all([
        all(deps, 'stats'),
        all(deps, 'corpora'),
        reads.find('asked', { orderBy: { field: 'count', descending: true }, limit: mostAsked }),
        reads.find('queries', {
          where: { mode: 'no_answer' },
          orderBy: { field: 'asked_at', descending: true },
          limit: unansweredLatest,
        }),
        reads.coverage(embedder?.name ?? ''),
      ]);
      const sum = (field: string) => corpora.reduce((n, doc) => n + Number(doc[field] ?? 0), 0);
      return {
        ...questionStats(new Map(counters.map((one) => [String(one.counter ?? ''), one])), clock.now()),
        most_asked: most.items.map(({ query, corpus_id, count, last_asked_at }) => ({
          query: String(query),
          corpus_id: String(corpus_id),
          count: Number(count),
          last_asked_at: String(last_asked_at),
        })),
        unanswered: askedOften(unanswered.items, mostAsked),
        documents: sum('document_count'),
        chunks: sum('chunk_count'),
        embeddings: coverageOf(covered),
        active_keys: keys.list().filter(({ revoked_at }) => revoked_at === null).length,
      };
    },
  };
}

type QuestionStats = Omit<
  Stats,
  'most_asked' | 'unanswered' | 'documents' | 'chunks' | 'embeddings' | 'active_keys'
>;

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
