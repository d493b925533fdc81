/** Lays out answers that consist of quotations. */
import type { Mode } from '../../domain/events.ts';
import { asksForAll } from '../../reading/answer-kinds.ts';
import type { Found } from '../../reading/passages.ts';
import { phrases } from '../../text/phrases.ts';
import type { AnswerBuilder, PreparedAnswer } from './builder.ts';
import type { AnswerContext } from './context.ts';
import { arranged, type Quotable, type Stretch } from './sentences.ts';
import { addressOf } from './sources.ts';

/** Quotes ranges of a passage with separators between them. Returns true if a list was cut. */
function quoteAll(builder: AnswerBuilder, stretches: readonly Stretch[]): boolean {
  let cut = false;
  for (const [n, { hit, start, end, cut: more }] of stretches.entries()) {
    const before = stretches[n - 1];
    if (before && start < before.end) builder.text(' … ');
    // Any text between an item and the head of its list, or between a row and its column names, is ignored.
    else if (before) builder.text(before.heads ? '\n' : between(hit.text.slice(before.end, start)));
    builder.quote(hit, start, end);
    if (more) builder.cutList ??= more;
    cut ||= more !== false;
  }
  return cut;
}

/**
 * The separator between two quotations: a line break if only that was between them, otherwise a space or an ellipsis.
 */
function between(gap: string): string {
  if (/^[^\S\n]*\n[^\S\n]*$/.test(gap)) return '\n';
  return /^\s*(?:\d{1,3}\.\s*)?$/.test(gap) ? ' ' : ' … ';
}

/** Writes the label, quotations and address of a passage. Returns true if a list was cut. */
export function quotePassage(
  builder: AnswerBuilder,
  context: AnswerContext,
  stretches: readonly Stretch[],
  label = '',
): boolean {
  builder.text(label);
  const cut = quoteAll(builder, stretches);
  const address = addressOf(stretches[0]!.hit, context);
  if (address !== '') builder.label(` (${address})`);
  return cut;
}

/** Writes the chosen sentences, with one paragraph per passage. Returns true if a list was cut. */
export function paragraphs(
  builder: AnswerBuilder,
  context: AnswerContext,
  chosen: readonly Quotable[],
  label = '',
  order: 'text' | 'chosen' = 'text',
): boolean {
  let cut = false;
  for (const group of arranged(chosen, order))
    cut = quotePassage(builder.paragraph(), context, group, label) || cut;
  return cut;
}

/** Lists the addresses of passages under a title. */
export function list(
  builder: AnswerBuilder,
  context: AnswerContext,
  found: readonly Found[],
  title: string,
): void {
  if (found.length === 0) return;
  builder.paragraph().text(title);
  for (const hit of found) builder.label(`\n– ${addressOf(hit, context) || hit.facts.doc_key}`).list(hit);
}

/** Completes an answer. Adds a note if it is incomplete, or if the question asks for a complete list. */
export function closed(
  context: AnswerContext,
  mode: Mode,
  builder: AnswerBuilder,
  cut: boolean,
): PreparedAnswer {
  const words = phrases[context.lang];
  const { cutList } = builder;
  if (cutList && !builder.overflowed) builder.paragraph().text(words.listCutTo(cutList.shown, cutList.of));
  else if (cut || builder.overflowed) builder.paragraph().text(words.listCut);
  else if (asksForAll.test(context.question)) builder.paragraph().text(words.listOpen);
  return { mode, builder, finish: cut ? 'length' : 'stop' };
}
