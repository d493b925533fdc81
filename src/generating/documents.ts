/** Converts the best passages to documents for a model, without duplicates and with metadata as fields. */

import { unique } from '../answering/kinds/findings.ts';
import type { AnswerContext } from '../answering/writing/context.ts';
import { addressOf, layersOf, layerTitle } from '../answering/writing/sources.ts';
import { linksIn } from '../domain/marks.ts';
import type { ModelDocument } from '../ports/models.ts';
import type { Found } from '../reading/passages.ts';
import { withoutInjections } from '../text/prompt-injection.ts';
import { parseReferences } from '../text/references/parse.ts';
import { splitSentences } from '../text/sentences.ts';
import { words } from '../text/words.ts';

export interface GivenDocument extends ModelDocument {
  passage: Found;
}

/** Maximum number of passages per call, and maximum total length in UTF-16 units. */
const documentsMax = 8;
const unitsMax = 24_000;
/** Maximum number of links per passage. */
const linksMax = 10;
/** Shorter text without a complete sentence is a remainder of a page rather than a passage. */
const stumpUnits = 80;
/** A passage is redundant if another passage contains at least this share of it. */
const containedShare = 0.9;
/** Minimum number of lines in a table of contents, and minimum share of lines that are entries. */
const contents = { lines: 5, share: 0.6 };

/**
 * Returns the passages, best first, as documents with the ids "1", "2", …. Instructions to the assistant are removed.
 */
export function documentsOf(context: AnswerContext, passages: readonly Found[]): GivenDocument[] {
  const all = unique(passages);
  const footers = footersOf(all);
  const given: GivenDocument[] = [];
  const read: Set<string>[] = [];
  let units = 0;
  for (const passage of all) {
    if (given.length === documentsMax) break;
    if (hasTwin(passage, all, context)) continue;
    const text = withoutInjections(withoutFooter(passage, footers));
    const sentences = sentenceKeys(text);
    if (isStump(passage, text) || isContents(text)) continue;
    if (read.some((other) => shareOf(sentences, other) >= containedShare)) continue;
    units += text.length;
    if (units > unitsMax && given.length > 0) break;
    read.push(sentences);
    given.push({ id: String(given.length + 1), text, passage, ...fieldsOf(context, passage) });
  }
  return given;
}

function fieldsOf(context: AnswerContext, passage: Found): Omit<ModelDocument, 'id' | 'text'> {
  const { facts, chunk } = passage;
  const { layers } = context.corpus;
  const isSuperseded = facts.layer.kind === 'superseded';
  const links = linksOf(passage);
  const hasEditions = layers.some(({ kind }) => kind === 'superseded');
  return {
    title: addressOf(passage, context),
    language: chunk.lang,
    ...(links.length > 0 && { links: links.slice(0, linksMax) }),
    ...(facts.event_date !== null && { date: facts.event_date }),
    ...(layersOf(context.corpus, 'current').length > 1 && {
      layer: layerTitle(layers, facts.layer.name, context.lang),
    }),
    ...(hasEditions && { status: isSuperseded ? 'no longer in force' : 'in force' }),
  };
}

/** The texts and targets of the links in a passage, whose text does not contain the targets. */
function linksOf({ chunk, text }: Found): string[] {
  return linksIn(chunk).map(({ start, end, url }) => `${text.slice(start, end)}: ${url}`);
}

/** Whether the passages also contain this numbered provision in the asker's language. */
function hasTwin({ chunk, facts }: Found, all: readonly Found[], { lang }: AnswerContext): boolean {
  if (chunk.lang === lang || chunk.number === null) return false;
  return all.some(
    (one) =>
      one.chunk.lang === lang &&
      one.chunk.number === chunk.number &&
      one.chunk.unit === chunk.unit &&
      one.facts.layer.name === facts.layer.name,
  );
}

const isStump = ({ chunk }: Found, text: string): boolean =>
  text.trim().length < stumpUnits &&
  chunk.number === null &&
  chunk.question === null &&
  !/[.!?…;|]["»”)\]]*\s*$/u.test(text);

/**
 * Whether text is a table of contents: most lines end with a page number after dots or spaces, or begin with a
 * provision and have no end punctuation.
 */
function isContents(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < contents.lines) return false;
  const entries = lines.filter(
    (line) =>
      endsWithPage(line) ||
      (line.length < 120 && !/[.;:,]\s*$/u.test(line) && parseReferences(line, 1)[0]?.start === 0),
  );
  return entries.length / lines.length >= contents.share;
}

function endsWithPage(line: string): boolean {
  const [page] = /\d{1,4}$/.exec(line.trimEnd()) ?? [];
  if (page === undefined) return false;
  const before = line.trimEnd().slice(0, -page.length);
  const title = before.trimEnd();
  return before.length - title.length > 1 || title.endsWith('...') || title.endsWith('…');
}

/** The lines that are last in several passages of a document, such as footers and links to other parts. */
function footersOf(passages: readonly Found[]): ReadonlySet<string> {
  const seen = new Map<string, number>();
  for (const { facts, text } of passages) {
    const key = `${facts.doc_id} ${lastLine(text).text}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return new Set([...seen].flatMap(([key, count]) => (count > 1 ? [key] : [])));
}

function withoutFooter({ facts, text }: Found, footers: ReadonlySet<string>): string {
  const { at, text: line } = lastLine(text);
  return at > 0 && footers.has(`${facts.doc_id} ${line}`) ? text.slice(0, at).trimEnd() : text;
}

function lastLine(text: string): { at: number; text: string } {
  const trimmed = text.trimEnd();
  const at = trimmed.lastIndexOf('\n') + 1;
  return { at, text: trimmed.slice(at).trim() };
}

const sentenceKeys = (text: string): Set<string> =>
  new Set(
    splitSentences(text)
      .map(({ start, end }) => words(text.slice(start, end)).join(' '))
      .filter((key) => key !== ''),
  );

/** The share of a text's sentences, by length, that another text contains. */
function shareOf(sentences: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let all = 0;
  let shared = 0;
  for (const one of sentences) {
    all += one.length;
    if (other.has(one)) shared += one.length;
  }
  return all === 0 ? 1 : shared / all;
}
