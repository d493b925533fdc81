/** The four ways of laying out an answer that a corpus can declare. */
import type { Style } from '../../domain/events.ts';
import type { Found } from '../../retrieval/pipeline.ts';
import { splitSentences } from '../../text/sentences.ts';
import { words } from '../../text/words.ts';
import type { AnswerContext } from '../answerer.ts';
import type { AnswerBuilder } from '../builder.ts';
import { phrases } from '../phrases.ts';
import { arranged, type Chosen, type Stretch } from '../sentences.ts';
import { addressOf } from '../sources.ts';

/** A sentence below this part of the best one's share is not about the question. */
const relevance = 0.55;
const quotesAtMost = 5;

/** Lays out the best sentences in the style asked for. True: something was cut for its length. */
export function inStyle(
  builder: AnswerBuilder,
  context: AnswerContext,
  sentences: readonly Chosen[],
): boolean {
  return layouts[context.style!](builder, context, sentences);
}

/**
 * How something changed: what each of several dated documents says, the earliest first. False where fewer than two
 * speak, and nothing is laid out. `sentences`: best first.
 */
export function inTime(
  builder: AnswerBuilder,
  context: AnswerContext,
  sentences: readonly Chosen[],
): boolean {
  const dated = sentences.filter(({ hit, own }) => hit.facts.event_date !== null && own > 0);
  if (dated.length === 0 || onePerDocument(dated).length < 2) return false;
  layouts.compare(builder, context, dated);
  return true;
}

const layouts: Record<
  Style,
  (builder: AnswerBuilder, context: AnswerContext, sentences: readonly Chosen[]) => boolean
> = {
  /** Two sentences and nothing else. */
  brief(builder, _context, sentences) {
    for (const group of arranged(sentences.slice(0, 2).map(bare))) {
      for (const { hit, start, end } of group) {
        if (builder.answer !== '') builder.text(' ');
        builder.quote(hit, start, end);
      }
    }
    return false;
  },

  /** Dated quotations with their addresses, by date, at most one a document. */
  quotes(builder, context, sentences) {
    for (const one of byDate(onePerDocument(sentences).slice(0, quotesAtMost))) {
      builder.paragraph();
      quotation(builder, context, one);
      const { facts, chunk } = one.hit;
      const page = context.pages.permanent({ ...facts, chunk_index: chunk.chunk_index });
      const address = [addressOf(one.hit, context.lang), facts.source_url ?? facts.url ?? page];
      builder.label(` — ${address.filter(Boolean).join(', ')}`);
    }
    return false;
  },

  /** Each document's own words under its name and date, the earliest first. */
  compare(builder, context, sentences) {
    for (const one of byDate(onePerDocument(sentences).slice(0, quotesAtMost))) {
      builder
        .paragraph()
        .text(`${speakerOf(one.hit, context)}:`)
        .line();
      quotation(builder, context, ...position(one, sentences));
    }
    return false;
  },

  /** What the best sentence says, what else supports it, and how far that goes. */
  analytic(builder, context, sentences) {
    const words = phrases[context.lang];
    const best = sentences[0]!;
    const rest = onSubject(sentences)
      .filter((one) => one !== best)
      .slice(0, 4);
    builder.paragraph().text(`${words.thesis}: `);
    quotation(builder, context, best);
    builder.label(` (${addressOf(best.hit, context.lang)})`);
    if (rest.length > 0) builder.paragraph().text(`${words.evidence}:`);
    for (const one of byDate(rest)) {
      builder.line().text('– ');
      quotation(builder, context, one);
      builder.label(` (${addressOf(one.hit, context.lang)})`);
    }
    builder.paragraph().text(`${words.limits}: ${words.limitsOf(builder.shown.length)}`);
    return false;
  },
};

const bare = ({ hit, start, end }: Chosen) => ({ hit, start, end });

function onSubject(sentences: readonly Chosen[]): Chosen[] {
  const best = sentences[0]!;
  return sentences.filter((one) => one.share >= relevance * best.share);
}

function onePerDocument(sentences: readonly Chosen[]): Chosen[] {
  const seen = new Set<string>();
  return onSubject(sentences).filter(({ hit }) => {
    // Several dated statements can stand in one file.
    const key = `${hit.facts.doc_id} ${hit.chunk.chunk_index}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

function byDate(chosen: readonly Chosen[]): Chosen[] {
  return [...chosen].sort((a, b) =>
    (a.hit.facts.event_date ?? '').localeCompare(b.hit.facts.event_date ?? ''),
  );
}

/** The words in quotation marks; the citation covers the words alone. */
function quotation(builder: AnswerBuilder, context: AnswerContext, ...chosen: readonly Chosen[]): void {
  const [before, after] = phrases[context.lang].quote('');
  let last: Stretch | null = null;
  for (const stretch of arranged(chosen).flat()) {
    const { hit, start, end } = stretch;
    const gap = last === null ? null : hit.text.slice(last.end, start).trim();
    builder.text(gap === null ? before : gap === '' ? ' ' : ' … ').quote(hit, start, end);
    last = stretch;
  }
  builder.text(after);
}

/** A sentence of fewer words needs the next one to be understood. */
const wordsAlone = 7;
/** A further sentence of a document is told where its own words speak of the subject this much of what the best do. */
const further = 0.75;

/**
 * What a document holds on the subject: its best sentence, with the one that follows where it is only an opening or a
 * question, else with another that speaks of the subject nearly as much.
 */
function position(best: Chosen, sentences: readonly Chosen[]): Chosen[] {
  const text = best.hit.text.slice(best.start, best.end);
  if (words(text).length < wordsAlone || /[?:]$/.test(text)) {
    const [next] = splitSentences(best.hit.text.slice(best.end));
    return next ? [best, { ...best, start: best.end + next.start, end: best.end + next.end }] : [best];
  }
  const other = sentences.find(
    (one) => one !== best && one.hit.id === best.hit.id && one.own > 0 && one.own >= further * best.own,
  );
  return other ? [best, other] : [best];
}

/** Who spoke, where the document's metadata say so, else its title; with the date. */
function speakerOf(hit: Found, { lang }: AnswerContext): string {
  const { speaker } = hit.facts.metadata;
  if (typeof speaker !== 'string' || speaker === '') return addressOf(hit, lang);
  const date = hit.facts.event_date === null ? '' : `, ${phrases[lang].date(hit.facts.event_date)}`;
  return `${speaker}${date}`;
}
