/** Decides which entries of the FAQ cache are valid: their sources must be visible and unchanged. */
import { type AnswerRecord, downs, type FaqRecord, type GivenAnswer } from '../../projections/faq.ts';
import type { Reads } from '../answering/reads.ts';
import type { CorpusState } from '../domain/catalog.ts';
import { isPublic, type RecordedSource } from '../domain/events.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import type { Doc } from '../ports/read-models.ts';

/** Number of negative ratings that disable an entry. A single person must not be able to disable it for everyone. */
const downsMax = 2;

/** The order of entries in which the latest come first. */
export const latest = { field: 'created_at', descending: true };

/** The projection guarantees that the fields exist. */
export const asRecord = (doc: Doc): FaqRecord => doc as FaqRecord & Doc;

/** The current records by key, and the current version of the prompt. */
export interface CurrentState {
  documents: ReadonlyMap<string, Doc | null>;
  answers: ReadonlyMap<string, Doc | null>;
  prompt: number;
}

/** Reads the current state needed to check entries, with a fixed number of calls for any number of entries. */
export async function stateFor(
  { reads, commands }: { reads: Pick<Reads, 'getMany'>; commands: Pick<Commands, 'settings'> },
  entries: readonly (FaqRecord | GivenAnswer)[],
): Promise<CurrentState> {
  const ids = new Set<number>();
  const keys = new Set<string>();
  for (const entry of entries) {
    if ('doc_id' in entry) ids.add(entry.doc_id);
    else for (const { doc_id } of entry.sources) ids.add(doc_id);
    if ('answer_key' in entry && entry.answer_key !== null) keys.add(entry.answer_key);
  }
  const read = async (collection: string, wanted: readonly string[]) => {
    const found = wanted.length === 0 ? [] : await reads.getMany(collection, wanted);
    return new Map(wanted.map((key, n) => [key, found[n] ?? null]));
  };
  // One after the other; see `FaqCache.repeatable`.
  const records = async () => ({
    documents: await read('documents', [...ids].map(String)),
    answers: await read('faq_answers', [...keys]),
  });
  const [found, settings] = await Promise.all([
    records(),
    entries.length === 0 ? commands.settings.state : commands.settings.load(),
  ]);
  return { ...found, prompt: settings.prompt.version };
}

/** Whether an entry is valid: its sources are visible and unchanged, and its answer has not been removed. */
export function isValid(entry: FaqRecord, corpus: CorpusState, state: CurrentState): boolean {
  if (entry.origin === 'layer') {
    const document = state.documents.get(String(entry.doc_id));
    return document?.revision === entry.revision && isVisible(document, entry.corpus_id, corpus, ['faq']);
  }
  if (!restsOn(entry, corpus, state)) return false;
  const answer = entry.answer_key === null ? null : state.answers.get(entry.answer_key);
  return !answer || (downs(answer) < downsMax && answer.removed !== true);
}

/** Whether the sources of an answer are visible and unchanged, and its prompt is the current one. */
export function restsOn(
  { corpus_id, sources, prompt_version }: Pick<AnswerRecord, 'corpus_id' | 'sources' | 'prompt_version'>,
  corpus: CorpusState,
  state: CurrentState,
): boolean {
  const isSame = ({ doc_id, revision, content_hash }: RecordedSource): boolean => {
    const document = state.documents.get(String(doc_id));
    return (
      document?.revision === revision &&
      document.content_hash === content_hash &&
      isVisible(document, corpus_id, corpus, ['text', 'faq'])
    );
  };
  return sources.every(isSame) && (prompt_version === null || prompt_version === state.prompt);
}

/** Whether a document of this corpus is published in a public layer of one of these kinds. */
function isVisible(document: Doc, corpusId: string, corpus: CorpusState, kinds: readonly string[]): boolean {
  const layer = corpus.settings.layers.find(({ name }) => name === document.layer);
  return (
    document.status === 'published' &&
    document.corpus_id === corpusId &&
    isPublic(layer) &&
    kinds.includes(layer.kind)
  );
}
