/** JSON Lines: one document a line. A line that is not one is reported with its number; the others go in. */
import { type ParsedDocument, Refusal } from '../blocks.ts';
import { readHints } from '../hints.ts';

export interface JsonlResult {
  documents: {
    line: number;
    text: string;
    format: string | null;
    parsed: Omit<ParsedDocument, 'blocks'>;
    pair: { question: string; answer: string } | null;
  }[];
  faults: { line: number; message: string }[];
}

/** A line's text is left as it stands; who calls decides whether it is Markdown. */
export function readJsonl(source: string): JsonlResult {
  const documents: JsonlResult['documents'] = [];
  const faults: JsonlResult['faults'] = [];
  const ids = new Set<string>();
  for (const [n, row] of source.split('\n').entries()) {
    if (row.trim() === '') continue;
    try {
      const document = readLine(row, n + 1);
      const key = document.parsed.hints.doc_key ?? '';
      if (ids.has(key)) throw new Refusal(`id "${key}" stands on an earlier line too`);
      ids.add(key);
      documents.push(document);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      faults.push({ line: n + 1, message: error.message });
    }
  }
  return { documents, faults };
}

function readLine(row: string, line: number): JsonlResult['documents'][number] {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch {
    throw new Refusal('not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('not a JSON object');
  const fields = value as Record<string, unknown>;
  const { id, text, question, answer } = fields;
  if ((typeof id !== 'string' && typeof id !== 'number') || String(id).trim() === '')
    throw new Refusal('"id" is missing');
  const pair =
    typeof question === 'string' &&
    typeof answer === 'string' &&
    question.trim() !== '' &&
    answer.trim() !== ''
      ? { question, answer }
      : null;
  if (pair === null && typeof text !== 'string') throw new Refusal('"text" is missing');
  const except = ['id', 'text', 'doc_key', ...(pair ? ['question', 'answer'] : [])];
  const hints = readHints(fields, except, (_, message) => {
    throw new Refusal(message);
  });
  const key = readHints({ doc_key: String(id) }, [], (_, message) => {
    throw new Refusal(message);
  });
  return {
    line,
    text: typeof text === 'string' ? text : '',
    format: typeof fields.format === 'string' ? fields.format : null,
    parsed: { title: hints.title ?? null, hints: { ...hints, ...key } },
    pair,
  };
}
