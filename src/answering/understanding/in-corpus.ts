/** Interprets a question with evidence from the vocabulary of its corpus. Runs in a worker thread. */
import type { CorpusSettings, HistoryMessage } from '../../domain/events.ts';
import { isLanguageCertain, repairLayout, type Wording } from '../../text/language.ts';
import { type Question, understand } from './question.ts';

/** A message as typed, the dialogue before it, and the settings of its corpus. */
export interface TypedQuestion {
  query: string;
  history: readonly HistoryMessage[];
  settings: CorpusSettings;
}

/**
 * `wording`: finds evidence in the documents for the keyboard layout and language of a text. It is called only if the
 * words of the question are not sufficient. If there are no documents or they cannot be read, only the words are used.
 */
export async function understandInCorpus(
  { query, history, settings }: TypedQuestion,
  wording: (text: string) => Promise<Wording | null>,
): Promise<Question> {
  const isCertain = isLanguageCertain(query) && repairLayout(query) === query;
  const evidence = isCertain ? null : await wording(query).catch(() => null);
  return understand(query, history, settings, evidence ?? undefined);
}
