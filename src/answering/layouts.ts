/** The four ways of laying out an answer that a corpus can declare. */
import type { Style } from '../domain/events.ts';
import type { Found } from '../retrieval/pipeline.ts';
import type { Draft } from './answer-builder.ts';
import type { Frame } from './context.ts';
import { addressOf } from './context.ts';
import { phrases } from './phrases.ts';
import { arranged, type Chosen, withContext } from './sentence-selection.ts';

/** A sentence below this part of the best one's share is not about the question. */
const relevance = 0.55;
const quotesAtMost = 5;

/** Lays out the best sentences in the style of the frame. True: something was cut for its length. */
export function inStyle(draft: Draft, frame: Frame, sentences: readonly Chosen[]): boolean {
  return layouts[frame.style!](draft, frame, sentences);
}

const layouts: Record<Style, (draft: Draft, frame: Frame, sentences: readonly Chosen[]) => boolean> = {
  /** Two sentences and nothing else. */
  brief(draft, _frame, sentences) {
    for (const group of arranged(sentences.slice(0, 2).map(bare))) {
      for (const { hit, start, end } of group) {
        if (draft.answer !== '') draft.say(' ');
        draft.quote(hit, start, end);
      }
    }
    return false;
  },

  /** Dated quotations with their addresses, by date, at most one a document. */
  quotes(draft, frame, sentences) {
    for (const one of byDate(onePerDocument(sentences).slice(0, quotesAtMost))) {
      draft.paragraph();
      quotation(draft, frame, one);
      draft.say(` — ${addressOf(one.hit, frame.lang)}`);
      const { facts, chunk } = one.hit;
      const page = frame.pages.permanent({ ...facts, chunk_index: chunk.chunk_index });
      const address = facts.source_url ?? facts.url ?? page;
      if (address !== null) draft.say(`, ${address}`);
    }
    return false;
  },

  /** Each document's own words under its name and date, the earliest first. */
  compare(draft, frame, sentences) {
    for (const one of byDate(onePerDocument(sentences).slice(0, quotesAtMost))) {
      draft
        .paragraph()
        .say(`${speakerOf(one.hit, frame)}:`)
        .line();
      quotation(draft, frame, one);
    }
    return false;
  },

  /** What the best sentence says, what else supports it, and how far that goes. */
  analytic(draft, frame, sentences) {
    const words = phrases[frame.lang];
    const best = sentences[0]!;
    const rest = onSubject(sentences)
      .filter((one) => one !== best)
      .slice(0, 4);
    draft.paragraph().say(`${words.thesis}: `);
    quotation(draft, frame, best);
    draft.say(` (${addressOf(best.hit, frame.lang)})`);
    if (rest.length > 0) draft.paragraph().say(`${words.evidence}:`);
    for (const one of byDate(rest)) {
      draft.line().say('– ');
      quotation(draft, frame, one);
      draft.say(` (${addressOf(one.hit, frame.lang)})`);
    }
    draft.paragraph().say(`${words.limits}: ${words.limitsOf(draft.shown.length)}`);
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
function quotation(draft: Draft, frame: Frame, one: Chosen): void {
  const [before, after] = phrases[frame.lang].quote('');
  for (const [n, { hit, start, end }] of withContext(one).entries()) {
    draft.say(n === 0 ? before : ' … ').quote(hit, start, end);
  }
  draft.say(after);
}

/** Who spoke, where the document's metadata say so, else its title; with the date. */
function speakerOf(hit: Found, { lang }: Frame): string {
  const { speaker } = hit.facts.metadata;
  if (typeof speaker !== 'string' || speaker === '') return addressOf(hit, lang);
  const date = hit.facts.event_date === null ? '' : `, ${phrases[lang].date(hit.facts.event_date)}`;
  return `${speaker}${date}`;
}
