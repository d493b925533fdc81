/** Answers from the FAQ cache: recorded answers, or question–answer pairs preceded by text of the leading layer. */
import { answerPieces } from '../domain/answer-pieces.ts';
import type { Citation, Language } from '../domain/events.ts';
import type { RetrievalResult } from '../reading/passages.ts';
import { phrases } from '../text/phrases.ts';
import { splitSentences } from '../text/sentences.ts';
import type { FaqHit } from './faq-port.ts';
import { fromPassages } from './kinds/passages/compose.ts';
import { AnswerBuilder, type PreparedAnswer } from './writing/builder.ts';
import type { AnswerContext } from './writing/context.ts';
import { paragraphs, quotePassage } from './writing/layout.ts';
import type { AnswerPart } from './writing/parts.ts';
import { layersOf, layerTitle, refOf } from './writing/sources.ts';

/**
 * Repeats a recorded answer verbatim. A curated answer is introduced as the editors' own if one of its sentences is not
 * a quotation.
 */
export function* repeated(
  hit: Extract<FaqHit, { kind: 'answer' }>,
  lang: Language,
): Generator<AnswerPart, void> {
  const { entry_id, answer_key, sources, finish_reason } = hit;
  const isOwnWord = answer_key === null && hasUncited(hit);
  const said = isOwnWord ? after(`${phrases[lang].editorsWord} `, hit) : hit;
  const faq = { entry_id, answer_key };
  yield { type: 'opening', mode: 'faq', sources, citations: said.citations, faq };
  yield* answerPieces(said);
  yield { type: 'closing', finish: finish_reason, model: null, prompt_version: null, usage: null };
}

type WholeAnswer = Parameters<typeof answerPieces>[0];

/** Whether any sentence of the answer has no citation. */
const hasUncited = ({ answer, citations }: WholeAnswer): boolean =>
  splitSentences(answer).some(
    (sentence) => !citations.some(({ start, end }) => start <= sentence.start && sentence.end <= end),
  );

/** Puts an introduction before an answer. */
function after(words: string, { answer, citations, labels }: WholeAnswer): WholeAnswer {
  const by = words.length;
  return {
    answer: words + answer,
    citations: citations.map((one) => ({ ...one, start: one.start + by, end: one.end + by })),
    labels: labels.map(([start, end]) => [start + by, end + by]),
  };
}

/**
 * Quotes the complete answer of a pair, preceded by text of the leading layer if that also answers the question.
 * Returns null if the pair is not among the hits.
 */
export function fromPair(
  context: AnswerContext,
  found: RetrievalResult,
  pair: Extract<FaqHit, { kind: 'pair' }>,
): PreparedAnswer | null {
  const hit = found.hits.find(
    ({ facts, chunk }) =>
      facts.doc_id === pair.doc_id &&
      facts.revision === pair.revision &&
      chunk.chunk_index === pair.chunk_index,
  );
  if (!hit) return null;
  const usual = found.answerable ? fromPassages(context, found, 'current') : null;
  const quotesPair = ({ ref, quote }: Citation) => ref === refOf(hit) && quote === hit.text;
  if (usual?.mode === 'ordinary' && usual.builder.citations.some(quotesPair))
    return { ...usual, mode: 'faq' };
  const layers = layersOf(context.corpus, 'current');
  const builder = new AnswerBuilder();
  let cut = false;
  const [best] = found.sentences;
  if (layers.length > 1 && best && found.hits[best.passage]!.id === hit.id) {
    const provisions = found.linked.filter(({ passage: norm }) => norm.chunk.lang === context.lang);
    cut = paragraphs(
      builder,
      context,
      provisions.map(({ passage: norm, start, end }) => ({ hit: norm, start, end })),
    );
  }
  const label = layers.length > 1 ? `${layerTitle(layers, hit.facts.layer.name, context.lang)}: ` : '';
  quotePassage(builder.paragraph(), context, [{ hit, start: 0, end: hit.text.length, cut: false }], label);
  return { mode: 'faq', builder, finish: cut ? 'length' : 'stop' };
}
