/**
 * `npm run bench -- same-question <folder…>`: how often the FAQ cache would take two questions for the same. A set is
 * `pairs.jsonl` (a, b, lang, label: 1 = the same, kind: same, near, random), gzipped or not. By language: the share of
 * equal pairs it finds, the pairs that differ and that it takes for equal all the same, by kind.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type AnalysedQuestion,
  analyse,
  cacheKeys,
  sameQuestion,
} from '../src/text/paraphrase/same-question.ts';

export interface QuestionPair {
  a: string;
  b: string;
  lang: string;
  label: 0 | 1;
  kind?: string;
}

export interface PairCounts {
  set: string;
  lang: string;
  same: number;
  found: number;
  recall: number | null;
  near: number;
  wrongNear: number;
  random: number;
  wrongRandom: number;
  /** Of all pairs that differ. */
  wrong: number | null;
}

export function readPairs(folder: string): QuestionPair[] {
  const plain = join(folder, 'pairs.jsonl');
  const text = existsSync(plain)
    ? readFileSync(plain, 'utf8')
    : gunzipSync(readFileSync(`${plain}.gz`)).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** Counts over pairs, a row for each language. A pair that differs is "near" unless its kind is "random". */
export function countPairs(set: string, pairs: readonly QuestionPair[]): PairCounts[] {
  const rows = new Map<string, PairCounts>();
  for (const { a, b, lang, label, kind } of pairs) {
    let row = rows.get(lang);
    if (!row) {
      row = {
        set,
        lang,
        same: 0,
        found: 0,
        recall: null,
        near: 0,
        wrongNear: 0,
        random: 0,
        wrongRandom: 0,
        wrong: null,
      };
      rows.set(lang, row);
    }
    const hit = sameQuestion(analyse(a), analyse(b)) ? 1 : 0;
    if (label === 1) {
      row.same++;
      row.found += hit;
    } else if (kind === 'random') {
      row.random++;
      row.wrongRandom += hit;
    } else {
      row.near++;
      row.wrongNear += hit;
    }
  }
  for (const row of rows.values()) {
    const differ = row.near + row.random;
    if (row.same > 0) row.recall = row.found / row.same;
    if (differ > 0) row.wrong = (row.wrongNear + row.wrongRandom) / differ;
  }
  return [...rows.values()];
}

/**
 * How many questions are looked at among many to find the same one, by the keys of the cache: the union of the two
 * rarest keys of each question; the equal pairs it would lose against comparing all.
 */
export function countCandidates(set: string, questions: readonly string[]): Record<string, unknown> {
  const analysed: AnalysedQuestion[] = [...new Set(questions)].map((text) => analyse(text));
  const holders = new Map<string, number[]>();
  for (const [n, question] of analysed.entries()) {
    for (const key of cacheKeys(question)) {
      const known = holders.get(key);
      if (known) known.push(n);
      else holders.set(key, [n]);
    }
  }
  const sizes: number[] = [];
  let pairs = 0;
  let lost = 0;
  for (const [n, question] of analysed.entries()) {
    const lists = cacheKeys(question)
      .map((key) => holders.get(key)!)
      .sort((one, other) => one.length - other.length);
    const near = new Set(lists.slice(0, 2).flat());
    sizes.push(near.size);
    for (const other of new Set(lists.flat())) {
      if (other <= n || !sameQuestion(question, analysed[other]!)) continue;
      pairs++;
      if (!near.has(other)) lost++;
    }
  }
  sizes.sort((one, other) => one - other);
  return {
    set,
    questions: analysed.length,
    candidates: sizes[Math.floor(sizes.length / 2)] ?? 0,
    p95: sizes[Math.floor(sizes.length * 0.95)] ?? 0,
    equal: pairs,
    lost,
  };
}

/** Measures the sets in these folders: a row for each set and language, then one for each set's keys. */
export function sameQuestions(folders: readonly string[]): Record<string, unknown>[] {
  const sets = folders.map((folder) => ({ name: basename(folder), pairs: readPairs(folder) }));
  return [
    ...sets.flatMap(({ name, pairs }) => countPairs(name, pairs).map((row) => ({ ...row }))),
    ...sets.map(({ name, pairs }) =>
      countCandidates(
        name,
        pairs.flatMap(({ a, b }) => [a, b]),
      ),
    ),
  ];
}
