/**
 * Evaluation sets as folders: `corpus.jsonl` (id, title, text, lang), `queries.jsonl` (id, text, lang, answers),
 * `qrels.tsv` (query id, document id, relevance); each may be gzipped, with `.gz` after its name.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface DatasetDocument {
  id: string;
  title?: string;
  text: string;
  lang?: string;
}

export interface DatasetQuery {
  id: string;
  text: string;
  lang?: string;
  /** Texts any of which answers the question; empty where nothing does; absent where the set knows none. */
  answers?: string[];
}

/** Relevance by document id, by query id. */
export type Judgements = Map<string, Map<string, number>>;

export interface Dataset {
  name: string;
  documents: DatasetDocument[];
  queries: DatasetQuery[];
  judgements: Judgements;
}

function read(folder: string, name: string): string {
  const plain = join(folder, name);
  return existsSync(plain)
    ? readFileSync(plain, 'utf8')
    : gunzipSync(readFileSync(`${plain}.gz`)).toString('utf8');
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Reads a set; throws when a file is missing or not of the format. */
export function readDataset(folder: string): Dataset {
  const judgements: Judgements = new Map();
  for (const line of lines(read(folder, 'qrels.tsv'))) {
    const [query, document, relevance] = line.split('\t');
    const grade = Number(relevance);
    if (query === undefined || document === undefined || !Number.isFinite(grade)) continue;
    let judged = judgements.get(query);
    if (!judged) {
      judged = new Map();
      judgements.set(query, judged);
    }
    judged.set(document, grade);
  }
  return {
    name: basename(folder),
    documents: lines(read(folder, 'corpus.jsonl')).map((line) => JSON.parse(line)),
    queries: lines(read(folder, 'queries.jsonl')).map((line) => JSON.parse(line)),
    judgements,
  };
}
