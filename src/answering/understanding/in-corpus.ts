/** Interprets a question with evidence from its corpus's vocabulary. Runs in a worker thread. */
import type { CorpusSettings, HistoryMessage } from '../../domain/events.ts';
import { isLanguageCertain, repairLayout, type Wording } from '../../text/language.ts';
import { type Question, understand } from './question.ts';

/** A message as typed, with the dialogue before it and the settings of its corpus. */
export interface TypedQuestion {
  query: string;
  history: readonly HistoryMessage[];
  settings: CorpusSettings;
}

/**
 * `wording`: evidence from the documents about a text's keyboard layout and language; it is requested only if the
 * question's own words are not sufficient. Without documents, or if they cannot be read, the words have to do.
 */
export async function understandInCorpus(
  { query, history, settings }: TypedQuestion,
  wording: (text: string) => Promise<Wording | null>,
): Promise<Question> {
  const isCertain = isLanguageCertain(query) && repairLayout(query) === query;
  const evidence = isCertain ? null : await wording(query).catch(() => null);
  return understand(query, history, settings, evidence ?? undefined);
}
