/**
 * Answers without a model: the best sentences word for word, arranged by layer, language and style. What is not a
 * quotation is a fixed phrase, a label or an address.
 */
import type { Layer, Mode } from '../../domain/events.ts';
import { covers } from '../../retrieval/evidence.ts';
import type { Found, Research } from '../../retrieval/pipeline.ts';
import { anyOf, phrasesOfAll, wholeWords, wordsOfAll } from '../../text/languages/index.ts';
import { parseReferences } from '../../text/references/parse.ts';
import { isStopWord, stem, words as wordsOf } from '../../text/words.ts';
import type { AnswerContext } from '../answerer.ts';
import { AnswerBuilder, type PreparedAnswer } from '../builder.ts';
import { closed, onProvision, paragraphs, quotePassage } from '../layout.ts';
import { phrases } from '../phrases.ts';
import type { Edition } from '../plan.ts';
import { provision } from '../provisions.ts';
import { nothingMore, withhold } from '../refusal.ts';
import { arranged, type Chosen, inOneLanguage, relevant } from '../sentences.ts';
import { layersOf, layerTitle } from '../sources.ts';
import { inStyle } from './styles.ts';

/** An ordinary or historical answer from one look-up. */
export function fromPassages(context: AnswerContext, found: Research, edition: Edition): PreparedAnswer {
  const words = phrases[context.lang];
  const { sentences, lang } = inOneLanguage(found, context.lang, context.more ? context.seen : '');
  if (sentences.length === 0)
    return context.more ? nothingMore(context, found.hits) : withhold(context, found.hits);
  const mode: Mode = edition === 'superseded' ? 'historical' : 'ordinary';
  const builder = new AnswerBuilder();
  if (lang !== context.lang) builder.text(words.otherLanguage(lang)).paragraph();
  if (context.leading) builder.text(words.verdict).paragraph();
  const layers = layersOf(context.corpus, edition);
  const length = context.more ? 4 : 2;

  const ofNamed = sentences.some((one) => one.named) ? sentences.filter((one) => one.named) : sentences;
  const speaking = ofNamed.filter((one) => one.own > 0);
  if (context.style !== null)
    return {
      mode,
      builder,
      finish: inStyle(builder, context, speaking.length > 0 ? speaking : ofNamed) ? 'length' : 'stop',
    };

  if (edition === 'superseded') {
    let cut = false;
    for (const group of arranged(relevant(sentences).slice(0, length))) {
      const name = layerTitle(layers, group[0]!.hit.facts.layer.name, context.lang);
      const label = `${name} (${words.superseded}): `;
      cut = quotePassage(builder.paragraph(), context, group, label) || cut;
    }
    return closed(context, mode, builder, cut);
  }

  const named = context.more ? null : namedProvision(found, context, layers);
  if (named) {
    const long = provision(builder, context, [{ passage: named, start: 0, end: named.text.length }]);
    return closed(context, mode, builder, long);
  }
  const cut = byLayer(builder, context, found, ofNamed, layers, length);
  return closed(context, mode, builder, cut);
}

const asksDetail = new RegExp(
  [
    wholeWords(phrasesOfAll((pack) => pack.answers.details)).source,
    `^${anyOf(...wordsOfAll(({ grammar, questionWords }) => (grammar.fixedWordOrder ? questionWords.yesOrNo : '')))}(?!\\p{L})`,
  ].join('|'),
  'iu',
);

/**
 * A numbered provision of the leading layer whose heading is what is asked for, no more and no less ("полномочия
 * Президента", "what are the powers of the President"): the whole of it is the answer.
 */
function namedProvision(found: Research, context: AnswerContext, layers: readonly Layer[]): Found | null {
  if (asksDetail.test(context.question)) return null;
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
      hit.chunk.lang !== context.lang ||
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
  builder: AnswerBuilder,
  context: AnswerContext,
  found: Research,
  sentences: readonly Chosen[],
  layers: readonly Layer[],
  length: number,
): boolean {
  if (layers.length < 2) return paragraphs(builder, context, sentences.slice(0, length));
  const [leading] = layers;
  const others = layers.slice(1);
  const best = sentences[0]!;
  const isOther = (one: Chosen) => others.some((layer) => layer.name === one.hit.facts.layer.name);
  const norm = sentences.filter((one) => !isOther(one));
  // The leading layer speaks for itself where its best sentence comes near the best of all.
  const speaks = context.more
    ? norm.some((one) => one.own > 0)
    : norm[0] !== undefined && norm[0].score >= best.score - layerMargin && norm[0].share >= 0.6 * best.share;
  const links = context.more || (speaks && !found.linked.sameQuestion) ? [] : found.linked.provisions;
  const linked = links.filter(({ passage: hit }) => hit.chunk.lang === best.hit.chunk.lang);
  let cut = false;
  if (linked.length > 0)
    cut = paragraphs(
      builder,
      context,
      linked.map(({ passage: hit, start, end }) => ({ hit, start, end })),
    );
  else if (speaks) cut = paragraphs(builder, context, relevant(norm).slice(0, length));
  else {
    builder.text(
      phrases[context.lang].onlyIn(
        layerTitle(layers, leading!.name, context.lang),
        layerTitle(layers, best.hit.facts.layer.name, context.lang),
      ),
    );
  }
  const led = builder.shown.length > 0;
  for (const layer of others) {
    if (!led && layer.name !== best.hit.facts.layer.name) continue;
    const own = relevant(
      sentences.filter((one) => one.hit.facts.layer.name === layer.name && one.score >= best.score - 0.3),
    );
    const [first] = own;
    const answers = layer.kind === 'faq' && found.linked.sameQuestion;
    if (!first) continue;
    const near = onProvision(first.hit, builder.shown) ? 0.5 : 0.9;
    if (!answers && first !== best && first.own < near * Math.max(best.own, norm[0]?.own ?? 0)) continue;
    if (led && !answers && near > 0.5 && first.share < best.share) continue;
    const label = led ? `${layerTitle(layers, layer.name, context.lang)}: ` : '';
    cut = paragraphs(builder, context, own.slice(0, led ? 1 : length), label) || cut;
  }
  return cut;
}

/** How far below the best sentence the leading layer's may stand and still lead. */
const layerMargin = 0.45;
