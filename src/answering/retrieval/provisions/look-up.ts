/**
 * Looks up provisions by number. An article is one chunk, or several if it is long, and its points are in its text
 * (points.ts). A number with several parts ("2.9") is looked up as written, then as point 9 of article 2. If the
 * question names an act, only that act is searched (acts.ts).
 */

import { anyOf, formsOf, isSo, languages, rowsOf, type UnitRow } from '../../../language/index.ts';
import type { Passage } from '../../../ports/chunk-search.ts';
import type { AnalysedQuestion } from '../../../reading/analysed-question.ts';
import { matchPassage } from '../../../reading/matching.ts';
import {
  bodyStart,
  type ExactFinding,
  type Found,
  type Provision,
  type RetrievalRequest,
  titleOf,
  type Wanted,
} from '../../../reading/passages.ts';
import type { ScoredSentence } from '../../../reading/sentence-model.ts';
import { type Numbered, parseReferences } from '../../../text/references/parse.ts';
import { actAmong, documentsOf, isTitled } from './acts.ts';
import { findPoint } from './points.ts';
import type { ProvisionReads } from './provision-reads.ts';

/** Matches words for a paragraph that is a division, as in "§ 5" and "параграф 5". */
const paragraphSign = new RegExp(
  anyOf(
    '§',
    ...languages
      .filter((language) => isSo(language, 'provisions.paragraphIsDivision'))
      .flatMap((language) => rowsOf<UnitRow>(language, 'provisions.units'))
      .flatMap(([unit, forms]) => (unit === 'paragraph' ? formsOf(forms) : [])),
  ),
  'iu',
);

/** The limits for each reference in a question. `documents`: the number of documents per layer and language. */
interface Share {
  documents: number;
  /** The amount of text per document, in UTF-16 units. */
  text: number;
}

/** Answers quote at most 2,400 units from each of three documents, but more for a question about a single number. */
const shareOf = (references: number): Share => ({
  documents: Math.max(documentsAtMost, Math.floor(60 / references)),
  text: Math.max(5_000, Math.floor(60_000 / references)),
});
/** Maximum number of provision titles to keep for a division, of which 40 are listed. */
const titlesAtMost = 42;

/**
 * Finds the requested provisions, in order. If the limit on searched passages is reached, the remaining ones are
 * omitted. `hits`: passages found by words, used to choose among provisions with the same number.
 */
export async function findProvisions(
  reads: ProvisionReads,
  request: RetrievalRequest,
  hits: readonly Found[],
): Promise<ExactFinding[]> {
  const share = shareOf(request.references.length);
  const findings: ExactFinding[] = [];
  for (const reference of request.references) {
    if (reads.isSpent) break;
    const finding = await findProvision(reads, request, hits, reference);
    findings.push({ ...finding, provisions: within(share, finding.provisions) });
  }
  return findings;
}

function within(share: Share, provisions: readonly Provision[]): Provision[] {
  const first = new Set(
    firstDocuments(
      provisions.map(({ passage }) => passage),
      share.documents,
    ).map(({ id }) => id),
  );
  const kept = new Map<number, { text: number; titles: Set<string> }>();
  return provisions.filter(({ passage: { id, facts, chunk }, start, end }) => {
    if (!first.has(id)) return false;
    const own = kept.get(facts.doc_id) ?? { text: 0, titles: new Set() };
    kept.set(facts.doc_id, own);
    const title = chunk.number ?? chunk.heading;
    const isNew = !own.titles.has(title) && own.titles.size < titlesAtMost;
    if (own.text >= share.text && !isNew) return false;
    own.titles.add(title);
    own.text += end - start;
    return true;
  });
}

/** Finds a provision or, if it is missing, its neighbours. */
async function findProvision(
  reads: ProvisionReads,
  request: RetrievalRequest,
  hits: readonly Found[],
  reference: Wanted,
): Promise<ExactFinding> {
  const { unit, number, chain, doc_key } = reference;
  const finding: ExactFinding = {
    unit,
    number,
    chain,
    unknownAct: false,
    provisions: [],
    neighbours: [],
    near: [],
  };
  const [root, ...inner] = chain;
  const inArticle = root!.unit === 'article' || inner.length === 0;
  const rootUnit = root!.number.includes('.') ? null : root!.unit;
  const documents = await documentsWith(reads, request, hits, reference, rootUnit);
  if (documents?.size === 0) return { ...finding, unknownAct: true };
  const ofAct = <T extends Passage>(passages: readonly T[]) =>
    documents || doc_key !== undefined
      ? passages.filter(
          ({ facts }) =>
            documents?.has(facts.doc_id) !== false && (doc_key === undefined || facts.doc_key === doc_key),
        )
      : passages;
  const withNumber = async (wanted: string, of: string | null): Promise<Found[]> =>
    ordered(ofAct(await reads.byNumber(wanted, of)), hits, request);

  const any = await withNumber(root!.number, rootUnit);
  const alike = any.filter(({ chunk }) => chunk.unit === root!.unit);
  const own = alike.length > 0 ? alike : any;
  if (inner.length === 0) {
    if (own.length > 0) {
      const provisions = divisions.has(unit) ? await withContents(reads, own) : whole(own);
      return { ...finding, provisions };
    }
    if (divisions.has(unit)) return { ...finding, ...(await division(reads, request, hits, reference)) };
    const dot = number.lastIndexOf('.');
    const parent = number.slice(0, Math.max(0, dot));
    const isCounted = async () =>
      (await reads.numbers(unit)).numbers.some((one) => one.startsWith(`${parent}.`));
    if (dot > 0 && !(await isCounted())) {
      // "42.2" may mean point 2 of article 42.
      const holders = await withNumber(parent, 'article');
      const point = pointOf(holders, parent, [{ unit: 'point', number: number.slice(dot + 1) }]);
      if (point.provisions.length > 0) return { ...finding, provisions: point.provisions };
    }
  } else if (own.length > 0) {
    const point = pointOf(own, root!.number, inner);
    return {
      ...finding,
      provisions: point.provisions,
      near: point.provisions.length > 0 ? [] : point.numbers,
      neighbours: point.provisions.length > 0 ? [] : own.slice(0, 1),
    };
  } else {
    // In documents without articles, provisions are numbered "1.2" directly. But "часть 4 статьи 9" is not article 9.4.
    const direct = (await withNumber(number, null)).filter(({ chunk }) => chunk.unit !== root!.unit);
    if (direct.length > 0) return { ...finding, provisions: whole(direct) };
  }

  // "§ 5" is never a point in a list, whereas "paragraph 5" may be.
  const isSign = root!.unit === 'paragraph' && paragraphSign.test(request.question);
  if (rootless.has(root!.unit) && !isSign) {
    // A point without an article is looked up in the passages found by words; numbers of articles are irrelevant.
    const lines = documents
      ? await partsOf(reads, ordered(ofAct(hits), hits, request))
      : hits.slice(0, rootlessAmong).map((hit) => [hit]);
    for (const parts of lines) {
      reads.count(parts.length);
      const { provisions } = findPoint(parts, '', chain);
      if (provisions.length > 0) return { ...finding, provisions };
    }
    if (!root!.number.includes('.')) return finding;
  }
  const counted = inArticle || isSign ? root!.unit : 'article';
  // Neighbours in other acts are ignored.
  let numbering =
    documents && documents.size <= documentsAtMost
      ? await reads.numbersIn(documents, counted)
      : await reads.numbers(counted);
  let unitOfNear = counted;
  if (numbering.numbers.length === 0 && isSign) {
    unitOfNear = 'article';
    numbering = await reads.numbers(unitOfNear);
  }
  finding.near = numbering.beside(root!.number);
  for (const one of finding.near) {
    const passages = await withNumber(one, unitOfNear);
    const inside = passages.flatMap((passage) => inserted(passage, reference));
    if (inside.length > 0) return { ...finding, provisions: inside, neighbours: [], near: [] };
    if (passages[0]) finding.neighbours.push(passages[0]);
  }
  const [beside] = finding.neighbours;
  const { title = '', doc_id = 0 } = beside?.facts ?? {};
  const isAct = documents?.has(doc_id) && finding.neighbours.every(({ facts }) => facts.doc_id === doc_id);
  return isAct && isTitled(reference.act, title) ? { ...finding, lackedBy: title } : finding;
}

/**
 * Returns the documents of the act; null: any document. If none of them has the number, the act is searched for among
 * documents with the first number or an adjacent one. An act is thus recognised even if it lacks the number, and
 * documents that only mention the act are not mistaken for it.
 */
async function documentsWith(
  reads: ProvisionReads,
  { layers, about = [] }: RetrievalRequest,
  hits: readonly Found[],
  { act, chain }: Wanted,
  unit: string | null,
): Promise<Set<number> | null> {
  if (!act) return null;
  const { number } = chain[0]!;
  const numbered = await reads.byNumber(number, unit);
  const documents = await documentsOf(reads, act, { layers, about, numbered, hits });
  if (unit === null || numbered.some(({ facts }) => documents?.has(facts.doc_id) !== false)) return documents;
  const numbering = await reads.numbers(unit);
  const some = new Set([...numbering.numbers.slice(0, 1), ...numbering.beside(number)]);
  const others = await Promise.all([...some].map((one) => reads.byNumber(one, unit)));
  const holders = await actAmong(reads, act, { layers, about, numbered: others.flat(), hits });
  return holders?.size === 0 ? documents : holders;
}

/** Finds an inserted provision ("23а", "6¹") within the passage of another provision, starting from its title line. */
function inserted(passage: Found, { unit, chain }: Wanted): Provision[] {
  const [root, ...inner] = chain;
  if (inner.length > 0 || /^\d+$/.test(root!.number)) return [];
  const titles = [...passage.text.matchAll(/^[^\n]+$/gmu)].filter(([line]) => {
    const [first] = parseReferences(line.slice(0, 60));
    return first?.unit === unit && first.start === 0 && /^\s*(?:[.:]|$)/.test(line.slice(first.end));
  });
  const at = titles.findIndex(([line]) => parseReferences(line.slice(0, 60))[0]!.number === root!.number);
  if (at < 0) return [];
  const start = titles[at]!.index;
  const end = start + passage.text.slice(start, titles[at + 1]?.index).trimEnd().length;
  return [{ passage, start, end }];
}

const whole = (passages: readonly Found[]): Provision[] =>
  passages.map((passage) => ({ passage, start: 0, end: passage.text.length }));

/** Finds the requested part in each article. If it is missing, returns the numbers that exist. */
function pointOf(
  holders: readonly Found[],
  article: string,
  inner: readonly Numbered[],
): { provisions: Provision[]; numbers: string[] } {
  const provisions: Provision[] = [];
  const known = new Set<string>();
  for (const parts of articles(holders)) {
    const found = findPoint(parts, article, inner);
    provisions.push(...found.provisions);
    for (const other of found.numbers) known.add(other);
  }
  return { provisions, numbers: [...known] };
}

/** Returns a numbered division and the passages below its heading, for the first few documents that contain it. */
async function withContents(reads: ProvisionReads, own: readonly Found[]): Promise<Provision[]> {
  const out: Found[] = [];
  const seen = new Set<number>();
  for (const first of firstDocuments(own, documentsAtMost)) {
    if (seen.has(first.id)) continue;
    if (out.length > 0 && reads.isSpent) break;
    const items = await reads.document(first.facts.doc_id);
    reads.count(items.length);
    const next = items.find(
      ({ ordinal, chunk }) => ordinal > first.ordinal && chunk.unit === first.chunk.unit,
    );
    // If a division such as "Приложение 1" has no text of its own, its content is below the headings that follow.
    const bare = first.text.trim() === first.chunk.heading;
    const below = items.filter(
      ({ id, ordinal, chunk }) =>
        id === first.id ||
        (ordinal > first.ordinal &&
          (chunk.path.includes(first.chunk.heading) || (bare && (!next || ordinal < next.ordinal)))),
    );
    for (const passage of below) {
      seen.add(passage.id);
      out.push({ ...passage, score: first.score });
    }
  }
  return whole(out);
}

/** Returns all passages of the first few documents, one list per document. */
async function partsOf(
  reads: ProvisionReads,
  passages: readonly Found[],
): Promise<readonly (readonly Found[])[]> {
  const out: (readonly Found[])[] = [];
  const ids = new Set(passages.map(({ facts }) => facts.doc_id));
  for (const doc_id of [...ids].slice(0, rootlessAmong)) {
    if (out.length > 0 && reads.isSpent) break;
    out.push(await reads.document(doc_id));
  }
  return out;
}

/** Units that contain provisions. A heading names the unit, and the content below the heading belongs to it. */
const divisions = new Set(['section', 'chapter', 'annex']);
/** Units within articles, or in documents without articles. */
const rootless = new Set(['paragraph', 'part', 'point', 'subpoint', 'indent']);
const rootlessAmong = 5;
/** Maximum number of documents to search for divisions, and of documents quoted for each of many numbers. */
const documentsAtMost = 3;

/**
 * Finds the passages below the heading that names a division. Documents in the leading layer are preferred, then those
 * in the asker's language, then those found by words. If no document has a division with that number, returns the first
 * passage of each adjacent division.
 */
async function division(
  reads: ProvisionReads,
  request: RetrievalRequest,
  hits: readonly Found[],
  { unit, number }: Wanted,
): Promise<Pick<ExactFinding, 'provisions' | 'neighbours' | 'near'>> {
  const [numbered = null] = (await reads.numbers('article')).numbers;
  const articles = numbered === null ? [] : await reads.byNumber(numbered, 'article');
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
    const { below: divisions, numbering } = await reads.divisions(facts.doc_id, unit);
    const below = ordered(divisions.get(number) ?? [], hits, request).toSorted(
      (a, b) => a.ordinal - b.ordinal,
    );
    if (below.length > 0) {
      return { provisions: whole(below), neighbours: [], near: [] };
    }
    if (missing.near.length > 0) continue;
    missing.near = numbering.beside(number);
    missing.neighbours = missing.near.flatMap((one) =>
      ordered(divisions.get(one)?.slice(0, 1) ?? [], hits, request),
    );
  }
  return missing;
}

/** Maximum length, in UTF-16 units, of a linked provision that is quoted whole. Longer ones are shortened. */
const wholeLink = 500;

/**
 * Finds at most two provisions of the leading layer that the best passage names in its headings or text, if it is from
 * another layer. The provisions are in its language.
 */
export async function followLinks(
  reads: ProvisionReads,
  request: RetrievalRequest,
  hits: readonly Found[],
  sentences: readonly ScoredSentence[],
  question: AnalysedQuestion,
): Promise<Provision[]> {
  const [leading] = request.layers;
  const isOther = (hit: Found) => hit.facts.layer.name !== leading;
  const source = hits[sentences[0]?.passage ?? -1];
  const links: Provision[] = [];
  if (!source || !isOther(source) || request.layers.length < 2) return links;
  const named = [...parseReferences(titleOf(source)), ...parseReferences(source.text)];
  const distinct = named.filter((one, n) => named.findIndex((other) => other.number === one.number) === n);
  for (const reference of distinct.slice(0, 3)) {
    if (reads.isSpent) break;
    const { provisions } = await findProvision(reads, request, hits, { ...reference, act: null });
    const own = provisions.find(
      ({ passage }) => !isOther(passage) && passage.chunk.lang === source.chunk.lang,
    );
    if (own && links.length < 2) links.push(...narrowed(own, question));
  }
  return links;
}

/** Shortens a long provision to its two most relevant sentences. */
function narrowed({ passage, start, end }: Provision, question: AnalysedQuestion): Provision[] {
  const from = Math.max(start, bodyStart(passage));
  if (end - from <= wholeLink && start > 0) return [{ passage, start: from, end }];
  const { sentences } = matchPassage(question, '', passage.text.slice(0, end), 0, from);
  const best = sentences.toSorted((a, b) => b.own - a.own || a.start - b.start).slice(0, 2);
  return best
    .toSorted((a, b) => a.start - b.start)
    .map((one) => ({ passage, start: one.start, end: one.end }));
}

/** Sorts by layer, then by language (preferred first), then by the word score of the document, then by position. */
function ordered(passages: readonly Passage[], hits: readonly Found[], request: RetrievalRequest): Found[] {
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

/** Returns the passages of the first `most` documents of each layer and language. */
function firstDocuments(passages: readonly Found[], most: number): Found[] {
  const documents = new Map<string, Set<number>>();
  return passages.filter(({ facts, chunk }) => {
    const group = JSON.stringify([facts.layer.name, chunk.lang]);
    const ids = documents.get(group) ?? new Set();
    documents.set(group, ids);
    if (!ids.has(facts.doc_id) && ids.size === most) return false;
    ids.add(facts.doc_id);
    return true;
  });
}

/** Groups passages into articles: adjacent passages of a document with the same heading. */
function articles(passages: readonly Found[]): Found[][] {
  const documents = new Map<number, Found[]>();
  for (const passage of passages) {
    const known = documents.get(passage.facts.doc_id);
    if (known) known.push(passage);
    else documents.set(passage.facts.doc_id, [passage]);
  }
  const out: Found[][] = [];
  for (const list of documents.values()) {
    for (const passage of list.toSorted((a, b) => a.ordinal - b.ordinal)) {
      const last = out.at(-1)?.at(-1);
      const goesOn =
        last?.facts.doc_id === passage.facts.doc_id &&
        last.ordinal === passage.ordinal - 1 &&
        last.chunk.heading === passage.chunk.heading;
      if (goesOn) out.at(-1)!.push(passage);
      else out.push([passage]);
    }
  }
  return out;
}
