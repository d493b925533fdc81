/** The pieces that answers made of quotations are laid out with. */
import type { Mode } from '../../domain/events.ts';
import { phrasesOfAll, wholeWords } from '../../text/languages/index.ts';
import { parseReferences } from '../../text/references/parse.ts';
import type { Found } from '../reading/read.ts';
import type { AnswerBuilder, PreparedAnswer } from './builder.ts';
import type { AnswerContext } from './context.ts';
import { phrases } from './phrases.ts';
import { arranged, type Quotable, type Stretch } from './sentences.ts';
import { addressOf } from './sources.ts';

/** Quotes stretches of one passage, a space or an ellipsis between them. */
function quoteAll(builder: AnswerBuilder, stretches: readonly Stretch[]): boolean {
  let cut = false;
  for (const [n, { hit, start, end, cut: more }] of stretches.entries()) {
    const before = stretches[n - 1];
    if (before && start < before.end) builder.text(' … ');
    // An item is one sentence with the head of its list, a row with its columns, whatever stands between them there.
    else if (before) builder.text(before.heads ? '\n' : between(hit.text.slice(before.end, start)));
    builder.quote(hit, start, end);
    if (more) builder.cutList ??= more;
    cut ||= more !== false;
  }
  return cut;
}

/** What stands between two quotations of a text for what stands between them there: items and rows begin lines. */
function between(gap: string): string {
  if (/^[^\S\n]*\n[^\S\n]*$/.test(gap)) return '\n';
  return /^\s*(?:\d{1,3}\.\s*)?$/.test(gap) ? ' ' : ' … ';
}

/** Label, quotes and address of one passage. True: a list was cut. */
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

/** The sentences chosen, a paragraph for each passage, those of one in this order. True: a list was cut. */
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

/** Passages by their addresses only. */
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

/** Says what an answer leaves open: a list cut short, or asked for as if it could be complete. */
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

/** Asks for a list as if it could be complete. */
export const asksForAll = wholeWords(phrasesOfAll('answers.complete'), 'i');

/** Whether a passage of another layer names, above its text, one of the provisions quoted. */
export function onProvision({ facts, chunk }: Found, quoted: readonly Found[]): boolean {
  const named = parseReferences([facts.title, ...chunk.path, chunk.heading, chunk.question ?? ''].join('. '));
  return quoted.some((one) =>
    named.some(({ number, of }) => one.chunk.number?.split('~')[0] === (of?.number ?? number)),
  );
}
