/** The context of an answer. */
import type { CorpusSettings, HistoryMessage, Language, Style } from '../../domain/events.ts';
import type { Question } from '../../question/question.ts';
import { repairLayout } from '../../text/language.ts';
import type { SourcePages } from '../parts.ts';

/** A question as sent, and its corpus. */
export interface Asked {
  query: string;
  /** The turns that are used, oldest first and truncated. */
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
  /** Whether the question asks for a judgement. */
  asksJudgement: boolean;
  /** The dialogue before the question, oldest first. */
  turns: readonly HistoryMessage[];
  /** Whether the question asks for more of the same answer. `seen`: the answers given so far. */
  more: boolean;
  seen: string;
  question: string;
  /** Whether the question names more provisions than are looked up. */
  moreReferences: boolean;
  /** The question, completed from the dialogue if it was not self-contained. */
  whole: string;
  /** Whether words of the previous question complete this one, so that they show nothing about it. */
  leans: boolean;
  /** Whether the message contains more questions than are answered. */
  moreParts: boolean;
  pages: SourcePages;
}

export function contextOf(
  { query, history, corpus, style }: Asked,
  { lang, more, asksJudgement, moreReferences, parts, rewritten, dialogue }: Question,
  pages: SourcePages,
): AnswerContext {
  const said = history.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  return {
    lang,
    corpus,
    style,
    asksJudgement,
    more,
    turns: history,
    seen: said.join('\n'),
    question: query,
    whole: rewritten ?? repairLayout(query),
    moreReferences,
    moreParts: parts?.more ?? false,
    pages,
    // A question repeated for its answer in another language is as good as the first time.
    leans: dialogue.leans && dialogue.from === null,
  };
}
