/** Wires up the parts that write documents: ingestion, restoring and embedding. */
import type { Cause } from '../event-sourcing/commands.ts';
import type { Core } from '../event-sourcing/core.ts';
import type { Position } from '../ports/event-log.ts';
import type { Embedder, StructuredModel } from '../ports/models.ts';
import { Backfills } from './embedding/backfill.ts';
import { EmbeddingGenerations } from './embedding/embedding-generations.ts';
import { Ingestions } from './ingestions.ts';
import { createEntityExtractor } from './model-entities.ts';
import { restoreDocument } from './restore.ts';

export interface IngestModels {
  embedder: Embedder | null;
  /** Finds entities in passages. If null, only rules are used. */
  entities: StructuredModel | null;
  /** The embedder that computed the earlier vectors; null if unknown. */
  embedderNamed(name: string): Embedder | null;
}

export interface Ingest {
  ingestions: Ingestions;
  backfills: Backfills;
  generations: EmbeddingGenerations;
  /** See restore.ts. */
  restore(docId: number, cause: Cause): Promise<Position | null>;
  close(): Promise<void>;
}

/** Starts polling for backfill jobs. */
export function openIngest(core: Core, { embedder, entities, embedderNamed }: IngestModels): Ingest {
  const { commands, reads, clock, log, onTrouble, catchingUp } = core;
  const extractor = entities && createEntityExtractor(entities);
  const caughtUp = () => catchingUp.searchable();
  const ingestions = new Ingestions({ commands, reads, embedder, extractor, caughtUp });
  const backfills = new Backfills({ commands, reads, embedder, clock, onTrouble, caughtUp });
  backfills.start();
  return {
    ingestions,
    backfills,
    generations: new EmbeddingGenerations({ reads, embedder, embedderNamed }),
    restore: (docId, cause) => restoreDocument({ log, commands, embedder, extractor }, docId, cause),
    close: async () => {
      await ingestions.close();
      await backfills.stop().catch(() => {});
    },
  };
}
