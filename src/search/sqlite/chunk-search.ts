/** Reads the tables of chunks.ts: candidates, passages, vectors, structural numbers and document facts. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { statedByField } from '../../domain/chunk-text.ts';
import type { Language } from '../../domain/events.ts';
import type {
  ChunkChanges,
  ChunkSearch,
  DocumentFacts,
  IndexedChunk,
  Passage,
  SearchScope,
} from '../../ports/chunk-search.ts';
import { snapshot } from '../../storage/sqlite.ts';
import { toTokens } from '../../text/fingerprint.ts';
import { factsOf } from './chunks.ts';
import { openPostings } from './postings.ts';
import { type NearestVectors, openNearestVectors } from './vectors.ts';

/**
 * Searches over a connection (a read-only one in a worker thread). Every call is synchronous. Statements are prepared
 * once, and the vector codes are kept in memory.
 */
export function openChunkSearch(db: DatabaseSync, prefix: string): ChunkSearch {
  const sql = (text: string): StatementSync => db.prepare(text.replaceAll('@', prefix));
  const visible = '@chunks c JOIN @documents d ON d.doc_id = c.doc_id AND d.revision = c.revision';
  const passage = `SELECT c.id, c.ordinal, c.chunk, c.text, r.facts FROM ${visible}
    JOIN @revisions r ON r.doc_id = c.doc_id AND r.revision = c.revision`;
  const findPartition = sql('SELECT partition FROM @partitions WHERE corpus_id = ? AND layer = ?');
  const changedAfter = sql(
    `SELECT d.doc_id, d.revision, d.changed, s.layer, r.facts FROM @documents d
     JOIN @partitions s USING (partition) LEFT JOIN @revisions r ON r.doc_id = d.doc_id AND r.revision = d.revision
     WHERE d.changed > ? ORDER BY d.changed LIMIT ?`,
  );
  const indexedById = sql(
    `SELECT t.id, t.doc_id, t.ordinal, t.partition, t.lang, t.titled, t.tokens FROM json_each(?) ids
     CROSS JOIN @tokens t ON t.id = ids.value JOIN @documents d ON d.doc_id = t.doc_id AND d.revision = t.revision`,
  );
  const layerOf = sql('SELECT layer FROM @partitions WHERE partition = ?');
  const idsOf = sql(`SELECT c.id FROM ${visible} WHERE c.doc_id IN (SELECT value FROM json_each(?))`);
  const postings = openPostings(db, prefix);
  const passageById = sql(`${passage} WHERE c.id = ?`);
  const byNumber = sql(
    `${passage} WHERE c.partition = ?1 AND c.number = ?2 AND (?3 IS NULL OR c.unit = ?3) ORDER BY c.doc_id, c.ordinal`,
  );
  const numbers = sql(
    `SELECT c.number, c.doc_id, c.ordinal FROM ${visible} WHERE c.partition = ? AND c.number NOT NULL AND c.unit = ?
     ORDER BY c.doc_id, c.ordinal`,
  );
  const locate = sql('SELECT doc_id, ordinal FROM @chunks WHERE id = ?');
  const around = sql(`${passage} WHERE c.doc_id = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal`);
  const listed = sql(`${passage} WHERE c.doc_id = ? ORDER BY c.ordinal LIMIT ? OFFSET ?`);
  const counted = sql(`SELECT count(*) AS n FROM ${visible} WHERE c.doc_id = ?`);
  /** For all documents, or for those in a JSON list. */
  const ofDocuments = (docIds: readonly number[] | undefined) =>
    docIds === undefined ? 'TRUE' : 'c.doc_id IN (SELECT value FROM json_each(?2))';
  const coveredSql = (docIds?: readonly number[]) =>
    sql(
      `SELECT s.corpus_id, count(*) AS chunks, count(v.id) AS embedded FROM ${visible}
       JOIN @partitions s ON s.partition = c.partition LEFT JOIN @vectors v ON v.id = c.id AND v.embedder = ?1
       WHERE ${ofDocuments(docIds)} GROUP BY s.corpus_id ORDER BY s.corpus_id`,
    );
  const embeddedSql = (docIds?: readonly number[]) =>
    sql(
      `SELECT c.doc_id, count(*) AS embedded FROM ${visible} JOIN @vectors v ON v.id = c.id AND v.embedder = ?1
       WHERE ${ofDocuments(docIds)} GROUP BY c.doc_id`,
    );
  const counts = {
    covered: { all: coveredSql(), some: coveredSql([]) },
    embedded: { all: embeddedSql(), some: embeddedSql([]) },
  };
  const countedOf = ({ all, some }: typeof counts.covered, embedder: string, docIds?: readonly number[]) =>
    docIds === undefined ? all.all(embedder) : some.all(embedder, JSON.stringify(docIds));
  // Skips from one name to the next in the index, because each embedder may have a vector for every chunk.
  const embedders = sql(
    `WITH RECURSIVE names (embedder) AS (
       SELECT min(embedder) FROM @vectors
       UNION ALL SELECT (SELECT min(v.embedder) FROM @vectors v WHERE v.embedder > names.embedder)
       FROM names WHERE names.embedder NOT NULL)
     SELECT embedder FROM names WHERE embedder NOT NULL`,
  );
  const hasVector = sql('SELECT 1 FROM @vectors WHERE embedder = ? AND id = ?');
  const vectors = new Map<string, NearestVectors>();

  function partitionsOf({ corpus_id, layers }: SearchScope): number[] {
    return layers.flatMap((layer) => {
      const found = findPartition.get(corpus_id, layer);
      return found ? Number(found.partition) : [];
    });
  }

  function toPassage(row: Record<string, unknown>): Passage {
    return {
      id: Number(row.id),
      ordinal: Number(row.ordinal),
      facts: factsOf(row.facts),
      chunk: JSON.parse(String(row.chunk)),
      text: String(row.text),
    };
  }

  function stated({ doc_id, layer, facts }: Record<string, unknown>): DocumentFacts | null {
    if (facts === null) return null;
    const { corpus_id, title, lang, event_date, metadata } = factsOf(facts);
    const of = { doc_id: Number(doc_id), corpus_id, layer: String(layer) };
    return { ...of, title, lang, event_date, stated: statedByField(metadata) };
  }

  const layers = new Map<number, string>();
  function layer(partition: number): string {
    const name = layers.get(partition) ?? String(layerOf.get(partition)?.layer);
    layers.set(partition, name);
    return name;
  }

  function toIndexed(row: Record<string, unknown>): IndexedChunk {
    return {
      id: Number(row.id),
      doc_id: Number(row.doc_id),
      ordinal: Number(row.ordinal),
      layer: layer(Number(row.partition)),
      lang: row.lang as Language,
      titled: Number(row.titled),
      tokens: toTokens(row.tokens as Uint8Array),
    };
  }

  return {
    async changes(stamp, limit): Promise<ChunkChanges> {
      const rows = changedAfter.all(stamp, limit);
      return {
        stamp: Number(rows.at(-1)?.changed ?? stamp),
        changed: rows.map((row) => ({ doc_id: Number(row.doc_id), document: stated(row) })),
      };
    },
    async counts(scope, terms) {
      return snapshot(db, () => postings.counts(partitionsOf(scope), terms));
    },
    async candidates(scope, terms, limit, only) {
      const ids = only && new Set(idsOf.all(JSON.stringify([...only])).map(({ id }) => Number(id)));
      return snapshot(db, () => postings.candidates(partitionsOf(scope), terms, limit, ids ?? null));
    },
    async indexed(ids) {
      return indexedById.all(JSON.stringify(ids)).map(toIndexed);
    },
    async stemsSounding(keys) {
      return postings.stemsSounding(keys);
    },
    async stemsBeginning(letters, shortest, longest) {
      return postings.stemsBeginning(letters, shortest, longest);
    },
    async nearest(scope, embedder, vector, limit) {
      const found = partitionsOf(scope).flatMap((partition) => {
        const key = `${partition} ${embedder}`;
        let held = vectors.get(key);
        if (!held) {
          held = openNearestVectors(db, prefix, partition, embedder);
          vectors.set(key, held);
        }
        return held.nearest(vector, limit);
      });
      return found.sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit);
    },
    async embedders() {
      return embedders.all().map(({ embedder }) => String(embedder));
    },
    async passages(ids) {
      return ids.flatMap((id) => {
        const row = passageById.get(id);
        return row ? [toPassage(row)] : [];
      });
    },
    async byNumber(scope, number, unit) {
      return partitionsOf(scope)
        .flatMap((partition) => byNumber.all(partition, number, unit).map(toPassage))
        .sort((a, b) => a.facts.doc_id - b.facts.doc_id || a.ordinal - b.ordinal);
    },
    async numbers(scope, unit) {
      const rows = partitionsOf(scope).flatMap((partition) => numbers.all(partition, unit));
      rows.sort((a, b) => Number(a.doc_id) - Number(b.doc_id) || Number(a.ordinal) - Number(b.ordinal));
      return [...new Set(rows.map((row) => String(row.number)))];
    },
    async neighbours(id, distance) {
      const at = locate.get(id);
      if (!at) return [];
      const ordinal = Number(at.ordinal);
      return around.all(Number(at.doc_id), ordinal - distance, ordinal + distance).map(toPassage);
    },
    async list(docId, limit, offset) {
      return snapshot(db, () => ({
        items: listed.all(docId, limit, offset).map(toPassage),
        total: Number(counted.get(docId)?.n ?? 0),
      }));
    },
    async coverage(embedder, docIds) {
      return countedOf(counts.covered, embedder, docIds).map((row) => ({
        corpus_id: String(row.corpus_id),
        chunks: Number(row.chunks),
        embedded: Number(row.embedded),
      }));
    },
    async embedded(ids, embedder) {
      return ids.filter((id) => hasVector.get(embedder, id) !== undefined);
    },
    async embeddedByDocument(embedder, docIds) {
      return countedOf(counts.embedded, embedder, docIds).map((row) => ({
        doc_id: Number(row.doc_id),
        embedded: Number(row.embedded),
      }));
    },
  };
}
