/**
 * Answers without a model: the best sentences word for word, arranged by layer, language and style. What is not a
 * quotation is a fixed phrase, a label or an address.
 */
import type { Layer, Mode } from '../domain/events.ts';
import { covers } from '../retrieval/evidence.ts';
import type { Found, Research } from '../retrieval/pipeline.ts';
import { parseReferences } from '../text/references/parse.ts';
import { isStopWord, stem, words as wordsOf } from '../text/words.ts';
import { Draft } from './answer-builder.ts';
import {
  type Composed,
  closed,
  type Frame,
  layersOf,
  layerTitle,
  list,
  nearest,
  onProvision,
  paragraphs,
  passage,
  withhold,
} from './context.ts';
import { inStyle } from './layouts.ts';
import { phrases } from './phrases.ts';
import { provision } from './provisions.ts';
import { arranged, type Chosen, inOneLanguage, relevant } from './sentence-selection.ts';

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

  const ofNamed = sentences.some((one) => one.named) ? sentences.filter((one) => one.named) : sentences;
  const speaking = ofNamed.filter((one) => one.own > 0);
  if (frame.style !== null)
    return {
      mode,
      draft,
      finish: inStyle(draft, frame, speaking.length > 0 ? speaking : ofNamed) ? 'length' : 'stop',
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
  const cut = byLayer(draft, frame, found, ofNamed, layers, length);
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
    const [first] = own;
    const answers = layer.kind === 'faq' && found.linked.sameQuestion;
    if (!first) continue;
    const near = onProvision(first.hit, draft.shown) ? 0.5 : 0.9;
    if (!answers && first !== best && first.own < near * Math.max(best.own, norm[0]?.own ?? 0)) continue;
    if (led && !answers && near > 0.5 && first.share < best.share) continue;
    const label = led ? `${layerTitle(layer, layer.name, frame.lang)}: ` : '';
    cut = paragraphs(draft, frame, own.slice(0, led ? 1 : length), label) || cut;
  }
  return cut;
}

/** How far below the best sentence the leading layer's may stand and still lead. */
const layerMargin = 0.45;
