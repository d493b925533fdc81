/**
 * The fields of a document stored as one of many records: a JSONL line, or a CSV row whose columns have the same names.
 */
import { type FileRecord, Refusal, tidyLine, tidyText } from './blocks.ts';
import { readHints } from './hints.ts';

/**
 * Reads a record from its fields; `source` is the record's raw source. Text is left unparsed, because the caller
 * decides whether it is Markdown. Throws Refusal if the id or text is missing or a value is invalid.
 */
export function readFields(fields: Record<string, unknown>, source: string): Omit<FileRecord, 'line'> {
  const { id, text, question, answer } = fields;
  if ((typeof id !== 'string' && typeof id !== 'number') || String(id).trim() === '')
    throw new Refusal('"id" is missing');
  const pair = isSaid(question) && isSaid(answer);
  if (!pair && typeof text !== 'string') throw new Refusal('"text" is missing');
  const refuse = (_: string, message: string) => {
    throw new Refusal(message);
  };
  const hints = readHints(fields, ['id', 'text', 'doc_key', ...(pair ? ['question', 'answer'] : [])], refuse);
  const { doc_key: key = '' } = readHints({ doc_key: String(id) }, [], refuse);
  return {
    key,
    part: 1,
    source,
    parsed: { title: hints.title ?? null, hints },
    text: typeof text === 'string' ? tidyText(text) : '',
    format: typeof fields.format === 'string' ? fields.format : null,
    pair: pair ? { question: tidyLine(question), answer: tidyText(answer) } : null,
    blocks: [],
  };
}

const isSaid = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
