/**
 * Exact look-up of a numbered provision. An article is a chunk of its own (several where it is long); a point of it
 * stands inside the article's text (points.ts). A number of several parts ("2.9") is looked up as it is written, then
 * as point 9 of article 2. Where the question names an act, only that act is looked into (named-act.ts).
 */
import type { ChunkSearch, Passage } from '../ports/chunk-search.ts';
import { all, anyOf, formsOf } from '../text/languages/index.ts';
import { type Numbered, parseReferences } from '../text/references/parse.ts';
import { documentsOf } from './act-resolution.ts';
import { covers, matchPassage } from './matching.ts';
import {
  bodyStart,
  type ExactFinding,
  type Found,
  type Links,
  type Provision,
  type RetrievalRequest,
  titleOf,
  type Wanted,
} from './passages.ts';
import { findPoint } from './provision-points.ts';
import { analyseQuestion, type Frequencies, type Question } from './question.ts';
import type { ScoredSentence } from './sentence-model.ts';

/** Words of a paragraph that is a division of its own: "§ 5", "параграф 5". */
const paragraphSign = new RegExp(
  anyOf(
    '§',
    ...all.flatMap(({ pack: { provisions } }) =>
      provisions.paragraphIsDivision
        ? provisions.units.flatMap(({ unit, forms }) => (unit === 'paragraph' ? formsOf(forms) : []))
        : [],
    ),
  ),
  'iu',
);

/** Finds a provision, or what stands beside it. `hits`: what was found by words, to choose among equal numbers. */
export async function findProvision(
  search: ChunkSearch,
  request: RetrievalRequest,
  hits: readonly Found[],
  reference: Wanted,
): Promise<ExactFinding> {
  const { unit, number, chain, act } = reference;
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
  const documents = await documentsOf(search, act, {
    layers: request.layers,
    about: request.about ?? [],
    numbered: act ? await search.byNumber(request, root!.number, rootUnit) : [],
    hits,
  });
  if (documents?.size === 0) return { ...finding, unknownAct: true };
  const ofAct = <T extends Passage>(passages: readonly T[]) =>
    documents ? passages.filter(({ facts }) => documents.has(facts.doc_id)) : passages;
  const withNumber = async (wanted: string, of: string | null): Promise<Found[]> =>
    ordered(ofAct(await search.byNumber(request, wanted, of)), hits, request);

  const any = await withNumber(root!.number, rootUnit);
  const alike = any.filter(({ chunk }) => chunk.unit === root!.unit);
  const own = alike.length > 0 ? alike : any;
  if (inner.length === 0) {
    if (own.length > 0) {
      const provisions = divisions.has(unit) ? await withContents(search, own) : whole(own);
      return { ...finding, provisions };
    }
    if (divisions.has(unit)) return { ...finding, ...(await division(search, request, hits, reference)) };
    const dot = number.lastIndexOf('.');
    const parent = number.slice(0, Math.max(0, dot));
    const isCounted = (await search.numbers(request, unit)).some((one) => one.startsWith(`${parent}.`));
    if (dot > 0 && !isCounted) {
      // "42.2" may be said for point 2 of article 42.
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
    // A text without articles numbers the same "1.2". "часть 4 статьи 9" is no article 9.4.
    const direct = (await withNumber(number, null)).filter(({ chunk }) => chunk.unit !== root!.unit);
    if (direct.length > 0) return { ...finding, provisions: whole(direct) };
  }

  // "§ 5" is never the point of a list; "paragraph 5" may be one.
  const isSign = root!.unit === 'paragraph' && paragraphSign.test(request.question);
  if (rootless.has(root!.unit) && !isSign) {
    // A point by itself: a line of a passage found by words. That no article has the number says nothing of it.
    const lines = documents
      ? await partsOf(search, ordered(ofAct(hits), hits, request))
      : hits.slice(0, rootlessAmong).map((hit) => [hit]);
    for (const parts of lines) {
      const { provisions } = findPoint(parts, '', chain);
      if (provisions.length > 0) return { ...finding, provisions };
    }
    if (!root!.number.includes('.')) return finding;
  }
  const counted = inArticle || isSign ? root!.unit : 'article';
  let numbers = await search.numbers(request, counted);
  let unitOfNear = counted;
  if (numbers.length === 0 && isSign) {
    unitOfNear = 'article';
    numbers = await search.numbers(request, unitOfNear);
  }
  finding.near = beside(numbers, root!.number);
  for (const one of finding.near) {
    const passages = await withNumber(one, unitOfNear);
    const inside = passages.flatMap((passage) => inserted(passage, reference));
    if (inside.length > 0) return { ...finding, provisions: inside, neighbours: [], near: [] };
    if (passages[0]) finding.neighbours.push(passages[0]);
  }
  return finding;
}

/** An inserted provision ("23а", "6¹") that stands below another one's text, from its title line on. */
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

/** The part asked for in each article of that number, or the numbers that the articles have. */
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

/** A numbered division with the passages that stand below its heading in the same document. */
async function withContents(search: ChunkSearch, own: readonly Found[]): Promise<Provision[]> {
  const out: Found[] = [];
  for (const first of own) {
    if (out.some(({ id }) => id === first.id)) continue;
    const { items } = await search.list(first.facts.doc_id, listedAtMost, 0);
    const next = items.find(
      ({ ordinal, chunk }) => ordinal > first.ordinal && chunk.unit === first.chunk.unit,
    );
    // A bare "Приложение 1" has its text under the headings that follow it.
    const bare = first.text.trim() === first.chunk.heading;
    const below = items.filter(
      ({ id, ordinal, chunk }) =>
        id === first.id ||
        (ordinal > first.ordinal &&
          (chunk.path.includes(first.chunk.heading) || (bare && (!next || ordinal < next.ordinal)))),
    );
    out.push(...below.map((passage) => ({ ...passage, score: first.score })));
  }
  return whole(out);
}

/** All passages of the documents of the given ones, a list for each document. */
async function partsOf(search: ChunkSearch, passages: readonly Found[]): Promise<Found[][]> {
  const out: Found[][] = [];
  for (const doc_id of new Set(passages.map(({ facts }) => facts.doc_id))) {
    const { items } = await search.list(doc_id, listedAtMost, 0);
    out.push(items.map((passage) => ({ ...passage, score: 0 })));
  }
  return out;
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
  request: RetrievalRequest,
  hits: readonly Found[],
  { unit, number }: Wanted,
): Promise<Pick<ExactFinding, 'provisions' | 'neighbours' | 'near'>> {
  const [numbered = null] = await search.numbers(request, 'article');
  const articles = numbered === null ? [] : await search.byNumber(request, numbered, 'article');
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
  request: RetrievalRequest,
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
    const { provisions } = await findProvision(search, request, hits, { ...reference, act: null });
    const own = provisions.find(
      ({ passage }) => !isOther(passage) && passage.chunk.lang === source.chunk.lang,
    );
    if (own && links.provisions.length < 2) links.provisions.push(...narrowed(own, question));
  }
  return links;
}

/** Whether two questions share nearly all that their rare words say, seen from both. */
function asksSame(question: Question, other: string, frequencies: Frequencies): boolean {
  if (matchPassage(question, other, '', 0).share < 0.85) return false;
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
  const { sentences } = matchPassage(question, '', passage.text.slice(0, end), 0, from);
  const best = sentences.toSorted((a, b) => b.own - a.own || a.start - b.start).slice(0, 2);
  return best
    .toSorted((a, b) => a.start - b.start)
    .map((one) => ({ passage, start: one.start, end: one.end }));
}

/** By rank of layer, then the preferred language, then as found by words, then in the order of the text. */
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

/** Passages of one number as the articles they make up: adjacent ones of a document under one heading. */
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

/** The parts of a number to compare it by: "5.2", "5-2" and "5а" stand after "5". */
const partsOfNumber = (number: string) =>
  (number.match(/\d+|\p{L}+/gu) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : 0.5));

function compareNumbers(one: string, other: string): number {
  const [a, b] = [partsOfNumber(one), partsOfNumber(other)];
  for (let n = 0; n < Math.max(a.length, b.length); n++) {
    const difference = (a[n] ?? 0) - (b[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The numbers next below and next above one that does not exist; after the last point of a list ("2.9" after "2.1"
 * and "2.2") its last two.
 */
function beside(numbers: readonly string[], wanted: string): string[] {
  const parent = wanted.slice(0, wanted.lastIndexOf('.') + 1);
  const siblings = parent === '' ? [] : numbers.filter((number) => number.startsWith(parent));
  const sorted = (siblings.length > 0 ? siblings : numbers)
    .filter((number) => /^\d/.test(number))
    .toSorted(compareNumbers);
  const above = sorted.findIndex((number) => compareNumbers(number, wanted) > 0);
  if (above >= 0) return sorted.slice(Math.max(0, above - 1), above + 1);
  return sorted.slice(siblings.length > 0 ? -2 : -1);
}
