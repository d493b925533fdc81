/**
 * Assembles everything needed for asks from all doors: asking, recording and finding them, and listing their sources
 * and corpora.
 */
import type { Access } from '../access/access.ts';
import type { Language } from '../domain/events.ts';
import type { Core } from '../event-sourcing/core.ts';
import type { Doc } from '../ports/read-models.ts';
import type { Ask, AskQuestions, FindSourceRefs } from './ask-port.ts';
import { Asks } from './asks.ts';
import { Chats } from './chats.ts';
import { type OpenedSource, openSource, type SourceReader } from './open-source.ts';
import { OverdueAsks } from './overdue.ts';
import { type Corpus, listDocuments, PublicCorpora } from './public-corpora.ts';
import { RecordedAsks } from './recorded-asks.ts';
import { SourceDocuments, type SourceInput } from './source-document.ts';
import type { SourceLinks } from './source-links.ts';
import { refuseHidden } from './still-shown.ts';

export interface OpenAsks {
  /**
   * The answer as a sequence of parts that ends in exactly one `done` or `error`. Rejects before the first part, with
   * nothing recorded, if the corpus is unknown (`not_found`), the read models lag (`unavailable`) or the history cannot
   * be written (`unavailable`, `storage_full`).
   */
  ask: AskQuestions;
  /** Asks from all doors. They are idempotent, resumable, limited in number, and ended in order on close. */
  asks: Asks;
  sourceRefs: FindSourceRefs;
  /** Finds, awaits and cancels recorded asks. */
  recordedAsks: RecordedAsks;
  /** Conversations in chats: replies in progress, earlier messages, and settings. */
  chats: Chats;
  /**
   * The text of a revision, for a reader who opens a source. Fails with `not_found` if the corpus, document, revision
   * or part is unknown.
   */
  source(input: SourceInput, reader?: SourceReader): Promise<OpenedSource>;
  /** The active corpora, described in the reader's language if possible, otherwise in their own first language. */
  corpora(reader?: Language): Promise<Corpus[]>;
  /**
   * Documents of a corpus (null: of all corpora), sorted by corpus and key. Fails with `not_found` if the corpus is
   * unknown.
   */
  documents(
    corpusId: string | null,
    page?: { limit: number; offset: number },
  ): Promise<{ items: Doc[]; total: number }>;
  /** Ends the running asks. */
  close(): Promise<void>;
}

export interface OpenAsksParts {
  asking: Ask;
  access: Access;
  pages: SourceLinks;
  defaultCorpus: string;
  /** Fails with `unavailable` while the read models are being built. */
  checkReady(): void;
  /** Resolves when the FAQ cache reflects the rating. */
  rated(): Promise<void>;
}

/** Opens the asks, and starts the periodic check for asks whose process has stopped. */
export function openAsks(
  core: Core,
  { asking, access, pages, defaultCorpus, checkReady, rated }: OpenAsksParts,
): OpenAsks {
  const { commands, reads, ownReads, progress, catalog, clock, log, leases, secret, onTrouble } = core;
  const overdue = new OverdueAsks({ reads, commands, clock, onTrouble });
  overdue.start();
  const corpusFor = (wanted: string | null) => access.corpusFor(null, wanted);
  const ask: AskQuestions = async function* (input, signal) {
    checkReady();
    yield* asking.ask({ ...input, corpus_id: await corpusFor(input.corpus_id ?? null) }, signal);
  };
  const sourceRefs: FindSourceRefs = async (input, signal) => {
    checkReady();
    return asking.sourceRefs({ ...input, corpus_id: await corpusFor(input.corpus_id ?? null) }, signal);
  };
  const shown = {
    reads: ownReads,
    corpus: async (corpusId: string) => (await catalog.load()).corpora.get(corpusId) ?? null,
  };
  const recorded = {
    stamp: () => progress.changes('queries'),
    after: (stamp: number, signal: AbortSignal) => progress.changed('queries', stamp, signal),
  };
  const recordedAsks = new RecordedAsks(commands, clock, pages, recorded, rated, (corpusId, sources) =>
    refuseHidden(shown, corpusId, sources),
  );
  const asks = new Asks({ ask, recordedAsks, secret, clock });
  const chats = new Chats({ commands, reads, leases, recordedAsks, secret, clock });
  const corpora = new PublicCorpora(reads, progress, defaultCorpus);
  const sources = {
    catalog,
    documents: new SourceDocuments(log),
    links: pages,
    mayRead: access.mayRead.bind(access),
  };
  return {
    ask,
    sourceRefs,
    asks,
    recordedAsks,
    chats,
    source: (input, reader) => openSource(sources, input, reader),
    corpora: (reader) => corpora.list(reader),
    documents: (corpusId, page) => listDocuments({ catalog, reads }, corpusId, page),
    close: async () => {
      await asks.close(0);
      await chats.close();
      overdue.stop();
    },
  };
}
