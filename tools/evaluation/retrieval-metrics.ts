/**
 * Ranking metrics as in score.py of the evaluation sets and trec_eval's ndcg_cut: the gain is the relevance itself, a
 * query without results counts as 0, and only queries with a relevant document are measured.
 */

/** All between 0 and 1. */
export interface RankingScores {
  'nDCG@10': number;
  'Recall@5': number;
  'Recall@10': number;
  'Recall@20': number;
  'MRR@10': number;
}

/** Metrics of one ranking, best first; null if no document is relevant. */
export function rankingScores(
  ranked: readonly string[],
  judged: ReadonlyMap<string, number>,
): RankingScores | null {
  const gains = new Map([...judged].filter(([, grade]) => grade > 0));
  if (gains.size === 0) return null;
  const discounted = (grades: number[]) =>
    grades.reduce((sum, grade, n) => sum + grade / Math.log2(n + 2), 0);
  const found = ranked.slice(0, 10).map((id) => gains.get(id) ?? 0);
  const best = [...gains.values()].sort((a, b) => b - a).slice(0, 10);
  const first = found.findIndex((grade) => grade > 0);
  const recall = (depth: number) => ranked.slice(0, depth).filter((id) => gains.has(id)).length / gains.size;
  return {
    'nDCG@10': discounted(found) / discounted(best),
    'Recall@5': recall(5),
    'Recall@10': recall(10),
    'Recall@20': recall(20),
    'MRR@10': first < 0 ? 0 : 1 / (first + 1),
  };
}
