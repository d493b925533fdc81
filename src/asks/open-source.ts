/** Access to sources: decides who may open which source, and how much is shown. */
import type { ApiKey } from '../domain/api-keys.ts';
import type { FreshCatalog } from '../event-sourcing/fresh-catalog.ts';
import { Failure } from '../failures.ts';
import type { SourceDocument, SourceDocuments, SourceInput } from './source-document.ts';
import type { LinkSignature, SourceLinks } from './source-links.ts';

/** The reader of a source: with a key, with the signature of an address, or as the general public. */
export interface SourceReader {
  key?: ApiKey | null;
  signature?: LinkSignature | null;
}

/** `denied`: questions require a key, and the reader has neither a key for the corpus nor a valid signature. */
export type OpenedSource = SourceDocument | { status: 'denied' | 'expired' };

export interface SourceReaderDeps {
  catalog: Pick<FreshCatalog, 'load'>;
  documents: Pick<SourceDocuments, 'open'>;
  links: Pick<SourceLinks, 'check'>;
  /** Whether a corpus is shown to everyone, or to the holder of this key. */
  mayRead(key: ApiKey | null, corpusId: string): boolean;
}

/** Fails with `not_found` if the corpus, document, revision or part is unknown. May also fail with `unavailable`. */
export async function openSource(
  { catalog, documents, links, mayRead }: SourceReaderDeps,
  input: SourceInput,
  { key = null, signature = null }: SourceReader = {},
): Promise<OpenedSource> {
  const { corpus_id, doc_id, revision, chunk } = input;
  if (!mayRead(key, corpus_id)) {
    const location = revision && chunk ? { corpus_id, doc_id, revision, chunk_index: chunk } : null;
    const verdict = location && signature ? links.check(location, signature) : 'invalid';
    if (verdict !== 'valid') return { status: verdict === 'expired' ? 'expired' : 'denied' };
  }
  const corpus = (await catalog.load()).corpora.get(corpus_id);
  const source = corpus?.active ? await documents.open(input, corpus.settings) : null;
  if (!source) throw new Failure('not_found', 'Source not found.');
  return source;
}
