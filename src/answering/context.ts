/** What an answer is made for, and the pieces every kind of answer is laid out with. */
import type { CorpusSettings, Language, Layer, Mode, Style } from '../domain/events.ts';
import type { Found } from '../retrieval/pipeline.ts';
import { parseReferences } from '../text/references/parse.ts';
import { Draft, localized } from './answer-builder.ts';
import type { SourcePages } from './parts.ts';
import { phrases } from './phrases.ts';
import { arranged, type Chosen, type Stretch } from './sentence-selection.ts';

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
  /** It names more provisions than are looked up. */
  moreReferences: boolean;
  pages: SourcePages;
}

export interface Composed {
  mode: Mode;
  draft: Draft;
  /** "length": something was left out for its length. */
  finish: 'stop' | 'length';
}

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
function quoteAll(draft: Draft, stretches: readonly Stretch[]): boolean {
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
export function paragraphs(
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
export function nearest(found: readonly Found[], lang: Language): Found[] {
  const own = found.filter((hit) => hit.chunk.lang === lang);
  return (own.length > 0 ? own : found).slice(0, nearestSources);
}

/** Passages by their addresses only. */
export function list(draft: Draft, { lang }: Frame, found: readonly Found[], title: string): void {
  if (found.length === 0) return;
  draft.paragraph().say(title);
  for (const hit of found)
    draft
      .line()
      .say(`– ${addressOf(hit, lang) || hit.facts.doc_key}`)
      .show(hit);
}

/** Says what an answer leaves open: a list cut short, or asked for as if it could be complete. */
export function closed(frame: Frame, mode: Mode, draft: Draft, cut: boolean): Composed {
  const words = phrases[frame.lang];
  if (cut) draft.paragraph().say(words.listCut);
  else if (asksForAll.test(frame.question)) draft.paragraph().say(words.listOpen);
  return { mode, draft, finish: cut ? 'length' : 'stop' };
}

const asksForAll =
  /(?<!\p{L})(?:перечисли(?:те|ть)?|все|всех|полный (?:список|перечень)|список|list|all|every|full list|тізім\p{L}*|барлық|бәрі(?:н)?|атап (?:бер|шық)\p{L}*)(?!\p{L})/iu;

/** Whether a passage of another layer names, above its text, one of the provisions told. */
export function onProvision({ facts, chunk }: Found, told: readonly Found[]): boolean {
  const named = parseReferences([facts.title, ...chunk.path, chunk.heading, chunk.question ?? ''].join('. '));
  return told.some((one) =>
    named.some(({ number, of }) => one.chunk.number?.split('~')[0] === (of?.number ?? number)),
  );
}
