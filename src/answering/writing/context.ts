/** The context of an answer. */
import type { CorpusSettings, HistoryMessage, Language, Style } from '../../domain/events.ts';
import { repairLayout } from '../../text/language.ts';
import type { SourcePages } from '../parts.ts';
import type { Question } from '../understanding/question.ts';

/** A question as sent, in a corpus. */
export interface Asked {
  query: string;
  /** Oldest first, truncated to the part in use. */
  history: readonly HistoryMessage[];
  corpus: CorpusSettings;
  /** null if the corpus declares no styles or none was requested. */
  style: Style | null;
}

/** The context of an answer, besides the findings. */
export interface AnswerContext {
  lang: Language;
  corpus: CorpusSettings;
  /** null if the corpus declares no styles or none was requested. */
  style: Style | null;
  /** The question asks for a verdict. */
  leading: boolean;
  /** The dialogue before the question, oldest first. */
  turns: readonly HistoryMessage[];
  /** The question asks for more than was already given; `seen` is what was given. */
  more: boolean;
  seen: string;
  question: string;
  /** The question names more provisions than are looked up. */
  moreReferences: boolean;
  /** The question completed from the dialogue; the question itself if it was self-contained. */
  whole: string;
  /** The message contains more questions than are answered. */
  moreParts: boolean;
  pages: SourcePages;
}

export function contextOf(
  { query, history, corpus, style }: Asked,
  { lang, more, leading, moreReferences, parts, rewritten }: Question,
  pages: SourcePages,
): AnswerContext {
  const said = history.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  return {
    ...{ lang, corpus, style, leading, more, turns: history, seen: said.join('\n'), question: query },
    ...{ whole: rewritten ?? repairLayout(query), moreReferences, moreParts: parts?.more ?? false, pages },
  };
}
