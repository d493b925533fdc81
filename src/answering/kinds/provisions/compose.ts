/** Presents numbered provisions. Each is quoted with the heading of its article, and missing ones are reported. */

import type { Layer } from '../../../domain/events.ts';
import type { Edition } from '../../../question/editions.ts';
import type { ExactFinding, Provision, RetrievalResult } from '../../../reading/passages.ts';
import { bodyStart } from '../../../reading/passages.ts';
import { phrases } from '../../../text/phrases.ts';
import { parseReferences, referencesMax } from '../../../text/references/parse.ts';
import { splitSentences } from '../../../text/sentences.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { list, paragraphs, quotePassage } from '../../writing/layout.ts';
import { nearest } from '../../writing/refusal.ts';
import type { ChosenSentence } from '../../writing/sentences.ts';
import { layersOf, layerTitle, localized } from '../../writing/sources.ts';
import { isReportable, provisionsFor } from '../findings.ts';
import type { Side } from '../kind.ts';

/** Maximum length, in UTF-16 units, of a provision that is quoted as a whole. */
const provisionMax = 2400;

/** Quotes numbered provisions and reports the missing ones. */
export function exact(
  context: AnswerContext,
  found: RetrievalResult,
  edition: Edition,
  builder = new AnswerBuilder(),
): PreparedAnswer {
  const words = phrases[context.lang];
  const corpus = localized(context.corpus.title, context.lang);
  const layers = layersOf(context.corpus, edition);
  let cut = false;
  let quoted = false;
  let unknown = false;
  const foreign = found.exact
    .map((finding) => provisionsFor(finding, context.lang).lang)
    .find((lang) => lang !== context.lang);
  if (foreign && found.exact.some((finding) => finding.provisions.length > 0))
    builder.text(words.otherLanguage(foreign)).paragraph();
  if (context.asksJudgement) builder.text(words.verdict).paragraph();
  // A unit that is not numbered in any document ("chapter 2") is not a missing provision.
  for (const finding of found.exact.filter(isReportable)) {
    if (builder.overflowed) break;
    const { leading, others } = provisionsFor(finding, context.lang);
    if (finding.unknownAct) {
      if (!unknown) builder.paragraph().text(words.unknownAct(corpus));
      unknown = true;
      continue;
    }
    if (leading.length === 0) {
      const { facts } = finding.neighbours[0]!;
      // The current text may contain a provision that the former text lacks.
      const text =
        edition === 'superseded' ? layerTitle(layers, facts.layer.name, context.lang) : finding.lackedBy;
      const provision = words.provision(finding.chain);
      builder
        .paragraph()
        .text(text === undefined ? words.missing(provision, corpus) : words.missingIn(provision, text));
      besideMissing(builder, context, finding);
      continue;
    }
    quoted = true;
    const documents = groupBy(leading, ({ passage }) => String(passage.facts.doc_id)).slice(0, 3);
    const several = new Set(documents.map(([first]) => first!.passage.facts.title)).size > 1;
    for (const parts of documents) {
      builder.paragraph();
      const { facts } = parts[0]!.passage;
      const layer = facts.layer.name;
      const name = layerTitle(layers, layer, context.lang);
      if (edition === 'superseded') builder.text(`${name} (${words.superseded}): `);
      else if (layers.slice(1).some((one) => one.name === layer)) builder.text(`${name}: `);
      // Articles with the same number can be distinguished only by their acts.
      else if (several) builder.text(`${facts.title}: `);
      cut =
        (isDivision(finding.unit, parts)
          ? contents(builder, finding, parts)
          : provision(builder, context, parts)) || cut;
    }
    if (isDivision(finding.unit, leading)) continue;
    const note = commentOn(finding, found, context, layers, others);
    if (note && context.style !== 'brief') {
      const label = `${layerTitle(layers, note.hit.facts.layer.name, context.lang)}: `;
      paragraphs(builder, context, [note], label);
    }
  }
  if (cut || builder.overflowed) builder.paragraph().text(words.textCut);
  const isCut = context.moreReferences || found.exactIsCut === true;
  if (isCut)
    builder.paragraph().text(words.firstProvisions(found.exactIsCut ? found.exact.length : referencesMax));
  if (found.exact.every((one) => one.unknownAct))
    list(builder, context, nearest(found.hits, context.lang), words.nearest);
  return {
    mode: quoted ? (edition === 'superseded' ? 'historical' : 'exact') : 'no_answer',
    builder,
    finish: cut || isCut ? 'length' : 'stop',
  };
}

/** Quotes provisions of the current text and of the former text. */
export function fromEditions(context: AnswerContext, sides: readonly Side[]): PreparedAnswer {
  const builder = new AnswerBuilder();
  let finish: PreparedAnswer['finish'] = 'stop';
  let quoted = false;
  for (const { edition, found } of sides) {
    const answer = exact(context, found, edition, builder.paragraph());
    quoted ||= answer.mode !== 'no_answer';
    if (answer.finish === 'length') finish = 'length';
  }
  return { mode: quoted ? 'comparison' : 'no_answer', builder, finish };
}

/** Whether the finding is a division with several provisions. Instead of its text, its contents are then listed. */
const isDivision = (unit: string, parts: readonly Provision[]) =>
  ['section', 'chapter', 'annex'].includes(unit) && parts.some(({ passage }) => passage.chunk.unit !== unit);

const contentsMax = 40;

/**
 * Lists the contents of a division: its heading, then the title line of each provision. Returns true if the list was
 * cut.
 */
function contents(
  builder: AnswerBuilder,
  { unit, number }: ExactFinding,
  parts: readonly Provision[],
): boolean {
  const headings = parts.flatMap(({ passage: { chunk } }) => [...chunk.path, chunk.heading]);
  const heading = headings.find((one) =>
    parseReferences(one).some((named) => named.unit === unit && named.number === number),
  );
  builder.text(heading ?? '');
  const listed = new Set<string>();
  for (const { passage } of parts) {
    const key = passage.chunk.number ?? passage.chunk.heading;
    if (listed.has(key)) continue;
    if (listed.size === contentsMax) return true;
    listed.add(key);
    const head = bodyStart(passage);
    const first = splitSentences(passage.text)[0];
    const end = head > 0 ? passage.text.slice(0, head).trimEnd().length : (first?.end ?? 0);
    if (passage.text.slice(0, end) === heading) continue;
    if (end > 0) builder.line().quote(passage, head > 0 ? 0 : (first?.start ?? 0), end);
  }
  return false;
}

function besideMissing(builder: AnswerBuilder, context: AnswerContext, finding: ExactFinding): void {
  const words = phrases[context.lang];
  const own = finding.neighbours.filter(({ chunk }) => chunk.lang === context.lang);
  const beside = own.length > 0 ? own : finding.neighbours;
  const [root, ...inner] = finding.chain;
  const isPart = inner.length > 0 && finding.neighbours[0]?.chunk.number === root!.number;
  if (isPart && finding.near.length > 0) builder.text(` ${words.points(finding.near.join(', '))}`);
  // Points with the same heading can be distinguished only by their numbers.
  const unnamed = beside.some(({ chunk }) => !chunk.heading.includes(chunk.number ?? ''));
  const title = unnamed ? `${words.neighbours} ${finding.near.join(', ')}` : words.neighbours;
  list(builder, context, beside, isPart ? words.nearest : title);
}

/**
 * Quotes a provision below the title of its article. For a part of an article, the title only shows the location and is
 * not part of the quotation. Returns true if the provision was cut.
 */
export function provision(
  builder: AnswerBuilder,
  context: AnswerContext,
  parts: readonly Provision[],
): boolean {
  const { passage, start } = parts[0]!;
  const head = bodyStart(passage);
  const titled = parseReferences(passage.text.slice(start, start + 60))[0]?.start === 0;
  const title = head > 0 ? passage.text.slice(0, head).trim() : passage.chunk.heading;
  if (start > 0 && start >= head && !titled) {
    if (title !== '') builder.text(title).paragraph();
    // For a subpoint, the line that introduces its list.
    if (/^\s*\(?[\d\p{Ll}]{1,3}\)/u.test(passage.text.slice(start))) {
      const line = passage.text
        .slice(head, start)
        .split('\n')
        .slice(0, -1)
        .map((one) => one.trimEnd())
        .findLast((one) => one.length > 1 && one.endsWith(':'))
        ?.trimStart();
      if (line && line.length < 400) {
        const from = passage.text.lastIndexOf(line, start);
        builder.quote(passage, from, from + line.length).line();
      }
    }
  } else if (head === 0 && !passage.text.startsWith(title)) builder.text(title).line();
  if (context.style === 'brief') {
    const from = Math.max(start, head);
    const two = splitSentences(passage.text.slice(from, parts[0]!.end)).slice(0, 2);
    const last = two.at(-1);
    if (last) builder.quote(passage, from + two[0]!.start, from + last.end);
    return false;
  }
  let room = provisionMax;
  for (const [n, part] of parts.entries()) {
    const text = part.passage.text.slice(part.start, part.end);
    if (n > 0) builder.line();
    if (text.length <= room) {
      builder.quote(part.passage, part.start, part.end);
      room -= text.length;
      continue;
    }
    const fitting = splitSentences(text)
      .filter((one) => one.end <= room)
      .at(-1);
    if (fitting) builder.quote(part.passage, part.start, part.start + fitting.end);
    return true;
  }
  return false;
}

/**
 * Finds the best sentence of another layer about the same provision. Its passage must have the same number, or name the
 * provision in its headings.
 */
function commentOn(
  finding: ExactFinding,
  found: RetrievalResult,
  context: AnswerContext,
  layers: readonly Layer[],
  others: readonly Provision[],
): ChosenSentence | null {
  const article = finding.chain[0]!.number;
  const lower = new Set(layers.slice(1).map((layer) => layer.name));
  const hits = [...others.map(({ passage }) => passage), ...found.hits].filter(
    (hit) =>
      lower.has(hit.facts.layer.name) &&
      hit.chunk.lang === context.lang &&
      (hit.chunk.number === article ||
        parseReferences(
          [hit.facts.title, ...hit.chunk.path, hit.chunk.heading, hit.chunk.question ?? ''].join('. '),
        ).some((one) => (one.of?.number ?? one.number) === article)),
  );
  const hit = hits[0];
  if (!hit) return null;
  const known = found.sentences.find((one) => found.hits[one.passage]!.id === hit.id);
  if (known) return { ...known, hit };
  const from = bodyStart(hit);
  const first = splitSentences(hit.text.slice(from))[0];
  return first
    ? {
        passage: 0,
        score: 0,
        share: 0,
        own: 0,
        named: true,
        start: from + first.start,
        end: from + first.end,
        hit,
      }
    : null;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}

/** Quotes a provision without its title line, up to the limit for one side. Returns true if it was cut. */
export function shortened(
  builder: AnswerBuilder,
  context: AnswerContext,
  { passage: hit, start: from, end: to }: Provision,
): boolean {
  const start = Math.max(from, bodyStart(hit));
  const end = Math.min(to, start + sideMax(hit.text, start));
  quotePassage(builder, context, [{ hit, start, end, cut: false }]);
  return end < to;
}

/** Cuts text to at most 1,200 units, at the end of a line or sentence. */
function sideMax(text: string, start: number): number {
  const most = 1200;
  if (text.length - start <= most) return text.length - start;
  const piece = text.slice(start, start + most);
  const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('. ') + 1);
  return piece.slice(0, end > 0 ? end : most).trimEnd().length;
}
