/** What an answer is made for. */
import type { CorpusSettings, HistoryMessage, Language, Style } from '../../domain/events.ts';
import { repairLayout } from '../../text/language.ts';
import type { SourcePages } from '../parts.ts';
import { asksAnew } from '../understanding/asked-anew.ts';
import type { Question } from '../understanding/question.ts';

/** A question as it was sent, in a corpus. */
export interface Asked {
  query: string;
  /** Oldest first, as far as it is read. */
  history: readonly HistoryMessage[];
  corpus: CorpusSettings;
  /** null where the corpus declares no styles or none was asked for. */
  style: Style | null;
}

/** What an answer is made for, besides what was found. */
export interface AnswerContext {
  lang: Language;
  corpus: CorpusSettings;
  /** null where the corpus declares no styles or none was asked for. */
  style: Style | null;
  /** The question asks for a verdict. */
  leading: boolean;
  /** The dialogue before the question, oldest first. */
  turns: readonly HistoryMessage[];
  /** More is wanted than was said before; `seen` is what was said. */
  more: boolean;
  seen: string;
  question: string;
  /** It names more provisions than are looked up. */
  moreReferences: boolean;
  /** The question made whole with the dialogue; the question itself where it stood alone. */
  whole: string;
  /** It asks for a time, number, sum or person, and the question before asked for no such thing. */
  asksAnew: boolean;
  /** It asks more questions than are answered. */
  moreParts: boolean;
  pages: SourcePages;
}

/** What an answer to a question is made for. */
export function contextOf(
  { query, history, corpus, style }: Asked,
  { lang, more, leading, moreReferences, parts, rewritten, thread }: Question,
  pages: SourcePages,
): AnswerContext {
  const said = history.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  const before = history.findLast(({ role }) => role === 'user')?.content ?? '';
  return {
    ...{ lang, corpus, style, leading, more, turns: history, seen: said.join('\n'), question: query },
    ...{ whole: rewritten ?? repairLayout(query), moreReferences, moreParts: parts?.more ?? false, pages },
    asksAnew: thread.from !== null || asksAnew(query, before),
  };
}
