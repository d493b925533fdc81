/** Access to sources: who may open which, and how much is shown. */

import type { ApiKey } from '../domain/api-keys.ts';
import type { FreshCatalog } from '../event-sourcing/fresh-catalog.ts';
import { Failure } from '../failures.ts';
import type { SourceDocument, SourceDocuments, SourceInput } from './source-document.ts';
import type { LinkSignature, SourceLinks } from './source-links.ts';

/** Who opens a source: by a key, by the signature of its address, or as everybody. */
export interface SourceReader {
  key?: ApiKey | null;
  signature?: LinkSignature | null;
}

/** `denied`: questions need a key, and there was neither one for the corpus nor a signature that is ours. */
export type OpenedSource = SourceDocument | { status: 'denied' | 'expired' };

export interface SourceReaderDeps {
  catalog: Pick<FreshCatalog, 'load'>;
  documents: Pick<SourceDocuments, 'open'>;
  links: Pick<SourceLinks, 'check'>;
  /** Whether a corpus is shown to everybody, or to who has this key. */
  mayRead(key: ApiKey | null, corpusId: string): boolean;
}

/** Failure `not_found`: corpus, document, revision or part is unknown; `unavailable`. */
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
