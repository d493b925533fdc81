/** All that the documents of a corpus teach of their languages, as records for the read models. */
import type { Language } from '../../domain/events.ts';
import { lexiconCollections, type TwinsRecord, type WordsRecord } from '../../ports/lexicon.ts';
import type { Doc } from '../../ports/read-models.ts';
import { learnPairs, type Unit, unitsOf } from './learn.ts';
import type { SectionedDocument } from './sections.ts';
import { findTwins, type Twins } from './twins.ts';

export interface LexiconRecord {
  collection: string;
  key: string;
  doc: Doc;
}

/** Links of one record: about 50 kB. */
const linksAtOnce = 1_000;

/**
 * Learns from the documents of a corpus; what comes of it depends on them alone, not on their ids or their order.
 * Yields undefined between pieces of work of some milliseconds, then returns.
 */
export function* compileLexicon(
  corpusId: string,
  documents: readonly SectionedDocument[],
): Generator<undefined, LexiconRecord[]> {
  const twins = yield* findTwins(documents);
  const units = new Map<string, { languages: [Language, Language]; units: Unit[] }>();
  for (const pair of twins) {
    const languages = [pair.a.lang, pair.b.lang].sort() as [Language, Language];
    const key = languages.join('-');
    const own = units.get(key) ?? { languages, units: [] };
    units.set(key, own);
    for (const unit of unitsOf(pair)) own.units.push(unit);
    yield;
  }
  const records = twinsRecords(corpusId, twins);
  for (const [key, { languages, units: own }] of [...units].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { links, seen } = yield* learnPairs(languages, own);
    for (let from = 0; from < links.length; from += linksAtOnce) {
      const part = links.slice(from, from + linksAtOnce);
      const inPart = [0, 1].map((n) => new Set(part.map((link) => link[n as 0 | 1])));
      const doc: WordsRecord = {
        corpus_id: corpusId,
        languages,
        links: part,
        seen: [
          seen[0].filter(([stem]) => inPart[0]!.has(stem)),
          seen[1].filter(([stem]) => inPart[1]!.has(stem)),
        ],
      };
      const name = `${corpusId} ${key} ${from / linksAtOnce}`;
      records.push({ collection: lexiconCollections.words, key: name, doc: { ...doc } });
    }
  }
  return records;
}

/** One record for each document that has twins. */
function twinsRecords(corpusId: string, all: readonly Twins[]): LexiconRecord[] {
  const records = new Map<number, TwinsRecord>();
  for (const { a, b, pairs } of all) {
    const reversed = pairs.map(([n, m]): [number, number] => [m, n]);
    for (const [one, other, places] of [[a, b, pairs] as const, [b, a, reversed] as const]) {
      const { doc_id, revision } = one;
      const record = records.get(doc_id) ?? { corpus_id: corpusId, doc_id, revision, twins: [] };
      records.set(doc_id, record);
      record.twins.push({
        doc_id: other.doc_id,
        revision: other.revision,
        lang: other.lang,
        at: chunksAt(one, other, places),
      });
    }
  }
  return [...records.values()].map((doc) => ({
    collection: lexiconCollections.twins,
    key: String(doc.doc_id),
    doc: { ...doc, twins: doc.twins.toSorted((a, b) => (a.lang < b.lang ? -1 : 1)) },
  }));
}

/** For each chunk of one document the place of the one that says the same; the last where a section has fewer. */
function chunksAt(
  one: SectionedDocument,
  other: SectionedDocument,
  places: readonly (readonly [number, number])[],
): number[] {
  const to = new Map(places);
  const at: number[] = [];
  for (const [n, { ordinals }] of one.sections.entries()) {
    const there = to.has(n) ? other.sections[to.get(n)!]!.ordinals : [];
    for (const [k, ordinal] of ordinals.entries()) at[ordinal] = there[Math.min(k, there.length - 1)] ?? -1;
  }
  return Array.from(at, (place) => place ?? -1);
}
