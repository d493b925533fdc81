import type { AdminCorpus } from '../api/corpora.ts';
import type { Listed, Page } from '../api/schema.ts';
import { activeCorpora, defaultCorpus } from '../domain/catalog.ts';
import type { CorpusSettings } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { Doc } from '../ports/read-models.ts';
import type { Acting } from './acting.ts';
import { type AdministrationDeps, causeOf, shown } from './context.ts';
import { coverageByCorpus } from './embeddings.ts';

export type CorpusChanges = Partial<CorpusSettings> & { is_active?: boolean };

export interface Corpora {
  /** All corpora by their id, inactive ones too. */
  corpora(page: Page): Promise<Listed<AdminCorpus>>;
  /** Failure `conflict` for a corpus that is known, `invalid` for an id that is none. */
  createCorpus(corpusId: string, settings: CorpusSettings, acting: Acting): Promise<AdminCorpus>;
  /** Failure `not_found` for an unknown corpus. */
  changeCorpus(corpusId: string, changes: CorpusChanges, acting: Acting): Promise<AdminCorpus>;
}

export function corpora(
  deps: Pick<AdministrationDeps, 'commands' | 'reads' | 'progress' | 'config' | 'embedder'>,
): Corpora {
  const { commands, reads, config, embedder } = deps;

  async function records(docs: readonly Doc[]): Promise<AdminCorpus[]> {
    const ids = docs.map(({ corpus_id }) => String(corpus_id));
    const [rows, counters, catalog] = await Promise.all([
      reads.coverage(embedder?.name ?? ''),
      reads.getMany(
        'stats',
        ids.map((id) => `corpus:${id}`),
      ),
      commands.catalog.load(),
    ]);
    const ofCorpus = coverageByCorpus(rows);
    const byDefault = defaultCorpus(activeCorpora(catalog), config.DOCENT_DEFAULT_CORPUS);
    return docs.map((doc, i) => {
      const { changed_at: _, ...stored } = doc as StoredCorpus;
      const { embedded_chunks, coverage } = ofCorpus(ids[i]!);
      return {
        ...stored,
        is_default: ids[i] === byDefault,
        embedded_chunks,
        embedding_coverage: coverage,
        question_count: Number(counters[i]?.asked ?? 0),
      };
    });
  }

  async function corpus(corpusId: string): Promise<AdminCorpus> {
    const doc = await reads.get('corpora', corpusId);
    if (doc === null)
      throw new Failure('unavailable', 'The corpus is registered, but not visible yet.', { retryAfterS: 1 });
    return (await records([doc]))[0]!;
  }

  return {
    async corpora({ limit, offset }) {
      const { items, total } = await reads.find('corpora', { limit, offset });
      return { items: await records(items), total, limit, offset };
    },

    async createCorpus(corpus_id, settings, acting) {
      const { position } = await commands.catalog.execute(
        { type: 'RegisterCorpus', corpus_id, settings },
        causeOf(acting),
      );
      await shown(deps, position, 'corpora');
      return corpus(corpus_id);
    },

    async changeCorpus(corpus_id, { is_active, ...changes }, acting) {
      const { position } = await commands.catalog.execute(
        [
          { type: 'ChangeCorpus', corpus_id, changes },
          ...(is_active === undefined ? [] : [{ type: 'SetActive' as const, corpus_id, active: is_active }]),
        ],
        causeOf(acting),
      );
      await shown(deps, position, 'corpora');
      return corpus(corpus_id);
    },
  };
}

/** What the projection keeps of a corpus; `changed_at` is for the service alone. */
type StoredCorpus = Doc &
  Omit<AdminCorpus, 'is_default' | 'embedded_chunks' | 'embedding_coverage' | 'question_count'>;
