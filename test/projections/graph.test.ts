/** The records of the graph, over random histories. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passageKey } from '../../src/graph/records.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import { graphRecords } from '../graph/records.ts';
import { histories } from '../support/random-history.ts';

/** The passages that are visible or being written. */
function expected(events: readonly RecordedEvent[]): string[] {
  const passages = new Map<string, Set<string>>();
  const add = (doc: number, revision: number, ordinals: number[]) => {
    const name = `${doc}.${revision}`;
    const keys = ordinals.map((ordinal) => passageKey(doc, revision, ordinal));
    passages.set(name, new Set([...(passages.get(name) ?? []), ...keys]));
  };
  const drop = (doc: number, revision: number) => passages.delete(`${doc}.${revision}`);
  for (const { type, data } of events) {
    if (type === 'ChunksAdded')
      add(
        data.doc_id,
        data.revision,
        data.chunks.map((_, n) => data.first + n),
      );
    else if (type === 'RevisionPublished' && data.replaces) drop(data.doc_id, data.replaces.revision);
    else if (type === 'RevisionAbandoned' || type === 'DocumentWithdrawn') drop(data.doc_id, data.revision);
  }
  return [...passages.values()].flatMap((keys) => [...keys]).sort();
}

function visible(events: readonly RecordedEvent[]): string[] {
  const documents = new Set<string>();
  for (const { type, data } of events) {
    if (type === 'RevisionPublished') documents.add(String(data.doc_id));
    else if (type === 'DocumentWithdrawn') documents.delete(String(data.doc_id));
  }
  return [...documents].sort();
}

test('any sequence of document changes leaves only the records of the current documents', () => {
  fc.assert(
    fc.property(histories(14), (events) => {
      const records = graphRecords();
      for (const event of events) records.take(event);
      expect(records.keys('passages')).toEqual(expected(events));
      expect(records.keys('documents')).toEqual(visible(events));
    }),
    { numRuns: 60 },
  );
});
