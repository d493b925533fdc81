/**
 * Answers without a model: the best sentences word for word, arranged by layer, language and style. What is not a
 * quotation is a fixed phrase, a label or an address.
 */
import type { CorpusSettings, Language, Layer, Mode, Style } from '../domain/events.ts';
import { covers } from '../search/evidence.ts';
import {
  bodyStart,
  type ExactFinding,
  type Found,
  type Provision,
  type Research,
} from '../search/research.ts';
import { parseReferences } from '../text/references.ts';
import { splitSentences } from '../text/sentences.ts';
import { isStopWord, stem, words as wordsOf } from '../text/words.ts';
import { Draft, localized } from './draft.ts';
import { phrases } from './phrases.ts';
import { arranged, type Chosen, inOneLanguage, relevant, type Stretch } from './select.ts';
import { inStyle } from './styles.ts';

export interface Frame {
  lang: Language;
  corpus: CorpusSettings;
  /** null where the corpus declares no styles or none was asked for. */
  style: Style | null;
  /** The question asks for a verdict. */
  leading: boolean;
  /** More is wanted than was told before; `seen` is what was told. */
  more: boolean;
  seen: string;
  question: string;
}

export interface Composed {
  mode: Mode;
  draft: Draft;
  /** "length": something was left out for its length. */
  finish: 'stop' | 'length';
}

/** A provision is quoted whole up to this many UTF-16 units. */
const provisionMax = 2400;
const nearestSources = 3;

/** Public layers in order of rank, of what is in force or of what no longer is. */
export function layersOf(corpus: CorpusSettings, generation: 'current' | 'superseded'): Layer[] {
  return corpus.layers.filter(
    (layer) =>
      layer.visibility === 'public' && (layer.kind === 'superseded') === (generation === 'superseded'),
  );
}

/** Title, heading and date of a passage, for people. */
export function addressOf({ facts, chunk }: Found, lang: Language): string {
  const date = facts.event_date === null ? '' : phrases[lang].date(facts.event_date);
  const heading = facts.title.includes(chunk.heading) ? '' : chunk.heading;
  const title = facts.title === facts.doc_key ? '' : facts.title;
  return [title, heading, date].filter((part) => part !== '').join(', ');
}

export function layerTitle(layer: Layer | undefined, name: string, lang: Language): string {
  return localized(layer?.title ?? null, lang) || name;
}

/** Quotes stretches of one passage, a space or an ellipsis between them. */
export function quoteAll(draft: Draft, stretches: readonly Stretch[]): boolean {
  let cut = false;
  for (const [n, { hit, start, end, cut: more }] of stretches.entries()) {
    const before = stretches[n - 1];
    if (before) draft.say(/^\s*(?:\d{1,3}\.\s*)?$/.test(hit.text.slice(before.end, start)) ? ' ' : ' … ');
    draft.quote(hit, start, end);
    cut ||= more;
  }
  return cut;
}

/** Label, quotes and address of one passage. True: a list was cut. */
export function passage(draft: Draft, frame: Frame, stretches: readonly Stretch[], label = ''): boolean {
  draft.say(label);
  const cut = quoteAll(draft, stretches);
  const address = addressOf(stretches[0]!.hit, frame.lang);
  if (address !== '') draft.say(` (${address})`);
  return cut;
}

/** The sentences chosen, a paragraph for each passage. True: a list was cut. */
function paragraphs(
  draft: Draft,
  frame: Frame,
  chosen: readonly Pick<Chosen, 'hit' | 'start' | 'end'>[],
  label = '',
): boolean {
  let cut = false;
  for (const group of arranged(chosen)) cut = passage(draft.paragraph(), frame, group, label) || cut;
  return cut;
}

/** No evidence: says so, in the asker's language, and shows what is nearest. */
export function withhold(frame: Frame, found: readonly Found[]): Composed {
  const draft = new Draft();
  const words = phrases[frame.lang];
  draft.say(words.noAnswer(localized(frame.corpus.title, frame.lang)));
  list(draft, frame, nearest(found, frame.lang), words.nearest);
  return { mode: 'no_answer', draft, finish: 'stop' };
}

/** The best few, of the asker's language where there are any. */
function nearest(found: readonly Found[], lang: Language): Found[] {
  const own = found.filter((hit) => hit.chunk.lang === lang);
  return (own.length > 0 ? own : found).slice(0, nearestSources);
}

/** Passages by their addresses only. */
function list(draft: Draft, { lang }: Frame, found: readonly Found[], title: string): void {
  if (found.length === 0) return;
  draft.paragraph().say(title);
  for (const hit of found)
    draft
      .line()
      .say(`– ${addressOf(hit, lang) || hit.facts.doc_key}`)
      .show(hit);
}

/** An ordinary or historical answer from one look-up. */
export function answer(frame: Frame, found: Research, generation: 'current' | 'superseded'): Composed {
  const words = phrases[frame.lang];
  const { sentences, lang } = inOneLanguage(found, frame.lang, frame.more ? frame.seen : '');
  if (!frame.more && (!found.answerable || sentences.length === 0)) return withhold(frame, found.hits);
  const mode: Mode = generation === 'superseded' ? 'historical' : 'ordinary';
  const draft = new Draft();
  if (!found.answerable || sentences.length === 0) {
    draft.say(words.nothingMore);
    list(draft, frame, nearest(found.hits, frame.lang), words.nearest);
    return { mode: 'no_answer', draft, finish: 'stop' };
  }
  if (lang !== frame.lang) draft.say(words.otherLanguage(lang)).paragraph();
  if (frame.leading) draft.say(words.verdict).paragraph();
  const layers = layersOf(frame.corpus, generation);
  const length = frame.more ? 4 : 2;

  const speaking = sentences.filter((one) => one.own > 0);
  if (frame.style !== null)
    return {
      mode,
      draft,
      finish: inStyle(draft, frame, speaking.length > 0 ? speaking : sentences) ? 'length' : 'stop',
    };

  if (generation === 'superseded') {
    let cut = false;
    for (const group of arranged(relevant(sentences).slice(0, length))) {
      const { layer } = group[0]!.hit.facts;
      const label = `${layerTitle(
        layers.find((one) => one.name === layer.name),
        layer.name,
        frame.lang,
      )} (${words.superseded}): `;
      cut = passage(draft.paragraph(), frame, group, label) || cut;
    }
    return closed(frame, mode, draft, cut);
  }

  const named = frame.more ? null : namedProvision(found, frame, layers);
  if (named) {
    const long = provision(draft, frame, [{ passage: named, start: 0, end: named.text.length }]);
    return closed(frame, mode, draft, long);
  }
  const cut = byLayer(draft, frame, found, sentences, layers, length);
  return closed(frame, mode, draft, cut);
}

const asksDetail =
  /(?<!\p{L})(?:кто|кого|кому|кем|когда|сколько|где|куда|почему|зачем|ли|срок\p{L}*|who|whom|when|where|why|how|кім\p{L}*|қашан|қанша|неше\p{L}*|қайда|неге|ма|ме|ба|бе|па|пе)(?!\p{L})|^(?:is|are|can|does|do|must|may)(?!\p{L})/iu;

/**
 * A numbered provision of the leading layer whose heading is what is asked for, no more and no less ("полномочия
 * Президента", "what are the powers of the President"): the whole of it is the answer.
 */
function namedProvision(found: Research, frame: Frame, layers: readonly Layer[]): Found | null {
  if (asksDetail.test(frame.question)) return null;
  const stems = (text: string) =>
    wordsOf(text)
      .filter((word) => !isStopWord(word) && !/^\d+$/.test(word))
      .map(stem);
  const asked = stems(found.question);
  const meets = (some: readonly string[], all: readonly string[]) =>
    all.every((one) => some.some((other) => covers(one, other) || covers(other, one)));
  for (const hit of found.hits.slice(0, 5)) {
    if (
      hit.chunk.number === null ||
      hit.chunk.lang !== frame.lang ||
      (layers.length > 1 && hit.facts.layer.name !== layers[0]!.name)
    )
      continue;
    const heading = hit.chunk.heading.slice(parseReferences(hit.chunk.heading)[0]?.end ?? 0);
    const named = stems(heading);
    if (named.length > 0 && meets(asked, named) && meets(named, asked)) return hit;
  }
  return null;
}

/** Leading layer first, be it through what another layer names; what is another layer's is called so. */
function byLayer(
  draft: Draft,
  frame: Frame,
  found: Research,
  sentences: readonly Chosen[],
  layers: readonly Layer[],
  length: number,
): boolean {
  if (layers.length < 2) return paragraphs(draft, frame, sentences.slice(0, length));
  const [leading] = layers;
  const others = layers.slice(1);
  const best = sentences[0]!;
  const isOther = (one: Chosen) => others.some((layer) => layer.name === one.hit.facts.layer.name);
  const norm = sentences.filter((one) => !isOther(one));
  // The leading layer speaks for itself where its best sentence comes near the best of all.
  const speaks = frame.more
    ? norm.some((one) => one.own > 0)
    : norm[0] !== undefined && norm[0].score >= best.score - layerMargin && norm[0].share >= 0.6 * best.share;
  const links = frame.more || (speaks && !found.linked.sameQuestion) ? [] : found.linked.provisions;
  const linked = links.filter(({ passage: hit }) => hit.chunk.lang === best.hit.chunk.lang);
  let cut = false;
  if (linked.length > 0)
    cut = paragraphs(
      draft,
      frame,
      linked.map(({ passage: hit, start, end }) => ({ hit, start, end })),
    );
  else if (speaks) cut = paragraphs(draft, frame, relevant(norm).slice(0, length));
  else {
    const layer = layers.find((one) => one.name === best.hit.facts.layer.name);
    draft.say(
      phrases[frame.lang].onlyIn(
        layerTitle(leading, leading!.name, frame.lang),
        layerTitle(layer, best.hit.facts.layer.name, frame.lang),
      ),
    );
  }
  const led = draft.shown.length > 0;
  for (const layer of others) {
    if (!led && layer.name !== best.hit.facts.layer.name) continue;
    const own = relevant(
      sentences.filter((one) => one.hit.facts.layer.name === layer.name && one.score >= best.score - 0.3),
    );
    if (own.length === 0 || (own[0]!.own === 0 && own[0] !== best)) continue;
    const label = led ? `${layerTitle(layer, layer.name, frame.lang)}: ` : '';
    cut = paragraphs(draft, frame, own.slice(0, led ? 1 : length), label) || cut;
  }
  return cut;
}

/** How far below the best sentence the leading layer's may stand and still lead. */
const layerMargin = 0.45;

/** Says what an answer leaves open: a list cut short, or asked for as if it could be complete. */
export function closed(frame: Frame, mode: Mode, draft: Draft, cut: boolean): Composed {
  const words = phrases[frame.lang];
  if (cut) draft.paragraph().say(words.listCut);
  else if (asksForAll.test(frame.question)) draft.paragraph().say(words.listOpen);
  return { mode, draft, finish: cut ? 'length' : 'stop' };
}

const asksForAll =
  /(?<!\p{L})(?:перечисли(?:те|ть)?|все|всех|полный (?:список|перечень)|список|list|all|every|full list|тізім\p{L}*|барлық|бәрі(?:н)?|атап (?:бер|шық)\p{L}*)(?!\p{L})/iu;

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}

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
export function exact(frame: Frame, found: Research, generation: 'current' | 'superseded'): Composed {
  const words = phrases[frame.lang];
  const draft = new Draft();
  const corpus = localized(frame.corpus.title, frame.lang);
  const layers = layersOf(frame.corpus, generation);
  let cut = false;
  let quoted = false;
  const foreign = found.exact
    .map((finding) => provisionsFor(finding, frame).lang)
    .find((lang) => lang !== frame.lang);
  if (foreign && found.exact.some((finding) => finding.provisions.length > 0))
    draft.say(words.otherLanguage(foreign)).paragraph();
  if (frame.leading) draft.say(words.verdict).paragraph();
  for (const finding of found.exact) {
    const { leading, others } = provisionsFor(finding, frame);
    if (leading.length === 0) {
      missing(draft, frame, finding, corpus);
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
      cut = provision(draft, frame, parts) || cut;
    }
    const note = commentOn(finding, found, frame, layers, others);
    if (note && frame.style !== 'brief') {
      const layer = layers.find((one) => one.name === note.hit.facts.layer.name);
      paragraphs(draft, frame, [note], `${layerTitle(layer, note.hit.facts.layer.name, frame.lang)}: `);
    }
  }
  if (cut) draft.paragraph().say(words.textCut);
  return {
    mode: quoted ? (generation === 'superseded' ? 'historical' : 'exact') : 'no_answer',
    draft,
    finish: cut ? 'length' : 'stop',
  };
}

function missing(draft: Draft, frame: Frame, finding: ExactFinding, corpus: string): void {
  const words = phrases[frame.lang];
  draft.paragraph().say(words.missing(words.provision(finding.unit, finding.number), corpus));
  const own = finding.neighbours.filter(({ chunk }) => chunk.lang === frame.lang);
  const beside = own.length > 0 ? own : finding.neighbours;
  const isPart =
    finding.number.includes('.') && finding.neighbours[0]?.chunk.number === finding.number.split('.')[0];
  if (isPart && finding.near.length > 0) draft.say(` ${words.points(finding.near.join(', '))}`);
  list(draft, frame, beside, isPart ? words.nearest : words.neighbours);
}

/** Quotes a provision with the head of its article. True: it was cut. */
function provision(draft: Draft, frame: Frame, parts: readonly Provision[]): boolean {
  const { passage, start } = parts[0]!;
  const head = bodyStart(passage);
  if (start > head) {
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
  } else if (head === 0 && passage.chunk.heading !== '') draft.say(passage.chunk.heading).line();
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
  const article = finding.number.split('.')[0]!;
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
    ? { passage: 0, score: 0, share: 0, own: 0, start: from + first.start, end: from + first.end, hit }
    : null;
}
