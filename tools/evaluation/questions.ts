/**
 * Sets of questions, one JSON object per line: `{"id", "query", "corpus", "expect", …}` in judged sets (judging.ts), or
 * `{"id", "text", "lang", "answers"}` with gold answers, none if the question is unanswerable. The documents that
 * answer a question are in its line as `documents`, or in a table of judgements (`qrels.tsv`: question, document,
 * relevance).
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { HistoryMessage, Style } from '../../src/domain/events.ts';
import { Failure } from '../../src/failures.ts';
import type { Expectation } from './judging.ts';

export interface Question {
  id: string;
  query: string;
  /** The set's name for the corpus; null if the set names none. */
  corpus: string | null;
  lang: string | null;
  category: string | null;
  history: HistoryMessage[];
  style: Style | null;
  /** Acceptable answers; empty if the question is unanswerable; null if the set does not state them. */
  answers: string[] | null;
  /** null: not a judged question. */
  expectation: Expectation | null;
  /** Relevance by document key; empty if unknown. */
  documents: Map<string, number>;
}

/** Whether the question is answerable; null if the set does not say, or if it is small talk. */
export function isAnswerable({ answers, expectation, documents }: Question): boolean | null {
  if (expectation) return expectation.expect === 'reply' ? null : expectation.expect === 'answer';
  if (answers) return answers.some((answer) => answer.trim() !== '');
  return documents.size > 0 ? true : null;
}

/** Reads a file, and unzips it if it is gzipped. Failure `not_found`. */
export function textOf(file: string): string {
  if (!existsSync(file)) throw new Failure('not_found', `There is no file ${file}.`);
  const bytes = readFileSync(file);
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** A set with the documents for its questions. */
export interface EvaluationSet {
  name: string;
  /** A JSON object with an `id` per line. */
  documents: string[];
  questions: Question[];
}

/** Reads a folder of `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`, each optionally with `.gz` after its name. */
export function readSet(folder: string): EvaluationSet {
  const [documents, questions, judgements] = ['corpus.jsonl', 'queries.jsonl', 'qrels.tsv'].map((name) => {
    const plain = join(folder, name);
    return textOf(existsSync(plain) ? plain : `${plain}.gz`);
  });
  return {
    name: basename(folder),
    documents: documents!.split('\n').filter((line) => line.trim() !== ''),
    questions: readQuestions(questions!, judgements!),
  };
}

/** Reads questions. Failure `invalid` names the malformed line. */
export function readQuestions(jsonl: string, judgements: string | null): Question[] {
  const judged = judgements === null ? new Map<string, Map<string, number>>() : readJudgements(judgements);
  const seen = new Set<string>();
  return jsonl.split('\n').flatMap((line, n): Question[] => {
    if (line.trim() === '') return [];
    const row = parsed(line, n + 1);
    const id = String(row.id ?? n + 1);
    if (seen.has(id)) throw new Failure('invalid', `Line ${n + 1}: the id ${id} occurs twice.`);
    seen.add(id);
    const query = row.query ?? row.text;
    if (typeof query !== 'string' || query.trim() === '')
      throw new Failure('invalid', `Line ${n + 1} contains no question: "query" or "text" is expected.`);
    const named = Array.isArray(row.documents) ? row.documents.map((key) => [String(key), 1] as const) : [];
    const isJudged = ['answer', 'refusal', 'reply'].includes(String(row.expect));
    return [
      {
        id,
        query,
        corpus: textOrNull(row.corpus),
        lang: textOrNull(row.lang),
        category: textOrNull(row.category),
        history: Array.isArray(row.history) ? (row.history as HistoryMessage[]) : [],
        style: textOrNull(row.style) as Style | null,
        answers: Array.isArray(row.answers) ? row.answers.map(String) : null,
        expectation: isJudged ? ({ lang: 'en', category: '', ...row } as unknown as Expectation) : null,
        documents: new Map([...(judged.get(id) ?? []), ...named]),
      },
    ];
  });
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function parsed(line: string, n: number): Record<string, unknown> {
  try {
    const row: unknown = JSON.parse(line);
    if (row !== null && typeof row === 'object' && !Array.isArray(row)) return row as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new Failure('invalid', `Line ${n} is not a JSON object.`);
}

/** Relevance by document and question, from three columns with or without a header, or the four of TREC. */
export function readJudgements(table: string): Map<string, Map<string, number>> {
  const judgements = new Map<string, Map<string, number>>();
  for (const line of table.split('\n')) {
    const columns = line.includes('\t') ? line.split('\t') : line.split(/\s+/);
    const [question, document, relevance] =
      columns.length >= 4 ? [columns[0], columns[2], columns[3]] : columns;
    const grade = Math.trunc(Number(relevance));
    if (question === undefined || document === undefined || relevance?.trim() === '') continue;
    if (!Number.isFinite(grade)) continue;
    judgements.set(question, (judgements.get(question) ?? new Map()).set(document, grade));
  }
  return judgements;
}
