/**
 * Presents two labelled sides of a comparison: the current text and the text it replaced, or two subjects named in the
 * question.
 */

import { phrases } from '../../../text/phrases.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { closed, quotePassage } from '../../writing/layout.ts';
import { position } from '../../writing/position.ts';
import { speaks, withhold } from '../../writing/refusal.ts';
import {
  arranged,
  type ChosenSentence,
  inOneLanguage,
  layerMargin,
  relevant,
} from '../../writing/sentences.ts';
import { layersOf, layerTitle } from '../../writing/sources.ts';
import { firstProvision, isHeadedBy } from '../findings.ts';
import type { Side } from '../kind.ts';
import { shortened } from '../provisions/compose.ts';

/** Lists the sides one after the other. */
export function fromSides(context: AnswerContext, sides: readonly Side[]): PreparedAnswer {
  const words = phrases[context.lang];
  const builder = new AnswerBuilder();
  const sentences = sides.map((side) =>
    speaks(side) ? inOneLanguage(side.found, context.lang).sentences : [],
  );
  const silent = (n: number) => !firstProvision(sides[n]!.found, context.lang) && sentences[n]!.length === 0;
  if (sides.every((_, n) => silent(n)))
    return withhold(
      context,
      sides.flatMap(({ found }) => found.hits.slice(0, 2)),
    );
  if (context.asksJudgement) builder.text(words.verdict);
  let cut = false;
  for (const [n, side] of sides.entries()) {
    builder.paragraph().text(`${nameOf(side, context)}:`);
    if (silent(n)) builder.text(` ${words.nothingOn}`);
    else cut = quoteSide(builder.line(), context, side, sentences[n]!) || cut;
  }
  return closed(context, 'comparison', builder, cut);
}

/** The name of a side. Text that is no longer in force is marked as such. */
function nameOf(side: Side, context: AnswerContext): string {
  if (side.label === null) return editionName(side, context);
  return side.edition === 'current' ? side.label : `${side.label}, ${editionName(side, context)}`;
}

/** The title of the leading layer or, for a former text, of the best passage's layer: "Constitution (superseded)". */
function editionName({ edition, found }: Side, { corpus, lang }: AnswerContext): string {
  const layers = layersOf(corpus, edition);
  const nearest = found.hits[0]?.facts.layer.name;
  const ofNearest = edition === 'superseded' ? layers.find(({ name }) => name === nearest) : undefined;
  const state = edition === 'current' ? phrases[lang].inForce : phrases[lang].superseded;
  return `${layerTitle(layers, (ofNearest ?? layers[0])?.name ?? '', lang)} (${state})`;
}

/**
 * Quotes one side: the requested provision, otherwise a provision that its best sentence names, otherwise its best
 * sentences. Returns true if the quotation was cut.
 */
function quoteSide(
  builder: AnswerBuilder,
  context: AnswerContext,
  { edition, found }: Side,
  sentences: readonly ChosenSentence[],
): boolean {
  const provision = firstProvision(found, context.lang);
  if (provision) return shortened(builder, context, provision);
  const layers = layersOf(context.corpus, edition);
  const leading = layers[0]?.name;
  const best = sentences[0]!;
  let cut = false;
  const links = found.linked.filter(({ passage }) => passage.chunk.lang === best.hit.chunk.lang);
  if (best.hit.facts.layer.name !== leading && links[0]) {
    for (const group of arranged(links.map(({ passage: hit, start, end }) => ({ hit, start, end }))))
      cut = quotePassage(builder.line(), context, group) || cut;
    return cut;
  }
  const norm = sentences.filter(({ hit }) => hit.facts.layer.name === leading);
  const headed = norm.filter(({ hit }) => isHeadedBy(hit, found.question));
  const near = norm[0] && norm[0].score >= best.score - layerMargin ? norm : sentences;
  const chosen = headed[0] ? headed : near;
  // Quote only one passage per side, to keep the sides comparable.
  const ofHit = chosen.filter(({ hit }) => hit.id === chosen[0]!.hit.id);
  // A line that introduces a list cannot be compared with a sentence of the other side.
  const isList = ({ hit, start, end }: ChosenSentence) => hit.text.slice(start, end).endsWith(':');
  const ofOne = ofHit.every(isList) ? ofHit : ofHit.filter((one) => !isList(one));
  const own = found.speakers.length > 0 ? position(ofOne[0]!, ofOne) : relevant(ofOne).slice(0, 2);
  const layer = own[0]!.hit.facts.layer.name;
  const isOther = chosen === sentences && layer !== leading && layers.some((one) => one.name === layer);
  const label = isOther ? `${layerTitle(layers, layer, context.lang)}: ` : '';
  for (const group of arranged(own)) cut = quotePassage(builder, context, group, label) || cut;
  return cut;
}
