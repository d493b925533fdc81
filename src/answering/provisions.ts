/** Numbered provisions: each quoted with the head of its article, a missing one said to be missing. */
import type { Language, Layer } from '../domain/events.ts';
import { bodyStart, type ExactFinding, type Provision, type Research } from '../retrieval/pipeline.ts';
import { parseReferences, referencesMax } from '../text/references/parse.ts';
import { splitSentences } from '../text/sentences.ts';
import { Draft, localized } from './answer-builder.ts';
import { type Composed, type Frame, layersOf, layerTitle, list, nearest, paragraphs } from './context.ts';
import type { LookUpRequest } from './deps.ts';
import type { Intent } from './intent.ts';
import { phrases } from './phrases.ts';
import type { Chosen } from './sentence-selection.ts';

/** A provision is quoted whole up to this many UTF-16 units. */
const provisionMax = 2400;

/** Provisions in the asker's language where there are any, those of the leading layer alone and apart. */
export function provisionsFor(
  finding: ExactFinding,
  frame: Frame,
): { leading: Provision[]; others: Provision[]; lang: Language } {
  const own = finding.provisions.filter(({ passage }) => passage.chunk.lang === frame.lang);
  const lang = own.length > 0 ? frame.lang : (finding.provisions[0]?.passage.chunk.lang ?? frame.lang);
  const spoken = finding.provisions.filter(({ passage }) => passage.chunk.lang === lang);
  const first = spoken[0]?.passage.facts.layer.name;
  return {
    leading: spoken.filter(({ passage }) => passage.facts.layer.name === first),
    others: spoken.filter(({ passage }) => passage.facts.layer.name !== first),
    lang,
  };
}

/** Numbered provisions, each quoted; those that do not exist are said to be missing. */
export function exact(
  frame: Frame,
  found: Research,
  generation: 'current' | 'superseded',
  draft = new Draft(),
): Composed {
  const words = phrases[frame.lang];
  const corpus = localized(frame.corpus.title, frame.lang);
  const layers = layersOf(frame.corpus, generation);
  let cut = false;
  let quoted = false;
  let told = false;
  const foreign = found.exact
    .map((finding) => provisionsFor(finding, frame).lang)
    .find((lang) => lang !== frame.lang);
  if (foreign && found.exact.some((finding) => finding.provisions.length > 0))
    draft.say(words.otherLanguage(foreign)).paragraph();
  if (frame.leading) draft.say(words.verdict).paragraph();
  // A unit that nothing is numbered by ("chapter 2") was not looked for in vain: it is no provision here.
  for (const finding of found.exact.filter(isTold)) {
    const { leading, others } = provisionsFor(finding, frame);
    if (finding.unknownAct) {
      if (!told) draft.paragraph().say(words.unknownAct(corpus));
      told = true;
      continue;
    }
    if (leading.length === 0) {
      const { facts } = finding.neighbours[0]!;
      const layer = layers.find(({ name }) => name === facts.layer.name);
      // What the former text lacks, the text in force may have.
      missing(
        draft,
        frame,
        finding,
        generation === 'superseded' ? layerTitle(layer, facts.layer.name, frame.lang) : corpus,
      );
      continue;
    }
    quoted = true;
    const documents = groupBy(leading, ({ passage }) => String(passage.facts.doc_id)).slice(0, 3);
    for (const parts of documents) {
      draft.paragraph();
      const layer = layers.find((one) => one.name === parts[0]!.passage.facts.layer.name);
      const name = layerTitle(layer, parts[0]!.passage.facts.layer.name, frame.lang);
      if (generation === 'superseded') draft.say(`${name} (${words.superseded}): `);
      else if (layer !== undefined && layer !== layers[0]) draft.say(`${name}: `);
      cut =
        (isDivision(finding.unit, parts)
          ? contents(draft, finding, parts)
          : provision(draft, frame, parts)) || cut;
    }
    if (isDivision(finding.unit, leading)) continue;
    const note = commentOn(finding, found, frame, layers, others);
    if (note && frame.style !== 'brief') {
      const layer = layers.find((one) => one.name === note.hit.facts.layer.name);
      paragraphs(draft, frame, [note], `${layerTitle(layer, note.hit.facts.layer.name, frame.lang)}: `);
    }
  }
  if (cut) draft.paragraph().say(words.textCut);
  if (frame.moreReferences) draft.paragraph().say(words.firstProvisions(referencesMax));
  if (found.exact.every((one) => one.unknownAct))
    list(draft, frame, nearest(found.hits, frame.lang), words.nearest);
  return {
    mode: quoted ? (generation === 'superseded' ? 'historical' : 'exact') : 'no_answer',
    draft,
    finish: cut || frame.moreReferences ? 'length' : 'stop',
  };
}

/** Provisions of the text in force and of the former one, each quoted from the text it was asked of. */
export async function compareEditions(
  frame: Frame,
  { question, references }: Intent,
  editions: readonly ('current' | 'superseded')[],
  lookUp: (request: Omit<LookUpRequest, 'focus'>) => Promise<Research>,
): Promise<{ composed: Composed; looked: Research[] }> {
  const draft = new Draft();
  const looked: Research[] = [];
  let finish: Composed['finish'] = 'stop';
  let quoted = false;
  for (const generation of [...new Set(editions)]) {
    const of = references.filter((_, n) => editions[n] === generation);
    const found = await lookUp({ question, generation, references: of });
    looked.push(found);
    const told = exact(frame, found, generation, draft.paragraph());
    quoted ||= told.mode !== 'no_answer';
    if (told.finish === 'length') finish = 'length';
  }
  return { composed: { mode: quoted ? 'comparison' : 'no_answer', draft, finish }, looked };
}

/** Whether an answer has something to say of a provision asked for by number, be it that there is none. */
export const isTold = ({ provisions, neighbours, unknownAct }: ExactFinding): boolean =>
  provisions.length + neighbours.length > 0 || unknownAct;

/** Whether it is a division of several provisions: its contents are told, and no text of its own. */
const isDivision = (unit: string, parts: readonly Provision[]) =>
  ['section', 'chapter', 'annex'].includes(unit) && parts.some(({ passage }) => passage.chunk.unit !== unit);

const contentsMax = 40;

/** What stands in a section or chapter: its heading, then the title line of each provision. True: it was cut. */
function contents(draft: Draft, { unit, number }: ExactFinding, parts: readonly Provision[]): boolean {
  const headings = parts.flatMap(({ passage: { chunk } }) => [...chunk.path, chunk.heading]);
  const heading = headings.find((one) =>
    parseReferences(one).some((named) => named.unit === unit && named.number === number),
  );
  draft.say(heading ?? '');
  const told = new Set<string>();
  for (const { passage } of parts) {
    const key = passage.chunk.number ?? passage.chunk.heading;
    if (told.has(key)) continue;
    if (told.size === contentsMax) return true;
    told.add(key);
    const head = bodyStart(passage);
    const first = splitSentences(passage.text)[0];
    const end = head > 0 ? passage.text.slice(0, head).trimEnd().length : (first?.end ?? 0);
    if (passage.text.slice(0, end) === heading) continue;
    if (end > 0) draft.line().quote(passage, head > 0 ? 0 : (first?.start ?? 0), end);
  }
  return false;
}

function missing(draft: Draft, frame: Frame, finding: ExactFinding, corpus: string): void {
  const words = phrases[frame.lang];
  draft.paragraph().say(words.missing(words.provision(finding.chain), corpus));
  const own = finding.neighbours.filter(({ chunk }) => chunk.lang === frame.lang);
  const beside = own.length > 0 ? own : finding.neighbours;
  const [root, ...inner] = finding.chain;
  const isPart = inner.length > 0 && finding.neighbours[0]?.chunk.number === root!.number;
  if (isPart && finding.near.length > 0) draft.say(` ${words.points(finding.near.join(', '))}`);
  // Points stand below one heading: only their numbers tell them apart.
  const unnamed = beside.some(({ chunk }) => !chunk.heading.includes(chunk.number ?? ''));
  const title = unnamed ? `${words.neighbours} ${finding.near.join(', ')}` : words.neighbours;
  list(draft, frame, beside, isPart ? words.nearest : title);
}

/** Quotes a provision with the head of its article. True: it was cut. */
export function provision(draft: Draft, frame: Frame, parts: readonly Provision[]): boolean {
  const { passage, start } = parts[0]!;
  const head = bodyStart(passage);
  const titled = parseReferences(passage.text.slice(start, start + 60))[0]?.start === 0;
  if (start > head && !titled) {
    // A point: the article's title line, then the head of the list it stands in.
    if (head > 0) draft.quote(passage, 0, passage.text.slice(0, head).trimEnd().length).line();
    else if (passage.chunk.heading !== '') draft.say(passage.chunk.heading).line();
    // A subpoint: the line its list stands under.
    if (/^\s*\(?[\da-zа-я]{1,3}\)/u.test(passage.text.slice(start))) {
      const line = passage.text
        .slice(head, start)
        .match(/[^\n]+:(?=[^\S\n]*\n)/g)
        ?.at(-1)
        ?.trimStart();
      if (line && line.length < 400) {
        const from = passage.text.lastIndexOf(line, start);
        draft.quote(passage, from, from + line.length).line();
      }
    }
  } else if (head === 0 && !passage.text.startsWith(passage.chunk.heading))
    draft.say(passage.chunk.heading).line();
  if (frame.style === 'brief') {
    const from = Math.max(start, head);
    const two = splitSentences(passage.text.slice(from, parts[0]!.end)).slice(0, 2);
    const last = two.at(-1);
    if (last) draft.quote(passage, from + two[0]!.start, from + last.end);
    return false;
  }
  let room = provisionMax;
  for (const [n, part] of parts.entries()) {
    const text = part.passage.text.slice(part.start, part.end);
    if (n > 0) draft.line();
    if (text.length <= room) {
      draft.quote(part.passage, part.start, part.end);
      room -= text.length;
      continue;
    }
    const fitting = splitSentences(text)
      .filter((one) => one.end <= room)
      .at(-1);
    if (fitting) draft.quote(part.passage, part.start, part.start + fitting.end);
    return true;
  }
  return false;
}

/** The best sentence of another layer on the same provision: one that carries its number, or names it above. */
function commentOn(
  finding: ExactFinding,
  found: Research,
  frame: Frame,
  layers: readonly Layer[],
  others: readonly Provision[],
): Chosen | null {
  const article = finding.chain[0]!.number;
  const lower = new Set(layers.slice(1).map((layer) => layer.name));
  const hits = [...others.map(({ passage }) => passage), ...found.hits].filter(
    (hit) =>
      lower.has(hit.facts.layer.name) &&
      hit.chunk.lang === frame.lang &&
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
