/**
 * Presents the references to a provision or from it. Each reference is shown by quoting its sentence.
 */

import type { Span } from '../../../domain/span.ts';
import { bodyStart, type Found } from '../../../reading/passages.ts';
import { phrases } from '../../../text/phrases.ts';
import { units } from '../../../text/units.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { list, paragraphs } from '../../writing/layout.ts';
import type { Quotable } from '../../writing/sentences.ts';
import { layersOf, layerTitle, localized } from '../../writing/sources.ts';
import type { FollowedReferences } from './port.ts';

/** Maximum number of references to show. If there are more, the total is stated. */
const shownMax = 12;

export function fromReferences(context: AnswerContext, references: FollowedReferences): PreparedAnswer {
  const { finding, referring, targets, items, more } = references;
  const words = phrases[context.lang];
  const builder = new AnswerBuilder();
  const name = words.provision(finding.chain);
  if (items.length === 0) {
    const corpus = localized(context.corpus.title, context.lang);
    builder.text(referring === 'to' ? words.notReferredTo(name, corpus) : words.refersToNothing(name));
    list(builder, context, [finding.provisions[0]!.passage], words.nearest);
    return { mode: 'no_answer', builder, finish: 'stop' };
  }
  const lang = items[0]!.passage.chunk.lang;
  if (lang !== context.lang) builder.text(words.otherLanguage(lang)).paragraph();
  const layers = layersOf(context.corpus, 'current');
  const rank = ({ passage }: (typeof items)[number]) =>
    layers.findIndex((one) => one.name === passage.facts.layer.name);
  const inOrder = items.toSorted((a, b) => rank(a) - rank(b));
  const counted = referring === 'to' ? items.length : new Set(items.map(keyOf)).size;
  const shown = referring === 'to' ? Math.min(counted, shownMax) : counted;
  const cut = more || shown < counted;
  const count = cut ? words.countOf(shown, `${counted}${more ? '+' : ''}`) : String(counted);
  const title = (referring === 'to' ? words.referredTo : words.refersTo)(name, count);
  if (referring === 'to' || targets.length === 0) builder.text(title);
  else list(builder, context, targets, title);
  const quoted = new Map<string, Quotable>();
  for (const item of inOrder) {
    const { passage: hit } = item;
    const sentence = sentenceAt(hit, item);
    quoted.set(`${hit.id} ${sentence.start}`, { hit, ...sentence });
    if (quoted.size === shownMax) break;
  }
  for (const one of quoted.values()) {
    const layer = one.hit.facts.layer.name;
    const label = layer === layers[0]?.name ? '' : `${layerTitle(layers, layer, context.lang)}: `;
    paragraphs(builder, context, [one], label);
  }
  return { mode: 'exact', builder, finish: cut ? 'length' : 'stop' };
}

const keyOf = ({ to }: FollowedReferences['items'][number]) => `${to.doc_key} ${to.unit} ${to.number}`;

/** Returns the sentence or list item that contains a range of a passage. */
function sentenceAt(passage: Found, { start, end }: Span): Span {
  const from = bodyStart(passage);
  const unit = units(passage.text.slice(from)).find(
    (one) => from + one.start <= start && end <= from + one.end,
  );
  return unit ? { start: from + unit.start, end: from + unit.end } : { start, end };
}
