/** Carries out a plan: look-ups one after the other where one needs what another found. */
import type { Language } from '../domain/events.ts';
import { covers } from '../retrieval/matching.ts';
import type { ExactFinding, Found, Provision, RetrievalResult } from '../retrieval/pipeline.ts';
import { type Numbered, parseReferences } from '../text/references/parse.ts';
import { isStopWord, stem, words } from '../text/words.ts';
import type { Attempt, Edition, LookUp, Plan } from './plan.ts';
import type { CrossReference, CrossReferences, ReferencesWanted } from './references-port.ts';
import type { Referring } from './referring.ts';
import { type Chosen, inOneLanguage } from './sentences.ts';

/** What one look-up found. `label`: what a comparison calls it; null: its edition. */
export interface Side {
  edition: Edition;
  label: string | null;
  found: RetrievalResult;
}

/**
 * What a plan found. `passages` have one side; `editions` and `layers` and `provisions` are told provision by
 * provision; `sides` one below the other, `parts` one after the other. `beside`: the layer a provision is compared with.
 */
export type Findings =
  | { kind: 'passages' | 'provisions' | 'editions' | 'sides' | 'parts'; sides: readonly [Side, ...Side[]] }
  | { kind: 'layers'; sides: readonly [Side]; beside: string }
  | { kind: 'references'; sides: readonly [Side]; references: FollowedReferences };

type FollowedReference = Omit<CrossReference, 'passage'> & { passage: Found };

/** What refers to a provision, or what it refers to. */
export interface FollowedReferences extends Pick<CrossReferences, 'more'> {
  finding: ExactFinding;
  referring: Referring;
  /** Only what leads there was asked for; null: whatever it refers to. */
  only: ExactFinding | null;
  items: readonly FollowedReference[];
  /** What it refers to, as far as it is here. */
  targets: readonly Found[];
}

/** Finds the passages of one look-up; off the main thread. */
export type RunLookUp = (lookUp: LookUp) => Promise<RetrievalResult>;
/** Follows references; see AskDeps. */
export type FollowReferences = (
  wanted: Pick<ReferencesWanted, 'provisions' | 'referring'>,
) => Promise<CrossReferences>;

/** Findings of the first attempt that counts. Rejects as `run` does. */
export async function retrieve(
  plan: Plan,
  lang: Language,
  run: RunLookUp,
  follow?: FollowReferences,
): Promise<Findings> {
  const { focus } = plan;
  const runLookUp: RunLookUp = (wanted) => run(focus === null ? wanted : { focus, ...wanted });
  for (const attempt of plan.attempts) {
    const findings = await tried(attempt, lang, runLookUp, follow);
    if (findings) return findings;
  }
  throw new Error('The last attempt of a plan always counts.');
}

const exists = ({ provisions }: ExactFinding): boolean => provisions.length > 0;

/** What refers to a provision, or what it refers to. The provision itself where that is not known. */
async function referring(
  { lookUp, referring }: Extract<Attempt, { kind: 'references' }>,
  lang: Language,
  run: RunLookUp,
  follow: FollowReferences | undefined,
): Promise<Findings> {
  const found = await run(lookUp);
  const sides: [Side] = [sideOf(lookUp, found)];
  const finding = found.exact.find(exists);
  const followed = finding && (await follows(finding, { referring, only: null }, lang, follow));
  if (!followed) return { kind: 'passages', sides };
  const targets = referring === 'from' ? await provisionsAt(followed.items, lookUp, run) : [];
  return { kind: 'references', sides, references: { ...followed, targets } };
}

/** Whether a provision refers to another. Both of them where that is not known, or one does not exist. */
async function linked(
  { lookUp, link }: Extract<Attempt, { kind: 'link' }>,
  lang: Language,
  run: RunLookUp,
  follow: FollowReferences | undefined,
): Promise<Findings> {
  const found = await run(lookUp);
  const sides: [Side] = [sideOf(lookUp, found)];
  const [finding, only] = [found.exact[link.from], found.exact[link.to]];
  const isThere = finding && only && exists(finding) && exists(only);
  const followed = isThere && (await follows(finding, { referring: 'from', only }, lang, follow));
  if (!followed) return { kind: 'passages', sides };
  return { kind: 'references', sides, references: { ...followed, targets: [] } };
}

/**
 * References from or to a provision: of its text in the asker's language, else of those in others. Null where they cannot
 * be told, or nothing was found and there may be more.
 */
async function follows(
  finding: ExactFinding,
  { referring, only }: Pick<FollowedReferences, 'referring' | 'only'>,
  lang: Language,
  follow: FollowReferences | undefined,
): Promise<Omit<FollowedReferences, 'targets'> | null> {
  if (!follow) return null;
  const { leading } = provisionsFor(finding, lang);
  const layer = leading[0]!.passage.facts.layer.name;
  const twins = finding.provisions.filter(
    (one) => one.passage.facts.layer.name === layer && !leading.includes(one),
  );
  const [root, ...inner] = finding.chain as [Numbered, ...Numbered[]];
  let more = false;
  for (const provisions of [leading, twins]) {
    const keys = new Set(provisions.map(({ passage }) => passage.facts.doc_key));
    if (keys.size === 0) continue;
    const wanted = [...keys].map((doc_key) => ({ ...root, doc_key }));
    const followed = await follow({ provisions: wanted, referring }).catch(() => null);
    if (followed === null) return null;
    more ||= followed.more;
    const items = followed.items
      .map((one) => ({ ...one, passage: { ...one.passage, score: 0 } }))
      .filter((one) => inner.length === 0 || isOfPart(one, referring, inner, provisions))
      .filter((one) => only === null || leadsTo(one, only));
    if (items.length > 0) return { finding, referring, only, items, more: followed.more };
  }
  return more ? null : { finding, referring, only, items: [], more };
}

/** Whether a reference is to a provision that was found, or to a part of it where that was asked for. */
function leadsTo({ to, ...reference }: FollowedReference, { chain, provisions }: ExactFinding): boolean {
  const [root, ...inner] = chain as [Numbered, ...Numbered[]];
  return (
    to.unit === root.unit &&
    to.number === root.number &&
    provisions.some(({ passage }) => passage.facts.doc_key === to.doc_key) &&
    (inner.length === 0 || isOfPart({ to, ...reference }, 'to', inner, provisions))
  );
}

/** Whether a reference is to a part of an article, or stands in it. */
function isOfPart(
  { passage, start, end }: FollowedReference,
  referring: Referring,
  inner: readonly Numbered[],
  provisions: readonly Provision[],
): boolean {
  if (referring === 'from')
    return provisions.some((one) => one.passage.id === passage.id && one.start <= start && end <= one.end);
  const wanted = inner.map(({ number }) => number).join('.');
  return parseReferences(passage.text.slice(start, end)).some(({ chain }) =>
    chain
      .slice(-inner.length)
      .map(({ number }) => number)
      .join('.')
      .startsWith(wanted),
  );
}

/** Maximum number of provisions looked up at once; of further ones only the words that name them are shown. */
const targetsMax = 12;

/** The passages that are referred to, each once. */
async function provisionsAt(
  items: readonly FollowedReference[],
  lookUp: LookUp,
  run: RunLookUp,
): Promise<Found[]> {
  const keys = new Map(items.map(({ to }) => [`${to.doc_key} ${to.unit} ${to.number}`, to] as const));
  const wanted = [...keys.values()].slice(0, targetsMax);
  if (wanted.length === 0) return [];
  const references = wanted.map(({ unit, number, doc_key }) => ({
    ...{ unit, number, of: null, chain: [{ unit, number }], start: 0, end: 0, act: null, doc_key },
  }));
  const { exact } = await run({ ...lookUp, references });
  const passages = exact.flatMap(({ provisions }, n) => {
    const one = provisions.find(({ passage }) => passage.facts.doc_key === wanted[n]!.doc_key);
    return one ? [one.passage] : [];
  });
  return unique(passages);
}

async function tried(
  attempt: Attempt,
  lang: Language,
  run: RunLookUp,
  follow: FollowReferences | undefined,
): Promise<Findings | null> {
  switch (attempt.kind) {
    case 'references':
      return referring(attempt, lang, run, follow);
    case 'link':
      return linked(attempt, lang, run, follow);
    case 'passages': {
      const found = await run(attempt.lookUp);
      if (attempt.onlyIf === 'answerable' && !found.answerable) return null;
      return { kind: 'passages', sides: [sideOf(attempt.lookUp, found)] };
    }
    case 'interpretations': {
      const sides: Side[] = [];
      for (const lookUp of attempt.lookUps) sides.push(sideOf(lookUp, await run(lookUp)));
      const margin = ({ found: { evidence, threshold } }: Side) => evidence.score - threshold;
      const answerable = sides.filter(({ found }) => found.answerable);
      const [best = sides[0]!] = answerable.sort((a, b) => margin(b) - margin(a));
      return { kind: 'passages', sides: [best] };
    }
    case 'parts': {
      const sides = await Promise.all(
        attempt.parts.map(
          async ({ label, lookUp }): Promise<Side> => ({ ...sideOf(lookUp, await run(lookUp)), label }),
        ),
      );
      const answerable = sides.filter(({ found }) => found.answerable).length;
      return answerable >= attempt.atLeast ? { kind: 'parts', sides: sides as [Side, ...Side[]] } : null;
    }
    case 'predecessor': {
      const { current, former } = await bothEditions(attempt, lang, run);
      return current.exact.some(exists)
        ? { kind: 'passages', sides: [{ edition: 'superseded', label: null, found: former }] }
        : null;
    }
    case 'editions': {
      const [first, ...rest] = attempt.lookUps;
      const sides: [Side, ...Side[]] = [sideOf(first!, await run(first!))];
      for (const lookUp of rest) sides.push(sideOf(lookUp, await run(lookUp)));
      return { kind: 'editions', sides };
    }
    case 'layers': {
      const found = await run(attempt.lookUp);
      return found.exact.some(exists)
        ? { kind: 'layers', sides: [sideOf(attempt.lookUp, found)], beside: attempt.beside }
        : null;
    }
    case 'provisions': {
      const found = await run(attempt.lookUp);
      return found.exact.filter(exists).length >= attempt.atLeast
        ? { kind: 'provisions', sides: [sideOf(attempt.lookUp, found)] }
        : null;
    }
    case 'contrast': {
      const found = await run(attempt.lookUp);
      const [best] = inOneLanguage(found, lang).sentences;
      const isHeaded = best && attempt.names.every((name) => isHeadedBy(best.hit, name));
      return found.answerable && isHeaded
        ? { kind: 'passages', sides: [sideOf(attempt.lookUp, ofEach(found, best, attempt.names))] }
        : null;
    }
    case 'sides': {
      const sides: Side[] = [];
      for (const { label, topic, lookUp } of attempt.sides) {
        const { edition, found } = await inEdition(label, lookUp, run);
        const spoken = found.speakers.length > 0;
        // Of two speakers on one topic each is heard on that topic alone.
        const isOpen = topic === null || spoken;
        const sentences = isOpen ? found.sentences : found.sentences.filter((one) => one.named);
        const answerable = found.answerable || (spoken && speaksOfIt(found));
        const name = spoken ? found.speakers.join(', ') : label;
        sides.push({ edition, label: name, found: { ...found, sentences, answerable } });
      }
      return { kind: 'sides', sides: sides as [Side, ...Side[]] };
    }
    case 'both': {
      const { current, former } = await bothEditions(attempt, lang, run);
      return {
        kind: 'sides',
        sides: [
          { edition: 'current', label: null, found: current },
          { edition: 'superseded', label: null, found: former },
        ],
      };
    }
  }
}

/**
 * The same with what a passage says of each of the names before all else, unless one sentence speaks of all of them: what
 * two things are tells how they differ, not what is said of "these terms".
 */
function ofEach(
  found: RetrievalResult,
  { hit, passage, score }: Chosen,
  names: readonly string[],
): RetrievalResult {
  const spoken = found.sentences
    .filter((one) => one.passage === passage)
    .map((one) => ({ one, named: names.filter((name) => holds(hit.text.slice(one.start, one.end), name)) }));
  if (spoken.some(({ named }) => named.length === names.length)) return found;
  const each = names.map((name) => spoken.find(({ named }) => named.includes(name))?.one);
  if (each.includes(undefined)) return found;
  const first = each.map((one) => ({ ...one!, score }));
  return { ...found, sentences: [...first, ...found.sentences.filter((one) => !each.includes(one))] };
}

/** A side in the text in force, or where that has nothing of the name and the one it replaced has, there. */
async function inEdition(
  name: string,
  lookUp: LookUp,
  run: RunLookUp,
): Promise<Pick<Side, 'edition' | 'found'>> {
  const found = await run(lookUp);
  if (found.hits.some((hit) => isHeadedBy(hit, name))) return { edition: 'current', found };
  const former = await run({ ...lookUp, edition: 'superseded' });
  return former.hits.some((hit) => isHeadedBy(hit, name))
    ? { edition: 'superseded', found: former }
    : { edition: 'current', found };
}

/** Whether a passage's heading holds all that a name says. */
export const isHeadedBy = ({ chunk }: Found, name: string): boolean => holds(chunk.heading, name);

function holds(text: string, name: string): boolean {
  const there = words(text).map(stem);
  return words(name)
    .filter((word) => !isStopWord(word))
    .every((word) => there.some((one) => covers(stem(word), one)));
}

const sideOf = ({ edition }: LookUp, found: RetrievalResult): Side => ({ edition, label: null, found });

/** The text in force, and the former one on the same subject. */
async function bothEditions(
  { subject, references }: Pick<Extract<Attempt, { kind: 'both' }>, 'subject' | 'references'>,
  lang: Language,
  run: RunLookUp,
): Promise<{ current: RetrievalResult; former: RetrievalResult }> {
  const current = await run({ question: subject, edition: 'current', references });
  // The subject of a provision is what its heading says; its number may be another one in the other text.
  const provision = firstProvision(current, lang);
  const [best] = inOneLanguage(current, lang).sentences;
  const heading = (provision?.passage ?? best?.hit)?.chunk.heading ?? '';
  const sentence = provision || !best ? '' : best.hit.text.slice(best.start, best.end);
  const matched = await run({
    question: [subject, heading, sentence].join(' '),
    edition: 'superseded',
    references: [],
  });
  // What both words and heading find stands or falls with the words alone, unless only a number was asked for.
  const plain = provision ? null : await run({ question: subject, edition: 'superseded', references: [] });
  const former = plain
    ? { ...matched, answerable: plain.answerable || (current.answerable && heading !== '') }
    : { ...matched, answerable: matched.hits.length > 0, exact: counterpart(matched, lang) };
  return { current, former };
}

/** The provision that stood for one asked for by number: the whole of the best one found by its subject. */
function counterpart(matched: RetrievalResult, lang: Language): RetrievalResult['exact'] {
  const [best] = inOneLanguage(matched, lang).sentences;
  if (!best?.hit.chunk.number) return [];
  const named = { unit: 'article' as const, number: best.hit.chunk.number };
  const provisions = [{ passage: best.hit, start: 0, end: best.hit.text.length }];
  return [{ ...named, chain: [named], unknownAct: false, provisions, neighbours: [], near: [] }];
}

/** Who speaks is known, and speaks in words of their own. */
const spokenShare = 0.3;

const speaksOfIt = ({ hits, evidence }: RetrievalResult): boolean =>
  hits.length > 0 &&
  evidence.features.sentence >= spokenShare &&
  evidence.missingNumbers.length + evidence.missingNames.length === 0;

/** Whether there is something to say of a provision asked for by number, be it that there is none. */
export const isReportable = ({ provisions, neighbours, unknownAct }: ExactFinding): boolean =>
  provisions.length + neighbours.length > 0 || unknownAct;

/** Provisions in the asker's language where there are any, those of the leading layer alone and apart. */
export function provisionsFor(
  finding: ExactFinding,
  asked: Language,
): { leading: Provision[]; others: Provision[]; lang: Language } {
  const own = finding.provisions.filter(({ passage }) => passage.chunk.lang === asked);
  const lang = own.length > 0 ? asked : (finding.provisions[0]?.passage.chunk.lang ?? asked);
  const spoken = finding.provisions.filter(({ passage }) => passage.chunk.lang === lang);
  const first = spoken[0]?.passage.facts.layer.name;
  return {
    leading: spoken.filter(({ passage }) => passage.facts.layer.name === first),
    others: spoken.filter(({ passage }) => passage.facts.layer.name !== first),
    lang,
  };
}

/** The first provision asked for that there is, of the leading layer and the asker's language where they have it. */
export function firstProvision({ exact }: RetrievalResult, lang: Language): Provision | undefined {
  return exact.map((one) => provisionsFor(one, lang).leading[0]).find((one) => one !== undefined);
}

/** Every passage of the findings once: provisions asked for, what stands beside missing ones, then the best by words. */
export function passagesOf(findings: Findings): Found[] {
  const found = findings.sides.flatMap(({ found: { exact, hits, linked } }) => [
    ...exact.flatMap(({ provisions, neighbours }) => [
      ...provisions.map(({ passage }) => passage),
      ...neighbours,
    ]),
    ...hits,
    ...linked.provisions.map(({ passage }) => passage),
  ]);
  return unique([...found, ...followedOf(findings)]);
}

/** The passages that references led to. */
export const followedOf = (findings: Findings): Found[] =>
  findings.kind === 'references'
    ? [...findings.references.targets, ...findings.references.items.map(({ passage }) => passage)]
    : [];

/** Each passage once, at its first place. */
export function unique(found: readonly Found[]): Found[] {
  return [...new Map(found.map((one) => [one.id, one])).values()];
}
