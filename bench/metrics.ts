/**
 * Measures of a ranking: means over all queries that have a relevant document; a query without results counts 0.
 * nDCG takes the relevance itself as gain, as trec_eval's ndcg_cut does. Equal scores are ordered by document id.
 */
import type { Judgements } from './dataset.ts';

/** Scores by document id, by query id. */
export type Run = Map<string, Map<string, number>>;

export interface RetrievalMetrics {
  queries: number;
  'nDCG@10': number;
  'Recall@5': number;
  'Recall@10': number;
  'Recall@20': number;
  'MRR@10': number;
}

/** Document ids, best first. */
export function ranking(scores: ReadonlyMap<string, number>): string[] {
  return [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id);
}

/** Measures a run against judgements; all values but `queries` lie between 0 and 1. */
export function retrievalMetrics(judgements: Judgements, run: Run): RetrievalMetrics {
  const sums: RetrievalMetrics = {
    queries: 0,
    'nDCG@10': 0,
    'Recall@5': 0,
    'Recall@10': 0,
    'Recall@20': 0,
    'MRR@10': 0,
  };
  for (const [query, judged] of judgements) {
    const gains = new Map([...judged].filter(([, grade]) => grade > 0));
    if (gains.size === 0) continue;
    sums.queries++;
    const ranked = ranking(run.get(query) ?? new Map());
    const discounted = (grades: number[]) =>
      grades.reduce((sum, grade, n) => sum + grade / Math.log2(n + 2), 0);
    const found = ranked.slice(0, 10).map((id) => gains.get(id) ?? 0);
    const best = [...gains.values()].sort((a, b) => b - a).slice(0, 10);
    sums['nDCG@10'] += discounted(found) / discounted(best);
    const first = found.findIndex((grade) => grade > 0);
    if (first >= 0) sums['MRR@10'] += 1 / (first + 1);
    const recall = (depth: number) =>
      ranked.slice(0, depth).filter((id) => gains.has(id)).length / gains.size;
    sums['Recall@5'] += recall(5);
    sums['Recall@10'] += recall(10);
    sums['Recall@20'] += recall(20);
  }
  const mean = (name: keyof RetrievalMetrics) => (sums.queries === 0 ? 0 : sums[name] / sums.queries);
  return {
    queries: sums.queries,
    'nDCG@10': mean('nDCG@10'),
    'Recall@5': mean('Recall@5'),
    'Recall@10': mean('Recall@10'),
    'Recall@20': mean('Recall@20'),
    'MRR@10': mean('MRR@10'),
  };
}
