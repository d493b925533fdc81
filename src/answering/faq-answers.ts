/** Answers from the FAQ cache: a pair with the norm before it, or an answer as it was recorded. */
import { answerPieces } from '../domain/answer-pieces.ts';
import type { Citation, Language } from '../domain/events.ts';
import type { RetrievalResult } from '../retrieval/pipeline.ts';
import type { AnswerContext, AnswerPart } from './answerer.ts';
import { AnswerBuilder, type PreparedAnswer } from './builder.ts';
import { fromPassages } from './extractive/passages.ts';
import type { FaqHit } from './faq-port.ts';
import { paragraphs, quotePassage } from './layout.ts';
import { phrases } from './phrases.ts';
import { layersOf, layerTitle, refOf } from './sources.ts';

/** A recorded answer, word for word. One that people wrote and that quotes nothing is said to be the editors' own. */
export function* repeated(
  hit: Extract<FaqHit, { kind: 'answer' }>,
  lang: Language,
): Generator<AnswerPart, void> {
  const { entry_id, answer_key, sources, citations, finish_reason } = hit;
  yield { type: 'opening', mode: 'faq', sources, citations, faq: { entry_id, answer_key } };
  if (answer_key === null && sources.length === 0) yield { type: 'text', text: phrases[lang].editorsWord };
  yield* answerPieces(hit);
  yield { type: 'closing', finish: finish_reason, model: null, prompt_version: null, usage: null };
}

/**
 * A pair's answer, whole, after what the leading layer says where it speaks too; null where the pair is not among
 * what was found.
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
  if (layers.length > 1 && found.linked.sameQuestion) {
    const provisions = found.linked.provisions.filter(
      ({ passage: norm }) => norm.chunk.lang === context.lang,
    );
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
