/** What the FAQ cache has, told as an answer: a pair with the norm before it, or an answer as it was recorded. */
import type { AskDossier, Citation, EventTypes, Mode, RecordedSource } from '../domain/events.ts';
import type { Research } from '../retrieval/pipeline.ts';
import { Draft, type Piece, refOf } from './answer-builder.ts';
import { answer } from './compose.ts';
import { type Composed, type Frame, layersOf, layerTitle, paragraphs, passage } from './context.ts';
import type { FaqHit } from './deps.ts';

/** An answer ready to be told and recorded. */
export interface Told {
  mode: Mode;
  answer: string;
  pieces: readonly Piece[];
  sources: RecordedSource[];
  citations: Citation[];
  finish: 'stop' | 'length';
  /** The FAQ entry it comes from; null for one made now. */
  faq: (EventTypes['AnswerGiven']['faq'] & {}) | null;
  /** Told again, or taken from the FAQ cache. */
  cached: boolean;
  dossier: AskDossier;
}

export function toldOf(
  { mode, draft, finish }: Composed,
  dossier: AskDossier,
  faq: Told['faq'] = null,
): Told {
  const { pieces, sources, citations } = draft;
  return {
    mode,
    answer: draft.answer,
    pieces,
    sources,
    citations,
    finish,
    faq,
    cached: faq !== null,
    dossier,
  };
}

/** A recorded answer, word for word. */
export function repeated(hit: Extract<FaqHit, { kind: 'answer' }>, dossier: AskDossier): Told {
  const { entry_id, answer_key, sources, citations, finish_reason } = hit;
  const pieces: Piece[] = [];
  let end = 0;
  for (const citation of citations.toSorted((a, b) => a.start - b.start)) {
    if (citation.start > end) pieces.push({ text: hit.answer.slice(end, citation.start), citation: null });
    pieces.push({ text: hit.answer.slice(Math.max(end, citation.start), citation.end), citation });
    end = Math.max(end, citation.end);
  }
  if (end < hit.answer.length) pieces.push({ text: hit.answer.slice(end), citation: null });
  const told = { answer: hit.answer, pieces, sources, citations, finish: finish_reason };
  return { mode: 'faq', ...told, faq: { entry_id, answer_key }, cached: true, dossier };
}

/**
 * A pair's answer, whole, after what the leading layer says where it speaks too; null where the pair is not among
 * what was found.
 */
export function pairAnswer(
  frame: Frame,
  found: Research,
  pair: Extract<FaqHit, { kind: 'pair' }>,
): Composed | null {
  const hit = found.hits.find(
    ({ facts, chunk }) =>
      facts.doc_id === pair.doc_id &&
      facts.revision === pair.revision &&
      chunk.chunk_index === pair.chunk_index,
  );
  if (!hit) return null;
  const usual = answer(frame, found, 'current');
  const tellsIt = ({ ref, quote }: Citation) => ref === refOf(hit) && quote === hit.text;
  if (usual.mode === 'ordinary' && usual.draft.citations.some(tellsIt)) return { ...usual, mode: 'faq' };
  const layers = layersOf(frame.corpus, 'current');
  const draft = new Draft();
  let cut = false;
  if (layers.length > 1 && found.linked.sameQuestion) {
    const provisions = found.linked.provisions.filter(({ passage: norm }) => norm.chunk.lang === frame.lang);
    cut = paragraphs(
      draft,
      frame,
      provisions.map(({ passage: norm, start, end }) => ({ hit: norm, start, end })),
    );
  }
  const layer = layers.find(({ name }) => name === hit.facts.layer.name);
  const label = layers.length > 1 ? `${layerTitle(layer, hit.facts.layer.name, frame.lang)}: ` : '';
  passage(draft.paragraph(), frame, [{ hit, start: 0, end: hit.text.length, cut: false }], label);
  return { mode: 'faq', draft, finish: cut ? 'length' : 'stop' };
}
