/** The four styles of answers that a corpus can offer. */
import { roleOf, statedByField } from '../../domain/chunk-text.ts';
import type { Style } from '../../domain/events.ts';
import type { Found } from '../../reading/passages.ts';
import { phrases } from '../../text/phrases.ts';
import type { AnswerBuilder } from './builder.ts';
import type { AnswerContext } from './context.ts';
import { position } from './position.ts';
import { arranged, type ChosenSentence, type Stretch } from './sentences.ts';
import { addressOf } from './sources.ts';

/** A sentence is relevant if its `share` is at least this fraction of the best sentence's. */
const relevance = 0.55;
const quotesAtMost = 5;

/** Lays out the best sentences in the requested style. Returns true if the text was cut to its maximum length. */
export function inStyle(
  builder: AnswerBuilder,
  context: AnswerContext,
  sentences: readonly ChosenSentence[],
): boolean {
  return layouts[context.style!](builder, context, sentences);
}

/**
 * Shows how something has changed by quoting each dated document, earliest first. If fewer than `least` documents
 * match, adds nothing and returns false. `sentences`: best first.
 */
export function inTime(
  builder: AnswerBuilder,
  context: AnswerContext,
  sentences: readonly ChosenSentence[],
  least: number,
): boolean {
  const dated = sentences.filter(({ hit, own }) => hit.facts.event_date !== null && own > 0);
  if (dated.length === 0 || onePerDocument(touching(dated)).length < least) return false;
  layouts.compare(builder, context, dated);
  return true;
}

const layouts: Record<
  Style,
  (builder: AnswerBuilder, context: AnswerContext, sentences: readonly ChosenSentence[]) => boolean
> = {
  /** The best two sentences and nothing else. */
  brief(builder, _context, sentences) {
    for (const group of arranged(sentences.slice(0, 2).map(bare))) {
      for (const { hit, start, end } of group) {
        if (builder.answer !== '') builder.text(' ');
        builder.quote(hit, start, end);
      }
    }
    return false;
  },

  /** At most one quotation per document, ordered by date, with addresses. */
  quotes(builder, context, sentences) {
    for (const one of byDate(onePerDocument(onSubject(sentences)).slice(0, quotesAtMost))) {
      builder.paragraph();
      quotation(builder, context, ...position(one, sentences));
      const { facts, chunk } = one.hit;
      const page = context.pages.permanent({ ...facts, chunk_index: chunk.chunk_index });
      const address = [addressOf(one.hit, context), facts.source_url ?? facts.url ?? page];
      builder.label(` — ${address.filter(Boolean).join(', ')}`);
    }
    return false;
  },

  /** What each document says, below its speaker and date, earliest first. */
  compare(builder, context, sentences) {
    for (const one of byDate(onePerDocument(touching(sentences)).slice(0, quotesAtMost))) {
      builder
        .paragraph()
        .text(`${speakerOf(one.hit, context)}${languageOf(one.hit, context)}:`)
        .line();
      quotation(builder, context, ...position(one, sentences));
    }
    return false;
  },

  /** The best sentence, other sentences that support it, and the limits of the evidence. */
  analytic(builder, context, sentences) {
    const words = phrases[context.lang];
    const best = sentences[0]!;
    const rest = onSubject(sentences)
      .filter((one) => one !== best)
      .slice(0, 4);
    builder.paragraph().text(`${words.thesis}: `);
    quotation(builder, context, best);
    builder.label(` (${addressOf(best.hit, context)})`);
    if (rest.length > 0) builder.paragraph().text(`${words.evidence}:`);
    for (const one of byDate(rest)) {
      builder.line().text('– ');
      quotation(builder, context, one);
      builder.label(` (${addressOf(one.hit, context)})`);
    }
    builder.paragraph().text(`${words.limits}: ${words.limitsOf(builder.shown.length)}`);
    return false;
  },
};

const bare = ({ hit, start, end }: ChosenSentence) => ({ hit, start, end });

function onSubject(sentences: readonly ChosenSentence[]): ChosenSentence[] {
  const best = sentences[0]!;
  return sentences.filter((one) => one.share >= relevance * best.share);
}

/**
 * Minimum number of matching words, as a fraction of the best sentence's. The minimum is lower if there is only one
 * speaker, because passing mentions then count too.
 */
const touched = { byOne: 0.4, bySeveral: 0.6 };

function touching(sentences: readonly ChosenSentence[]): ChosenSentence[] {
  const most = Math.max(...sentences.map(({ own }) => own));
  if (most <= 0) return onSubject(sentences);
  const voices = new Set(sentences.map(({ hit }) => personOf(hit)));
  const least = most * (voices.size === 1 ? touched.byOne : touched.bySeveral);
  return sentences.filter(({ own }) => own >= least);
}

/** The best sentence of each statement. `some`: the relevant sentences, best first. */
function onePerDocument(some: readonly ChosenSentence[]): ChosenSentence[] {
  const seen = new Set<string>();
  return some.filter(({ hit }) => {
    // A document may contain several dated statements.
    const key = `${hit.facts.doc_id} ${hit.chunk.chunk_index}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

function byDate(chosen: readonly ChosenSentence[]): ChosenSentence[] {
  return [...chosen].sort((a, b) =>
    (a.hit.facts.event_date ?? '').localeCompare(b.hit.facts.event_date ?? ''),
  );
}

/** Adds sentences in quotation marks. The marks are not part of the citation. */
function quotation(
  builder: AnswerBuilder,
  context: AnswerContext,
  ...chosen: readonly ChosenSentence[]
): void {
  const [before, after] = phrases[context.lang].quote;
  let last: Stretch | null = null;
  for (const stretch of arranged(chosen).flat()) {
    const { hit, start, end } = stretch;
    const gap = last === null ? null : hit.text.slice(last.end, start).trim();
    builder.text(gap === null ? before : gap === '' ? ' ' : ' … ').quote(hit, start, end);
    last = stretch;
  }
  builder.text(after);
}

/** The speaker named in the metadata and the date, or the address of the passage if no speaker is named. */
function speakerOf(hit: Found, context: AnswerContext): string {
  const person = personOf(hit);
  if (person === null) return addressOf(hit, context);
  const date = hit.facts.event_date === null ? '' : `, ${phrases[context.lang].date(hit.facts.event_date)}`;
  return `${person}${date}`;
}

/** The quotation's language, in brackets, if it differs from the asker's. */
const languageOf = ({ chunk }: Found, { lang }: AnswerContext): string =>
  chunk.lang === lang ? '' : ` (${phrases[lang].language(chunk.lang)})`;

/** The speaker named in the metadata of a document; null if there is none. */
function personOf({ facts }: Found): string | null {
  const stated = Object.entries(statedByField(facts.metadata));
  return stated.find(([field]) => roleOf(field) === 'person')?.[1] ?? null;
}
