/**
 * The corpora and documents. Documents are assigned their integer ids here, in a single stream, so no id is assigned
 * twice.
 */
import { isDeepStrictEqual } from 'node:util';
import { Map as PersistentMap } from 'immutable';
import { Failure } from '../failures.ts';
import type { Decider } from './decider.ts';
import type { CorpusSettings, DomainEvent } from './events.ts';

export interface CorpusState {
  corpus_id: string;
  settings: CorpusSettings;
  active: boolean;
}

export interface DocumentEntry {
  doc_id: number;
  doc_key: string;
  root: string | null;
}

/**
 * Uses persistent maps: a state with 50,000 documents evolves without being copied, and earlier states stay unchanged.
 */
export interface CatalogState {
  corpora: PersistentMap<string, CorpusState>;
  /** The documents by corpus, then by key. */
  documents: PersistentMap<string, PersistentMap<string, DocumentEntry>>;
  lastDocId: number;
}

export type CatalogCommand =
  /** Registers the corpus, or changes its settings if they differ. */
  | { type: 'SetCorpus'; corpus_id: string; settings: CorpusSettings }
  /** Like SetCorpus, but fails with `conflict` if the corpus already exists. */
  | { type: 'RegisterCorpus'; corpus_id: string; settings: CorpusSettings }
  /** Changes the given settings if they differ. */
  | { type: 'ChangeCorpus'; corpus_id: string; changes: Partial<CorpusSettings> }
  | { type: 'SetActive'; corpus_id: string; active: boolean }
  /**
   * Assigns ids to keys that have none. A document found under a different root is registered again with its existing
   * id.
   */
  | { type: 'RegisterDocuments'; corpus_id: string; documents: { doc_key: string; root: string | null }[] };

const corpusIdPattern = /^[a-z0-9][a-z0-9_.-]{0,99}$/i;

export const catalog: Decider<CatalogState, CatalogCommand> = {
  initial: { corpora: PersistentMap(), documents: PersistentMap(), lastDocId: 0 },

  evolve(state, event) {
    switch (event.type) {
      case 'CorpusRegistered': {
        const { corpus_id, settings } = event.data;
        return {
          ...state,
          corpora: state.corpora.set(corpus_id, { corpus_id, settings, active: true }),
          documents: state.documents.set(corpus_id, PersistentMap()),
        };
      }
      case 'CorpusChanged':
        return withCorpus(state, event.data.corpus_id, { settings: event.data.settings });
      case 'CorpusActivated':
      case 'CorpusDeactivated':
        return withCorpus(state, event.data.corpus_id, { active: event.type === 'CorpusActivated' });
      case 'DocumentRegistered': {
        const { corpus_id, doc_id, doc_key, root } = event.data;
        const documents = state.documents.get(corpus_id)?.set(doc_key, { doc_id, doc_key, root });
        return {
          ...state,
          documents: documents ? state.documents.set(corpus_id, documents) : state.documents,
          lastDocId: Math.max(state.lastDocId, doc_id),
        };
      }
      default:
        return state;
    }
  },

  decide(command, state) {
    const { corpus_id } = command;
    const corpus = state.corpora.get(corpus_id);
    if (command.type === 'SetCorpus' || command.type === 'RegisterCorpus') {
      if (!corpusIdPattern.test(corpus_id)) {
        throw new Failure(
          'invalid',
          `A corpus id must consist of 1 to 100 letters, digits, "_", "-" or "." and begin with a letter or digit; got "${corpus_id}".`,
        );
      }
      if (corpus === undefined)
        return [{ type: 'CorpusRegistered', data: { corpus_id, settings: command.settings } }];
      if (command.type === 'RegisterCorpus')
        throw new Failure('conflict', `The corpus "${corpus_id}" already exists.`);
      return changed(corpus, command.settings);
    }
    if (corpus === undefined) throw new Failure('not_found', `There is no corpus "${corpus_id}".`);
    if (command.type === 'ChangeCorpus') return changed(corpus, { ...corpus.settings, ...command.changes });
    if (command.type === 'SetActive') {
      if (corpus.active === command.active) return [];
      return [{ type: command.active ? 'CorpusActivated' : 'CorpusDeactivated', data: { corpus_id } }];
    }
    const known = state.documents.get(corpus_id);
    const registered = new Map<string, DocumentEntry>();
    let next = state.lastDocId;
    const events: DomainEvent[] = [];
    for (const { doc_key, root } of command.documents) {
      const entry = registered.get(doc_key) ?? known?.get(doc_key);
      if (entry !== undefined && entry.root === root) continue;
      const doc_id = entry?.doc_id ?? ++next;
      registered.set(doc_key, { doc_id, doc_key, root });
      events.push({ type: 'DocumentRegistered', data: { corpus_id, doc_id, doc_key, root } });
    }
    return events;
  },
};

export function activeCorpora({ corpora }: CatalogState): string[] {
  return [...corpora.values()].flatMap(({ corpus_id, active }) => (active ? [corpus_id] : []));
}

/**
 * Returns the active corpus for a question that does not specify one: the configured default if it is active, otherwise
 * the only active corpus. Null if there is no active corpus, or if there are several and the configured one is not
 * among them.
 */
export function defaultCorpus(active: readonly string[], configured: string): string | null {
  if (active.includes(configured)) return configured;
  return active.length === 1 ? active[0]! : null;
}

function withCorpus(
  state: CatalogState,
  corpusId: string,
  changes: Partial<Omit<CorpusState, 'corpus_id'>>,
): CatalogState {
  const corpus = state.corpora.get(corpusId);
  return corpus ? { ...state, corpora: state.corpora.set(corpusId, { ...corpus, ...changes }) } : state;
}

function changed({ corpus_id, settings: before }: CorpusState, settings: CorpusSettings): DomainEvent[] {
  if (isDeepStrictEqual(before, settings)) return [];
  return [{ type: 'CorpusChanged', data: { corpus_id, settings } }];
}
