/** What a model is given to answer from: passages under the names their layers and documents have. */
import type { Found } from '../../retrieval/pipeline.ts';
import { splitSentences } from '../../text/sentences.ts';
import type { AnswerContext } from '../answerer.ts';
import { isOrder } from '../orders.ts';
import { phrases } from '../phrases.ts';
import type { Edition } from '../plan.ts';
import { unique } from '../retrieval.ts';
import { addressOf, layersOf, layerTitle } from '../sources.ts';

export interface GivenDocument {
  /** What a citation names it by. */
  id: string;
  title: string;
  text: string;
  passage: Found;
}

/** Passages of one call, and UTF-16 units of all of them together. */
const documentsMax = 8;
const unitsMax = 24_000;

/** The best passages; sentences that give the assistant orders are left out. `firstId`: of the first one. */
export function documentsOf(
  context: AnswerContext,
  passages: readonly Found[],
  edition: Edition,
  firstId = 1,
): GivenDocument[] {
  const layers = layersOf(context.corpus, edition);
  const state = edition === 'superseded' ? ` (${phrases[context.lang].superseded})` : '';
  const given: GivenDocument[] = [];
  let units = 0;
  for (const passage of unique(passages).slice(0, documentsMax)) {
    const text = withoutOrders(passage.text);
    units += text.length;
    if (units > unitsMax && given.length > 0) break;
    const layer =
      layers.length > 1 || state !== '' ? layerTitle(layers, passage.facts.layer.name, context.lang) : '';
    const title = [`${layer}${state}`, addressOf(passage, context)].filter((part) => part.trim() !== '');
    given.push({ id: String(firstId + given.length), title: title.join(': '), text, passage });
  }
  return given;
}

function withoutOrders(text: string): string {
  let left = text;
  for (const { start, end } of splitSentences(text).toReversed())
    if (isOrder(text.slice(start, end))) left = `${left.slice(0, start)}…${left.slice(end)}`;
  return left;
}
