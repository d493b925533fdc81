/**
 * Exact look-up of a numbered provision. An article is a chunk of its own (several where it is long); a point of it
 * stands inside the article's text, at a line that begins with its number ("2.", "2)", "(2)").
 */
import type { ChunkSearch, Passage } from '../ports.ts';
import { parseReferences } from '../text/references.ts';
import { covers, read } from './evidence.ts';
import type { ScoredSentence } from './extract.ts';
import { analyseQuestion, type Frequencies, type Question } from './question.ts';
import {
  bodyStart,
  type ExactFinding,
  type Found,
  type Links,
  type Provision,
  type ResearchRequest,
  titleOf,
} from './research.ts';

type Reference = ResearchRequest['references'][number];

/** Finds a provision, or what stands beside it. `hits`: what was found by words, to choose among equal numbers. */
export async function lookUp(
  search: ChunkSearch,
  request: ResearchRequest,
  hits: readonly Found[],
  reference: Reference,
): Promise<ExactFinding> {
  const { unit, number } = reference;
  const finding: ExactFinding = { unit, number, provisions: [], neighbours: [], near: [] };
  const space = { corpus_id: request.corpus_id, generation: request.generation };
  const withNumber = async (wanted: string, of: string | null): Promise<Found[]> =>
    ordered(await search.byNumber(space, wanted, of), hits, request);
  const numbered = await withNumber(number, reference.of || number.includes('.') ? null : unit);
  // "часть 4 статьи 9" is no article 9.4.
  const direct = reference.of ? numbered.filter(({ chunk }) => chunk.unit !== reference.of?.unit) : numbered;
  finding.provisions = direct.map((passage) => ({ passage, start: 0, end: passage.text.length }));
  if (direct.length > 0) return finding;
  if (divisions.has(unit)) {
    return { ...finding, ...(await division(search, request, hits, reference)) };
  }

  const [article, ...inner] = number.split('.');
  if (inner.length > 0) {
    const holders = await withNumber(
      article!,
      reference.of?.unit === 'point' ? 'article' : (reference.of?.unit ?? 'article'),
    );
    const known = new Set<string>();
    for (const [document, parts] of byDocument(holders)) {
      const found = findPoint(parts, inner, unit);
      if (found.provision) finding.provisions.push(found.provision);
      else for (const other of found.numbers) known.add(other);
      if (document === holders[0]?.facts.doc_id && !found.provision) finding.neighbours = parts.slice(0, 1);
    }
    finding.near = finding.provisions.length > 0 ? [] : [...known];
    if (finding.provisions.length > 0) finding.neighbours = [];
    if (holders.length > 0) return finding;
  }

  if (inner.length === 0 && rootless.has(unit)) {
    // A point by itself: a line of a passage found by words. That no article has the number says nothing of it.
    for (const hit of hits.slice(0, rootlessAmong)) {
      const { provision } = findPoint([hit], [number], unit);
      if (provision) return { ...finding, provisions: [provision] };
    }
    return finding;
  }
  const root = inner.length > 0 ? (reference.of?.unit ?? 'article') : unit;
  finding.near = beside(await search.numbers(space, root === 'point' ? 'article' : root), article!);
  for (const one of finding.near) {
    const passages = await withNumber(one, root === 'point' ? 'article' : root);
    if (passages[0]) finding.neighbours.push(passages[0]);
  }
  return finding;
}

/** Units that hold provisions: a heading names them, and what stands below it is theirs. */
const divisions = new Set(['section', 'chapter', 'annex']);
/** Units that stand in an article, or in a text that has none. */
const rootless = new Set(['paragraph', 'part', 'point', 'subpoint', 'indent']);
const rootlessAmong = 5;
/** Chunks of a document looked through for its divisions, and documents. */
const listedAtMost = 2000;
const documentsAtMost = 3;

/**
 * The passages below the heading that names a division, in the first document that has such headings: of the leading
 * layer and the asker's language before others, those found by words first. The first passages of the divisions
 * beside it where it has none of that number.
 */
async function division(
  search: ChunkSearch,
  request: ResearchRequest,
  hits: readonly Found[],
  { unit, number }: Reference,
): Promise<Pick<ExactFinding, 'provisions' | 'neighbours' | 'near'>> {
  const space = { corpus_id: request.corpus_id, generation: request.generation };
  const [numbered = null] = await search.numbers(space, 'article');
  const articles = numbered === null ? [] : await search.byNumber(space, numbered, 'article');
  const seen = new Set<number>();
  const candidates = [...ordered(articles, hits, request), ...hits].filter(
    ({ facts }) => !seen.has(facts.doc_id) && seen.add(facts.doc_id),
  );
  const byWords = new Map(hits.map(({ facts }, n) => [facts.doc_id, n] as const).toReversed());
  const rank = ({ facts, chunk }: Found) =>
    request.layers.indexOf(facts.layer.name) * 100 +
    (chunk.lang === request.lang ? 0 : 50) +
    (byWords.get(facts.doc_id) ?? 40);
  const missing: Awaited<ReturnType<typeof division>> = { provisions: [], neighbours: [], near: [] };
  for (const { facts } of candidates.toSorted((a, b) => rank(a) - rank(b)).slice(0, documentsAtMost)) {
    const { items } = await search.list(facts.doc_id, listedAtMost, 0);
    const places = items.map(({ chunk }) =>
      [...chunk.path, chunk.heading]
        .flatMap((heading) => parseReferences(heading.slice(0, 60)))
        .filter((one) => one.unit === unit && one.start < 3)
        .map((one) => one.number),
    );
    const within = (wanted: string) =>
      ordered(
        items.filter((_, n) => places[n]!.includes(wanted)),
        hits,
        request,
      ).toSorted((a, b) => a.ordinal - b.ordinal);
    const below = within(number);
    if (below.length > 0) {
      const provisions = below.map((passage) => ({ passage, start: 0, end: passage.text.length }));
      return { provisions, neighbours: [], near: [] };
    }
    if (missing.near.length > 0) continue;
    missing.near = beside([...new Set(places.flat())], number);
    missing.neighbours = missing.near.flatMap((one) => within(one).slice(0, 1));
  }
  return missing;
}

/** A provision named by another layer is quoted whole up to this many units, else by its best sentences. */
const wholeLink = 500;

/**
 * The provisions of the leading layer that a passage of another layer names, in its headings first, then in its
 * text: that of a question–answer pair that asks the same thing, else the best passage. Two at most, in its language.
 */
export async function followLinks(
  search: ChunkSearch,
  request: ResearchRequest,
  hits: readonly Found[],
  sentences: readonly ScoredSentence[],
  question: Question,
  frequencies: Frequencies,
): Promise<Links> {
  const [leading] = request.layers;
  const isOther = (hit: Found) => hit.facts.layer.name !== leading;
  const first = hits[sentences[0]?.passage ?? -1];
  const same = hits
    .slice(0, 5)
    .find(
      (hit) =>
        isOther(hit) && hit.chunk.question !== null && asksSame(question, hit.chunk.question, frequencies),
    );
  const source = same ?? (first && isOther(first) ? first : undefined);
  const links: Links = { sameQuestion: same !== undefined, provisions: [] };
  if (!source || request.layers.length < 2) return links;
  const named = [...parseReferences(titleOf(source)), ...parseReferences(source.text)];
  const distinct = named.filter((one, n) => named.findIndex((other) => other.number === one.number) === n);
  for (const reference of distinct.slice(0, 3)) {
    const { provisions } = await lookUp(search, request, hits, reference);
    const own = provisions.find(
      ({ passage }) => !isOther(passage) && passage.chunk.lang === source.chunk.lang,
    );
    if (own && links.provisions.length < 2) links.provisions.push(...narrowed(own, question));
  }
  return links;
}

/** Whether two questions share nearly all that their rare words say, seen from both. */
function asksSame(question: Question, other: string, frequencies: Frequencies): boolean {
  if (read(question, other, '', 0).share < 0.85) return false;
  let met = 0;
  let all = 0;
  for (const { stems, weight } of analyseQuestion(other, frequencies).terms) {
    all += weight;
    const theirs = stems[0]!;
    const shared = question.terms.some((term) =>
      term.stems.some((own) => covers(own, theirs) || covers(theirs, own)),
    );
    if (shared) met += weight;
  }
  return met >= 0.75 * all;
}

/** A long provision by the two sentences that say most of what is asked. */
function narrowed({ passage, start, end }: Provision, question: Question): Provision[] {
  const from = Math.max(start, bodyStart(passage));
  if (end - from <= wholeLink && start > 0) return [{ passage, start: from, end }];
  const { sentences } = read(question, '', passage.text.slice(0, end), 0, from);
  const best = sentences.toSorted((a, b) => b.own - a.own || a.start - b.start).slice(0, 2);
  return best
    .toSorted((a, b) => a.start - b.start)
    .map((one) => ({ passage, start: one.start, end: one.end }));
}

/** By rank of layer, then the preferred language, then as found by words, then in the order of the text. */
function ordered(passages: readonly Passage[], hits: readonly Found[], request: ResearchRequest): Found[] {
  const scores = new Map(hits.map((hit) => [hit.facts.doc_id, hit.score] as const).toReversed());
  const rank = (passage: Passage) => {
    const layer = request.layers.indexOf(passage.facts.layer.name);
    return (layer < 0 ? request.layers.length : layer) * 2 + (passage.chunk.lang === request.lang ? 0 : 1);
  };
  return passages
    .map((passage) => ({ ...passage, score: scores.get(passage.facts.doc_id) ?? 0 }))
    .sort(
      (a, b) =>
        rank(a) - rank(b) || b.score - a.score || a.facts.doc_id - b.facts.doc_id || a.ordinal - b.ordinal,
    );
}

function byDocument(passages: readonly Found[]): Map<number, Found[]> {
  const out = new Map<number, Found[]>();
  for (const passage of passages) {
    const list = out.get(passage.facts.doc_id);
    if (list) list.push(passage);
    else out.set(passage.facts.doc_id, [passage]);
  }
  return out;
}

/** The numbers next below and next above one that does not exist. */
function beside(numbers: readonly string[], wanted: string): string[] {
  const value = Number.parseFloat(wanted);
  let below: string | null = null;
  let above: string | null = null;
  for (const number of numbers) {
    const here = Number.parseFloat(number);
    if (Number.isNaN(here)) continue;
    if (here <= value && (below === null || here > Number.parseFloat(below))) below = number;
    if (here > value && (above === null || here < Number.parseFloat(above))) above = number;
  }
  return [below, above].filter((one) => one !== null);
}

interface Mark {
  style: string;
  number: string;
  start: number;
}

/** Lines of a text that begin with a number or letter of a list. */
function marks(text: string, from: number, to: number): Mark[] {
  const out: Mark[] = [];
  for (const found of text
    .slice(from, to)
    .matchAll(/(?:^|\n)[ \t]*(\(?)(\d{1,3}(?:-\d{1,2})?|[a-zа-я])([.)])(?=\s)/gu)) {
    const [all, open, number, close] = found;
    const line = from + found.index + all.search(/[^\s]/u);
    const kind = /\d/.test(number!) ? '1' : 'a';
    out.push({ style: `${open}${kind}${close}`, number: number!, start: line });
  }
  return out;
}

/** A point (of a point …) in the parts of an article; the numbers there are where it is missing. */
function findPoint(
  parts: readonly Found[],
  inner: readonly string[],
  unit: string,
): { provision: Provision | null; numbers: string[] } {
  const style = parts
    .map((part) => marks(part.text, 0, part.text.length)[0]?.style)
    .find((one) => one !== undefined);
  const numbers: string[] = [];
  for (const part of parts) {
    const listed =
      style === undefined
        ? paragraphs(part.text, unit)
        : marks(part.text, 0, part.text.length).filter((mark) => mark.style === style);
    for (const [n, mark] of listed.entries()) {
      numbers.push(mark.number);
      if (mark.number !== inner[0]) continue;
      let start = mark.start;
      let end = listed[n + 1]?.start ?? part.text.length;
      for (const deeper of inner.slice(1)) {
        const below = marks(part.text, start + 1, end);
        const at = below.findIndex((one) => one.number === deeper && one.style === below[0]?.style);
        if (at < 0) return { provision: null, numbers: below.map((one) => one.number) };
        const next = below.slice(at + 1).find((one) => one.style === below[at]!.style);
        start = below[at]!.start;
        end = next?.start ?? end;
      }
      while (end > start && /\s/.test(part.text[end - 1]!)) end--;
      return { provision: { passage: part, start, end }, numbers };
    }
  }
  return { provision: null, numbers };
}

/** Where nothing is numbered, the parts of an article are its paragraphs after the title line. */
function paragraphs(text: string, unit: string): Mark[] {
  if (unit === 'point' || unit === 'subpoint') return [];
  const out: Mark[] = [];
  const first = text.indexOf('\n');
  for (const found of text.matchAll(/(?:^|\n)[ \t]*(?=\S)/gu)) {
    const start = found.index + found[0].length;
    if (start > first) out.push({ style: '', number: String(out.length + 1), start });
  }
  return out;
}
