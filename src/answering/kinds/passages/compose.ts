/**
 * Composes an answer without a model. It quotes the best sentences verbatim, arranged by layer, language and style. All
 * other text is fixed phrases, labels and addresses.
 */

import type { Layer, Mode } from '../../../domain/events.ts';
import {
  anyOf,
  formsOf,
  isSo,
  languages,
  letter,
  ownWords,
  textOf as sectionOf,
  wholeWords,
} from '../../../language/index.ts';
import type { Edition } from '../../../question/editions.ts';
import { kindsOf } from '../../../reading/analysed-question.ts';
import { covers } from '../../../reading/matching.ts';
import { bodyStart, type Found, type RetrievalResult } from '../../../reading/passages.ts';
import { phrases } from '../../../text/phrases.ts';
import { parseReferences } from '../../../text/references/parse.ts';
import { isStopWord, stem, words as wordsOf } from '../../../text/words.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { closed, paragraphs, quotePassage } from '../../writing/layout.ts';
import { nothingMore, withhold, withholdWithHelp } from '../../writing/refusal.ts';
import {
  arranged,
  type ChosenSentence,
  inOneLanguage,
  layerMargin,
  type Quotable,
  relevant,
  saidBefore,
  sentenceBehind,
} from '../../writing/sentences.ts';
import { layersOf, layerTitle } from '../../writing/sources.ts';
import { inStyle } from '../../writing/styles.ts';
import { provision } from '../provisions/compose.ts';
import { addsTo, overlaps, secondMargin, textOf, wordsEnough } from './second-sentence.ts';

/** Number of top sentences, one of which must contain the kind of answer that a follow-up question asks for. */
const kindAmong = 3;

/** Composes an ordinary or historical answer from one lookup. */
export function fromPassages(
  context: AnswerContext,
  found: RetrievalResult,
  edition: Edition,
): PreparedAnswer {
  const words = phrases[context.lang];
  const said = saidBefore(context);
  const { sentences, lang } = inOneLanguage(found, context.lang, said);
  if (sentences.length === 0)
    return context.more ? nothingMore(context, found.hits) : withhold(context, found.hits);
  // Words taken from the previous question always match, so only the kind of answer shows relevance.
  if (
    context.leans &&
    context.seen !== '' &&
    !context.more &&
    sentences.slice(0, kindAmong).every(({ lacksKind }) => lacksKind)
  )
    return withholdWithHelp(context, found);
  const mode: Mode = edition === 'superseded' ? 'historical' : 'ordinary';
  const builder = new AnswerBuilder();
  if (lang !== context.lang) builder.text(words.otherLanguage(lang)).paragraph();
  if (context.asksJudgement) builder.text(words.verdict).paragraph();
  const layers = layersOf(context.corpus, edition);
  const length = context.more ? 4 : 2;

  const speaking = sentences.filter((one) => one.own > 0);
  if (context.style !== null)
    return {
      mode,
      builder,
      finish: inStyle(builder, context, speaking.length > 0 ? speaking : sentences) ? 'length' : 'stop',
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
    const end = named.text.length;
    const start = end - named.text.slice(bodyStart(named)).trimStart().length;
    const long = provision(builder, context, [{ passage: named, start, end }]);
    return closed(context, mode, builder, long);
  }
  const cut = answerFrom(builder, context, found, sentences, layers, length);
  return closed(context, mode, builder, cut);
}

/** Words that begin a yes-or-no question, in languages with fixed word order. */
const yesOrNo = languages
  .filter((language) => isSo(language, 'grammar.fixedWordOrder'))
  .flatMap((language) => formsOf(sectionOf(language, 'questionWords.yesOrNo')));
const asksDetail = new RegExp(
  [
    wholeWords(ownWords(import.meta.url).phrasesOfAll('details')).source,
    `^${anyOf(...yesOrNo)}(?!${letter})`,
  ].join('|'),
  'iu',
);

/**
 * Finds a numbered provision of the leading layer whose heading is the subject of the question ("полномочия
 * Президента", "what are the powers of the President"). The whole provision is then the answer.
 */
function namedProvision(
  found: RetrievalResult,
  context: AnswerContext,
  layers: readonly Layer[],
): Found | null {
  // Check both the question as typed and as interpreted, that is, with corrections or words of the previous question.
  if ([context.question, found.question].some((text) => asksDetail.test(text))) return null;
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

/** A quotation with the label of its layer; '' if no label is needed. */
interface Quoted {
  stretches: readonly Quotable[];
  label: string;
}

/**
 * Quotes the best sentence. If this sentence is from another layer, the leading layer is quoted first: either its own
 * best sentence, or a provision that the other layer names. Further sentences are added only if they may also be the
 * answer. Returns true if the answer was cut.
 */
export function answerFrom(
  builder: AnswerBuilder,
  context: AnswerContext,
  found: RetrievalResult,
  sentences: readonly ChosenSentence[],
  layers: readonly Layer[],
  length: number,
): boolean {
  const best = sentences[0]!;
  const leading = layers[0]!.name;
  const layered = layers.length > 1;
  const isNorm = ({ hit }: Pick<ChosenSentence, 'hit'>) => !layered || hit.facts.layer.name === leading;
  const labelOf = ({ hit }: Pick<ChosenSentence, 'hit'>) =>
    isNorm({ hit }) ? '' : `${layerTitle(layers, hit.facts.layer.name, context.lang)}: `;
  const norm = sentences.find(
    (one) => isNorm(one) && (one.own > 0 || one.whole) && one.score >= best.score - layerMargin,
  );
  const linked = (context.more ? [] : found.linked)
    .filter(({ passage }) => passage.chunk.lang === best.hit.chunk.lang)
    .map(({ passage: hit, start, end }) => ({ hit, start, end }));
  const quoted: Quoted[] = [];
  if (!isNorm(best) && linked.length > 0 && !norm) quoted.push({ stretches: linked, label: '' });
  else if (norm || isNorm(best)) quoted.push({ stretches: [norm ?? best], label: '' });
  else {
    const { onlyIn } = phrases[context.lang];
    const other = layerTitle(layers, best.hit.facts.layer.name, context.lang);
    builder.text(onlyIn(layerTitle(layers, leading, context.lang), other));
    quoted.push({ stretches: [best], label: '' });
  }
  // The reason for an event usually follows the event, often without a causal word.
  const [first] = quoted[0]!.stretches;
  const isFact = best.lacksKind && first === best && kindsOf(found.question).includes('reason');
  const behind = isFact && !context.more ? sentenceBehind(best) : null;
  if (behind) quoted.push({ stretches: [behind], label: quoted[0]!.label });
  const margin = context.more ? Number.POSITIVE_INFINITY : secondMargin;
  for (const one of sentences) {
    if (quoted.length >= length || one.score < best.score - margin) break;
    const said = quoted.flatMap(({ stretches }) => stretches.map(textOf)).join(' ');
    if (!context.more && wordsOf(said).length > wordsEnough) break;
    if (quoted.some(({ stretches }) => stretches.some((other) => overlaps(one, other)))) continue;
    // Documents usually proceed from the past to the present, so an earlier sentence does not describe the present.
    const isBefore = (other: Quotable) => other.hit.id === one.hit.id && one.start < other.start;
    if (found.ofTheDay && !context.more && quoted.some(({ stretches }) => stretches.some(isBefore))) continue;
    if (addsTo(said, textOf(one))) quoted.push({ stretches: [one], label: labelOf(one) });
  }
  let cut = false;
  // Sentences with the same label are kept together. The answer comes first, because what comes first is read as the
  // answer.
  const order = context.more ? 'text' : 'chosen';
  for (const label of new Set(quoted.map((one) => one.label))) {
    const stretches = quoted.filter((one) => one.label === label).flatMap((one) => one.stretches);
    cut = paragraphs(builder, context, stretches, label, order) || cut;
  }
  return cut;
}
