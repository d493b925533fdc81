/**
 * Two sides, separated and labelled, matched by subject: the text in force and the one it replaced, two numbered
 * provisions, or two things the question names itself.
 */
import { covers } from '../retrieval/evidence.ts';
import { bodyStart, type Provision, type Research } from '../retrieval/pipeline.ts';
import { isStopWord, stem, words as wordsOf } from '../text/words.ts';
import { Draft } from './answer-builder.ts';
import {
  type Composed,
  closed,
  type Frame,
  layersOf,
  layerTitle,
  onProvision,
  passage,
  withhold,
} from './context.ts';
import type { LookUpRequest } from './deps.ts';
import type { Intent } from './intent.ts';
import { phrases } from './phrases.ts';
import { compareEditions, exact, provisionsFor } from './provisions.ts';
import { arranged, inOneLanguage, relevant } from './sentence-selection.ts';

export type LookUp = (request: LookUpRequest) => Promise<Research>;

interface Side {
  label: string;
  found: Research;
  generation: 'current' | 'superseded';
}

/** Looks up both sides and lays them out; also the look-ups themselves, for the record. */
export async function compare(
  frame: Frame,
  intent: Intent,
  lookUp: LookUp,
): Promise<{ composed: Composed; looked: Research[] }> {
  const { corpus, lang } = frame;
  if (intent.editions) return compareEditions(frame, intent, intent.editions, lookUp);
  const distinct = new Set(intent.references.map(({ number }) => number)).size;
  if (distinct === 1 && intent.besides !== null) {
    const { question, references } = intent;
    const found = await lookUp({ question, generation: 'current', references });
    if (found.exact.some((one) => one.provisions.length > 0))
      return { composed: withLayer(frame, found, intent.besides), looked: [found] };
  }
  if (distinct > 1) {
    const found = await lookUp({
      question: intent.question,
      generation: 'current',
      references: intent.references,
    });
    if (found.exact.filter((one) => one.provisions.length > 0).length > 1 || !intent.sides) {
      const composed = exact({ ...frame, style: frame.style === 'brief' ? 'brief' : null }, found, 'current');
      return {
        composed: { ...composed, mode: composed.mode === 'exact' ? 'comparison' : composed.mode },
        looked: [found],
      };
    }
  }
  if (intent.sides) {
    const sides: Side[] = [];
    for (const [n, question] of completed(intent.sides).entries()) {
      const topic = topicOf(question);
      const found = await lookUp({
        question,
        generation: 'current',
        references: [],
        ...(topic && { focus: topic }),
      });
      // Of two speakers on one topic each is heard on that topic alone.
      const sentences = topic === null ? found.sentences : found.sentences.filter((one) => one.named);
      sides.push({ label: capital(intent.sides[n]!), found: { ...found, sentences }, generation: 'current' });
    }
    return { composed: lay(frame, sides), looked: sides.map(({ found }) => found) };
  }

  const label = (generation: Side['generation'], found: Research) => {
    const layers = layersOf(corpus, generation);
    const name = found.hits[0]?.facts.layer.name;
    const layer =
      generation === 'current' ? layers[0] : (layers.find((one) => one.name === name) ?? layers[0]);
    const state = generation === 'current' ? phrases[lang].inForce : phrases[lang].superseded;
    return `${layerTitle(layer, name ?? '', lang)} (${state})`;
  };
  const { current, former } = await bothGenerations(frame, intent, lookUp);
  const sides: Side[] = [
    { label: label('current', current), found: current, generation: 'current' },
    { label: label('superseded', former), found: former, generation: 'superseded' },
  ];
  return { composed: lay(frame, sides), looked: [current, former] };
}

/**
 * What the former text says: of a provision asked for by the number it has now, what was said of its subject. null
 * where a question is of the past by its tense alone and the former text says nothing of it.
 */
export async function formerly(frame: Frame, intent: Intent, lookUp: LookUp): Promise<Research | null> {
  if (intent.bySubject) {
    const { current, former } = await bothGenerations(frame, intent, lookUp);
    if (current.exact.some((one) => one.provisions.length > 0)) return former;
  }
  const { subject: question, references } = intent;
  const found = await lookUp({ question, generation: 'superseded', references });
  return found.answerable || !intent.tentative ? found : null;
}

/** The text in force, and the former one on the same subject. */
async function bothGenerations(
  frame: Frame,
  intent: Intent,
  lookUp: LookUp,
): Promise<{ current: Research; former: Research }> {
  const { subject } = intent;
  const first = await lookUp({ question: subject, generation: 'current', references: intent.references });
  const current = { ...first, answerable: first.answerable || halfway(first) };
  // The subject of a provision is what its heading says; its number may be another one in the other text.
  const provision = current.exact
    .map((one) => provisionsFor(one, frame).leading[0])
    .find((one) => one !== undefined);
  const [best] = inOneLanguage(current, frame.lang, '').sentences;
  const heading = unnumbered((provision?.passage ?? best?.hit)?.chunk.heading ?? '');
  const saying = provision || !best ? '' : best.hit.text.slice(best.start, best.end);
  const matched = await lookUp({
    question: [unnumbered(subject), heading, saying].join(' '),
    generation: 'superseded',
    references: [],
  });
  // What both words and heading find stands or falls with the words alone, unless only a number was asked for.
  const plain = provision
    ? null
    : await lookUp({ question: subject, generation: 'superseded', references: [] });
  const former = plain
    ? { ...matched, answerable: plain.answerable || halfway(plain) || (current.answerable && heading !== '') }
    : { ...matched, answerable: matched.hits.length > 0, exact: counterpart(matched, frame) };
  return { current, former };
}

/** The provision that stood for one asked for by number: the whole of the best one found by its subject. */
function counterpart(matched: Research, frame: Frame): Research['exact'] {
  const [best] = inOneLanguage(matched, frame.lang, '').sentences;
  if (!best?.hit.chunk.number) return [];
  const named = { unit: 'article' as const, number: best.hit.chunk.number };
  const provisions = [{ passage: best.hit, start: 0, end: best.hit.text.length }];
  return [{ ...named, chain: [named], unknownAct: false, provisions, neighbours: [], near: [] }];
}

/** A subject that is only named is found by half of its words: each side is told from the other by its label. */
const halfway = ({ hits, evidence }: Research): boolean =>
  hits.length > 0 &&
  evidence.sentence >= 0.5 &&
  evidence.missingNumbers.length + evidence.missingNames.length === 0;

/** A provision of the leading layer above what another layer says of it. */
function withLayer(frame: Frame, found: Research, name: string): Composed {
  const draft = new Draft();
  const layers = layersOf(frame.corpus, 'current');
  const provision = found.exact.map((one) => provisionsFor(one, frame).leading[0]).find(Boolean)!;
  const leading = layers.find((one) => one.name === provision.passage.facts.layer.name);
  draft.say(`${layerTitle(leading, provision.passage.facts.layer.name, frame.lang)}:`).line();
  let cut = whole(draft, frame, provision);
  draft.paragraph().say(
    `${layerTitle(
      layers.find((one) => one.name === name),
      name,
      frame.lang,
    )}:`,
  );
  const told = [provision.passage];
  const { lang } = provision.passage.chunk;
  const hit = found.hits.find(
    (one) => one.facts.layer.name === name && one.chunk.lang === lang && onProvision(one, told),
  );
  if (!hit) draft.say(` ${phrases[frame.lang].nothingOn}`);
  else cut = whole(draft.line(), frame, { passage: hit, start: 0, end: hit.text.length }) || cut;
  return closed(frame, 'comparison', draft, cut);
}

/** A provision without its title line, up to what a side may hold. True: it was cut. */
function whole(draft: Draft, frame: Frame, { passage: hit, start: from, end: to }: Provision): boolean {
  const start = Math.max(from, bodyStart(hit));
  const end = Math.min(to, start + sideMax(hit.text, start));
  passage(draft, frame, [{ hit, start, end, cut: false }]);
  return end < to;
}

/** The sides one below the other. */
function lay(frame: Frame, sides: readonly Side[]): Composed {
  const words = phrases[frame.lang];
  const draft = new Draft();
  const told = sides.map((side) => speaks(side, frame));
  if (told.every((one) => !one))
    return withhold(
      frame,
      sides.flatMap(({ found }) => found.hits.slice(0, 2)),
    );
  if (frame.leading) draft.say(words.verdict);
  let cut = false;
  for (const [n, { label, found, generation }] of sides.entries()) {
    draft.paragraph().say(`${label}:`);
    if (!told[n]) {
      draft.say(` ${words.nothingOn}`);
      continue;
    }
    const provision = found.exact
      .map((one) => provisionsFor(one, frame).leading[0])
      .find((one) => one !== undefined);
    draft.line();
    if (provision) {
      cut = whole(draft, frame, provision) || cut;
      continue;
    }
    const { sentences } = inOneLanguage(found, frame.lang, '');
    const leading = layersOf(frame.corpus, generation)[0]?.name;
    const norm = sentences.filter(({ hit }) => hit.facts.layer.name === leading);
    const best = sentences[0]!;
    const links = found.linked.provisions.filter(
      ({ passage: one }) => one.chunk.lang === best.hit.chunk.lang,
    );
    if (best.hit.facts.layer.name !== leading && links[0]) {
      // The best sentence is another layer's, on a provision: the provision itself is told.
      for (const group of arranged(links.map(({ passage: hit, start, end }) => ({ hit, start, end }))))
        cut = passage(draft.line(), frame, group) || cut;
      continue;
    }
    const headed = norm.filter(({ hit }) => namedBy(hit.chunk.heading, found.question));
    const chosen = headed[0] ? headed : norm[0] && norm[0].score >= best.score - 0.45 ? norm : sentences;
    // One provision a side, so that like stands beside like.
    const own = relevant(chosen.filter(({ hit }) => hit.id === chosen[0]!.hit.id)).slice(0, 2);
    const layer = layersOf(frame.corpus, generation).find((one) => one.name === own[0]!.hit.facts.layer.name);
    const other =
      chosen !== sentences || layer === undefined || layer.name === leading
        ? ''
        : `${layerTitle(layer, layer.name, frame.lang)}: `;
    for (const group of arranged(own)) cut = passage(draft, frame, group, other) || cut;
  }
  return closed(frame, 'comparison', draft, cut);
}

/** Whether a heading holds all that a question names. */
function namedBy(heading: string, question: string): boolean {
  const there = wordsOf(heading).map(stem);
  return content(question).every((word) => there.some((one) => covers(stem(word), one)));
}

/** Up to 1,200 units, ended at a line or a sentence. */
function sideMax(text: string, start: number): number {
  const most = 1200;
  if (text.length - start <= most) return text.length - start;
  const piece = text.slice(start, start + most);
  const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('. ') + 1);
  return piece.slice(0, end > 0 ? end : most).trimEnd().length;
}

function speaks({ found }: Side, frame: Frame): boolean {
  if (found.exact.some((one) => one.provisions.length > 0)) return true;
  return found.answerable && inOneLanguage(found, frame.lang, '').sentences.length > 0;
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A heading or question without "Статья 43." and the like. */
function unnumbered(text: string): string {
  return text
    .replace(
      /(?:стать\p{L}*|ст\.|article|art\.|section|§|раздел\p{L}*|глав\p{L}*)\s*\d+[\d.-]*[.:)]?\s*/giu,
      ' ',
    )
    .replace(/\d+[\s-]*ба[пб]\p{L}*[.:]?\s*/giu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const content = (text: string) => wordsOf(text).filter((word) => !isStopWord(word));

/** "полномочия Президента", "Парламента" → the second is "полномочия Парламента"; in Kazakh the first one lacks words. */
function completed([first, second]: [string, string]): [string, string] {
  // "Hill and Stone about bridges": the topic belongs to both.
  const topic = /^(\S+)(\s(?:о|об|про|по|насчёт|about|on|regarding)\s.+)$/iu.exec(second);
  const kazakh = /^(\S+)(\s.+\s(?:туралы|жайлы))$/iu.exec(second);
  if (kazakh && content(first).length === 1) return [first + kazakh[2]!, second];
  if (topic && !/\s(?:о|об|про|по|about|on)\s/iu.test(first)) return [first + topic[2]!, second];
  const [one, two] = [content(first).length, content(second).length];
  const split = (text: string) => text.split(/\s+/);
  if (one > 1 && two === 1) return [first, `${split(first).slice(0, -1).join(' ')} ${second}`];
  if (one === 1 && two > 1) {
    return isKazakh(second)
      ? [`${first} ${split(second).slice(1).join(' ')}`, second]
      : [`${first} ${split(second).slice(0, -1).join(' ')}`, second];
  }
  return [first, second];
}

/** What "Hill about bridges" is about; null where a side is no name with a topic. */
const topicOf = (side: string): string | null =>
  /^\p{Lu}\S+ (?:о|об|про|насчёт|about|on|regarding) (.+)$/u.exec(side)?.[1] ??
  /^\p{Lu}\S+ (.+) (?:туралы|жайлы)$/u.exec(side)?.[1] ??
  null;

const isKazakh = (text: string) => /[әғқңөұүһі]/i.test(text);
