/**
 * Plans a commit to the chunk index, from the affected part of the index (loaded by chunks.ts) and the changes in
 * order to the resulting commands. This file never waits for Redis.
 */
import { searchTitle } from '../../domain/chunk-text.ts';
import type { Chunk, Language, RevisionFacts } from '../../domain/events.ts';
import type { ChunkWrite } from '../../ports/chunk-search.ts';
import type { ChunkLocation } from '../../storage/entries.ts';
import { type Fingerprint, fingerprint } from '../../text/fingerprint.ts';
import { soundKey } from '../../text/variants.ts';
import { detached, hasSecondStems, prefix as prefixOf, secondStem, stem, words } from '../../text/words.ts';
import { type Run, withOrdinal } from '../ordinal-ranges.ts';
import {
  countOf,
  embeddedField,
  type IdRun,
  locationsOf,
  partitionField,
  prefixMark,
  revKey,
  sizeField,
  vectorField,
} from './chunk-keys.ts';
import { commandsMax, type RedisCommand } from './commit.ts';

/** The chunk, its index entry, and its new stems and sounds. */
const perChunkMax = 4;

interface Revision {
  facts: RevisionFacts;
  partition: string;
  runs: IdRun[];
  embedded: Map<string, Run[]>;
  /** Numbers of its vector kinds. */
  kinds: Set<string>;
  changed: boolean;
}

/** Totals of everything ever added to a partition, used to compute averages per chunk. */
export interface PartitionSize {
  chunks: number;
  words: number;
  titled: number;
}

export const sizeOf = (json: string | null | undefined): PartitionSize =>
  json ? JSON.parse(json) : { chunks: 0, words: 0, titled: 0 };

/** Parses a revision from its hash. */
export function toRevision(fields: Record<string, string>): Revision {
  const embedded = new Map<string, Run[]>();
  for (const [field, json] of Object.entries(fields)) {
    if (field.startsWith(embeddedField(''))) embedded.set(field.slice(2), JSON.parse(json));
  }
  return {
    facts: JSON.parse(fields.facts!),
    partition: fields.partition!,
    runs: JSON.parse(fields.runs!),
    embedded,
    kinds: new Set<string>(JSON.parse(fields.kinds!)),
    changed: false,
  };
}

function stemsOf(list: readonly string[], lang: Language): string[] {
  const seconds = hasSecondStems(lang);
  const found: string[] = [];
  for (const word of list) {
    found.push(stem(word));
    const second = seconds ? secondStem(word) : null;
    if (second !== null) found.push(second);
  }
  return found;
}

/** Starts from the current state of all data that the commit affects. Its writes are applied in order. */
export class Plan {
  readonly prefix: string;
  /** Stems in the build; new ones are added. */
  readonly #stems: Set<string>;
  /** The contents of the `meta` hash. */
  meta: Record<string, string> = {};
  readonly #metaChanged = new Set<string>();
  /** Living revisions and the visible revision, by document. */
  readonly living = new Map<number, number[]>();
  readonly visible = new Map<number, number | null>();
  /** Keyed by `revKey`; null if the revision was never announced. */
  readonly revisions = new Map<string, Revision | null>();
  readonly #changedDocs = new Set<number>();
  /** The chunks added by this commit, keyed by id. */
  readonly texts = new Map<number, { chunk: Chunk; text: string }>();
  /** Commands still to be sent ahead of the commit. */
  readonly #ahead: RedisCommand[] = [];
  /** Results of the commands sent ahead. */
  readonly sent: Promise<boolean>[] = [];
  readonly #commands: RedisCommand[] = [];

  constructor(prefix: string, stems: Set<string>) {
    this.prefix = prefix;
    this.#stems = stems;
  }

  /** A revision that accepts chunks; null if it is dead or was never announced. */
  alive(docId: number, revision: number): Revision | null {
    const found = this.revisions.get(revKey(docId, revision));
    return found && this.living.get(docId)!.includes(revision) ? found : null;
  }

  announce({ facts }: ChunkWrite & { op: 'chunks.revision' }): void {
    const key = revKey(facts.doc_id, facts.revision);
    const before = this.revisions.get(key);
    const partition = this.#numbered(partitionField(facts.corpus_id, facts.layer.name), 'partitions');
    this.revisions.set(key, {
      facts,
      partition,
      runs: before?.runs ?? [],
      embedded: before?.embedded ?? new Map(),
      kinds: before?.kinds ?? new Set(),
      changed: true,
    });
    const living = this.living.get(facts.doc_id)!;
    if (!living.includes(facts.revision)) living.push(facts.revision);
    this.#changedDocs.add(facts.doc_id);
  }

  publish(docId: number, revision: number): void {
    if (!this.living.get(docId)!.includes(revision)) return;
    this.#show(docId, revision);
    this.#kill(docId, (other) => other < revision);
  }

  drop(docId: number, revision: number): void {
    if (this.visible.get(docId) === revision) this.#show(docId, null);
    this.#kill(docId, (other) => other === revision);
  }

  withdraw(docId: number): void {
    if (this.visible.get(docId) != null) this.#show(docId, null);
    this.#kill(docId, () => true);
  }

  /** Makes this revision of a document the visible one; null makes none visible. */
  #show(docId: number, revision: number | null): void {
    const { prefix } = this;
    this.visible.set(docId, revision);
    const changed = Number(this.meta.changed ?? 0) + 1;
    this.#setMeta('changed', changed);
    this.#commands.push(
      revision === null
        ? ['HDEL', `${prefix}docs`, String(docId)]
        : ['HSET', `${prefix}docs`, String(docId), String(revision)],
      ['ZADD', `${prefix}changed`, String(changed), String(docId)],
    );
  }

  #kill(docId: number, which: (revision: number) => boolean): void {
    const living = this.living.get(docId)!;
    const dead = living.filter(which);
    if (dead.length === 0) return;
    this.living.set(
      docId,
      living.filter((revision) => !which(revision)),
    );
    this.#changedDocs.add(docId);
    const members = dead.map((revision) => revKey(docId, revision));
    this.#commands.push(['SADD', `${this.prefix}dead`, ...members]);
  }

  /** Yields whenever the commands to be sent ahead fill a step. */
  *add(write: ChunkWrite & { op: 'chunks.add' }): Generator<void> {
    const revision = this.alive(write.doc_id, write.revision);
    if (revision === null || write.chunks.length === 0) return;
    const at = revKey(write.doc_id, write.revision);
    const { prefix } = this;
    const { partition } = revision;
    const firstId = Number(this.meta.id ?? 0) + 1;
    const size = sizeOf(this.meta[sizeField(partition)]);
    for (const [n, { text, ...chunk }] of write.chunks.entries()) {
      const ordinal = write.first + n;
      const id = firstId + n;
      this.texts.set(id, { chunk, text });
      const heads = words(searchTitle(revision.facts, chunk));
      const body = words(text);
      const stems = stemsOf(body, chunk.lang);
      const { tokens, titled }: Fingerprint = fingerprint(heads, body, chunk.lang);
      size.chunks++;
      size.words += tokens.length / 2;
      size.titled += titled;
      this.#ahead.push([
        ...['HSET', `${prefix}c:${id}`, 'r', at, 'o', String(ordinal), 'chunk', JSON.stringify(chunk)],
        ...['text', text, 'lang', chunk.lang, 'titled', String(titled)],
        ...['tokens', Buffer.from(tokens.buffer)],
      ]);
      const prefixes = [...new Set([...heads, ...body].map(prefixOf))].map((p) => prefixMark + p);
      const titles = stemsOf(heads, chunk.lang);
      this.#ahead.push([
        ...['HSET', `${prefix}t:${partition}:${id}`, 'title', titles.join(' ')],
        ...['body', [...stems, ...prefixes].join(' ')],
        ...['lang', chunk.lang, 'doc', String(write.doc_id), 'at', `${at}/${ordinal}`],
        ...(chunk.number === null ? [] : ['number', chunk.number]),
        ...(chunk.unit === null ? [] : ['unit', chunk.unit]),
      ]);
      this.#addStems([...titles, ...stems]);
      if (this.#ahead.length > commandsMax - perChunkMax) yield;
    }
    this.#setMeta('id', firstId + write.chunks.length - 1);
    this.#setMeta(sizeField(partition), JSON.stringify(size));
    revision.runs.push([write.first, write.chunks.length, firstId]);
    revision.changed = true;
  }

  /** Stores stems for matching words that are misspelt or in another script. */
  #addStems(names: readonly string[]): void {
    const added = names.filter((name) => !this.#stems.has(name) && !/\d/.test(name));
    if (added.length === 0) return;
    for (const name of added) this.#stems.add(detached(name));
    const set = (key: string, members: readonly string[]): RedisCommand => [
      ...['ZADD', `${this.prefix}${key}`],
      ...members.flatMap((member) => ['0', member]),
    ];
    const sounds = added.map((name) => `${soundKey(name)} ${name}`);
    this.#ahead.push(set('stems', added), set('sounds', sounds));
  }

  /** Ordinals and ids of a revision's chunks, starting at index `first`. */
  placed(
    { doc_id, revision, first }: { doc_id: number; revision: number; first: number },
    limit: number,
  ): ChunkLocation[] {
    const runs = this.revisions.get(revKey(doc_id, revision))?.runs ?? [];
    return locationsOf(runs)
      .filter(({ ordinal }) => ordinal >= first)
      .slice(0, limit);
  }

  setVectors(
    write: { doc_id: number; revision: number; embedder: string },
    vectors: readonly (ChunkLocation & { vector: Float32Array })[],
  ): void {
    const revision = this.alive(write.doc_id, write.revision);
    if (!revision) return;
    for (const { ordinal, id, vector } of vectors) {
      const kind = this.#numbered(vectorField(write.embedder, vector.length), 'kinds');
      const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      this.#ahead.push(['HSET', `${this.prefix}v:${kind}:${revision.partition}:${id}`, 'v', bytes]);
      revision.kinds.add(kind);
      const before = revision.embedded.get(write.embedder) ?? [];
      revision.embedded.set(write.embedder, withOrdinal(before, ordinal));
      revision.changed = true;
    }
  }

  /** Takes the commands to be sent ahead of the commit. */
  takeAhead(): RedisCommand[] {
    return this.#ahead.splice(0);
  }

  #setMeta(field: string, value: number | string): void {
    this.meta[field] = String(value);
    this.#metaChanged.add(field);
  }

  /** The number of a partition or vector kind. Assigns a new one if there is none. */
  #numbered(field: string, counter: 'partitions' | 'kinds'): string {
    const known = this.meta[field];
    if (known !== undefined) return known;
    const next = Number(this.meta[counter] ?? 0) + 1;
    this.#setMeta(counter, next);
    this.#setMeta(field, next);
    return String(next);
  }

  finish(): RedisCommand[] {
    const { prefix } = this;
    const commands = this.#commands;
    for (const docId of this.#changedDocs) {
      const living = this.living.get(docId)!;
      const key = `${prefix}living`;
      commands.push(
        living.length > 0
          ? ['HSET', key, String(docId), JSON.stringify(living)]
          : ['HDEL', key, String(docId)],
      );
    }
    for (const [key, revision] of this.revisions) {
      if (!revision?.changed) continue;
      const { facts, partition, runs, embedded, kinds } = revision;
      commands.push([
        ...['HSET', `${prefix}r:${key}`, 'facts', JSON.stringify(facts)],
        ...['partition', partition, 'corpus', facts.corpus_id, 'count', String(countOf(runs))],
        ...['runs', JSON.stringify(runs), 'kinds', JSON.stringify([...kinds])],
        ...[...embedded].flatMap(([name, ordinals]) => [embeddedField(name), JSON.stringify(ordinals)]),
      ]);
    }
    const meta = [...this.#metaChanged].flatMap((field) => [field, this.meta[field]!]);
    if (meta.length > 0) commands.push(['HSET', `${prefix}meta`, ...meta]);
    return commands;
  }
}
