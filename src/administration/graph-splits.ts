import type { GraphSplit, GraphSplitRequest } from '../api/graph.ts';
import type { Listed, Page } from '../api/schema.ts';
import { Failure } from '../failures.ts';
import type { Acting } from './acting.ts';
import { type AdministrationDeps, causeOf, shown } from './context.ts';

export interface GraphSplits {
  /** Those that hold, the newest first; of one corpus where it is named. */
  graphSplits(page: Page, corpusId?: string): Promise<Listed<GraphSplit>>;
  /** The split as it stands; the one there is where the form is parted already. Failure `not_found` for an unknown corpus, `conflict`. */
  splitEntity(request: GraphSplitRequest, acting: Acting): Promise<GraphSplit>;
  /** Failure `not_found`. */
  undoSplit(splitId: number, acting: Acting): Promise<void>;
}

export function graphSplits(deps: Pick<AdministrationDeps, 'commands' | 'progress' | 'clock'>): GraphSplits {
  const { commands, clock } = deps;
  return {
    async graphSplits({ limit, offset }, corpusId) {
      const { splits } = await commands.graphSplits.load();
      const of = splits.filter(({ corpus_id }) => corpusId === undefined || corpus_id === corpusId);
      return { items: of.toReversed().slice(offset, offset + limit), total: of.length, limit, offset };
    },

    async splitEntity({ corpus_id, key }, acting) {
      if (!(await commands.catalog.load()).corpora.has(corpus_id))
        throw new Failure('not_found', `There is no corpus "${corpus_id}".`);
      const split = { corpus_id, key, split_at: clock.now().toISOString(), split_by: acting.name };
      const { state, position } = await commands.graphSplits.execute(
        { type: 'Split', split },
        causeOf(acting),
      );
      await shown(deps, position);
      return state.splits.find((one) => one.corpus_id === corpus_id && one.key === key)!;
    },

    async undoSplit(split_id, acting) {
      const undone = { undone_at: clock.now().toISOString(), undone_by: acting.name };
      const { position } = await commands.graphSplits.execute(
        { type: 'Undo', split_id, ...undone },
        causeOf(acting),
      );
      await shown(deps, position);
    },
  };
}
