/** The data and decisions of an EventStoreDB server, in memory, as observed on a real one (23.10.6). */

export interface ProposedEvent {
  id: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

export interface StoredEvent extends ProposedEvent {
  stream: string;
  revision: number;
  /** Commit position and prepare position, which are equal. */
  position: bigint;
  createdMs: number;
}

export type Expected = number | 'any' | 'no_stream' | 'stream_exists';

export type AppendOutcome =
  | { kind: 'written'; revision: number; position: bigint }
  | { kind: 'wrong_version'; current: number | null }
  | { kind: 'deleted' }
  | { kind: 'too_large' };

/** 1 MiB for all events of an append together. */
export const maxAppendSize = 1_048_576;

interface Stream {
  events: StoredEvent[];
  /** null: alive. A soft-deleted stream can be written again; a tombstoned one cannot. */
  deleted: 'soft' | 'tombstone' | null;
  maxCount: number | null;
  maxAgeS: number | null;
  truncateBefore: number;
}

const utf8 = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

export class EventStoreMemory {
  /** `$all`, in order. */
  readonly all: StoredEvent[] = [];
  readonly #streams = new Map<string, Stream>();
  #end = 1000n;
  /** Called with each event once it is stored. */
  onStored: (event: StoredEvent) => void = () => {};
  /** Called after each append with the number so far. */
  onAppend: (count: number) => void = () => {};
  #appends = 0;

  constructor() {
    // As on a real server, $all is never empty.
    this.append('$settings', 'any', [this.#system('$settings', {})]);
  }

  #system(type: string, data: unknown): ProposedEvent {
    const none = new Uint8Array();
    return {
      id: crypto.randomUUID(),
      type,
      contentType: 'application/json',
      data: Buffer.from(JSON.stringify(data)),
      metadata: none,
    };
  }

  append(name: string, expected: Expected, proposed: readonly ProposedEvent[]): AppendOutcome {
    const bytes = proposed.reduce((sum, e) => sum + e.data.length + e.metadata.length, 0);
    if (bytes > maxAppendSize) return { kind: 'too_large' };
    const stream = this.#streams.get(name);
    if (stream?.deleted === 'tombstone') return { kind: 'deleted' };
    if (stream?.deleted === 'soft' && expected === 'stream_exists') return { kind: 'deleted' };
    const last = (stream?.events.length ?? 0) - 1;
    const repeat = stream && repeated(stream, expected, proposed);
    if (repeat) return { kind: 'written', revision: repeat.revision, position: repeat.position };
    const current = last === -1 ? null : last;
    const fits =
      expected === 'any' ||
      (expected === 'no_stream' && (last === -1 || stream?.deleted === 'soft')) ||
      (expected === 'stream_exists' && last >= 0) ||
      expected === last;
    if (!fits) return { kind: 'wrong_version', current };
    return this.#write(name, proposed);
  }

  #write(name: string, proposed: readonly ProposedEvent[]): AppendOutcome {
    const stream = this.#streams.get(name) ?? fresh();
    this.#streams.set(name, stream);
    if (stream.deleted === 'soft') {
      stream.deleted = null;
      stream.truncateBefore = stream.events.length;
    }
    let stored: StoredEvent | undefined;
    for (const event of proposed) {
      stored = {
        ...event,
        stream: name,
        revision: stream.events.length,
        position: this.#end,
        createdMs: Date.now(),
      };
      this.#end += BigInt(150 + event.data.length + event.metadata.length);
      stream.events.push(stored);
      this.all.push(stored);
      if (name.startsWith('$$')) this.#setMetadata(name.slice(2), JSON.parse(utf8(event.data)));
      this.onStored(stored);
    }
    this.onAppend(++this.#appends);
    return { kind: 'written', revision: stream.events.length - 1, position: stored?.position ?? this.#end };
  }

  /** Each write replaces the previous metadata. */
  #setMetadata(name: string, metadata: { $maxCount?: number; $maxAge?: number; $tb?: number }): void {
    const stream = this.#streams.get(name) ?? fresh();
    this.#streams.set(name, stream);
    stream.maxCount = metadata.$maxCount ?? null;
    stream.maxAgeS = metadata.$maxAge ?? null;
    stream.truncateBefore = metadata.$tb ?? 0;
  }

  /** False if the stream is not at the expected revision. */
  delete(name: string, expected: Expected, kind: 'soft' | 'tombstone'): AppendOutcome {
    const stream = this.#streams.get(name);
    const last = (stream?.events.length ?? 0) - 1;
    if (stream?.deleted === 'tombstone') return { kind: 'deleted' };
    if (expected !== 'any' && expected !== last)
      return { kind: 'wrong_version', current: last === -1 ? null : last };
    if (kind === 'tombstone') {
      const written = this.#write(name, [this.#system('$streamDeleted', {})]);
      this.#streams.get(name)!.deleted = 'tombstone';
      return written;
    }
    if (stream) stream.deleted = 'soft';
    return { kind: 'written', revision: last, position: this.#end };
  }

  /** The part of a stream that its readers see. */
  read(name: string): StoredEvent[] | 'not_found' | 'deleted' {
    const stream = this.#streams.get(name);
    if (stream === undefined || stream.deleted === 'soft') return 'not_found';
    if (stream.deleted === 'tombstone') return 'deleted';
    if (stream.events.length === 0) return 'not_found';
    const { maxCount, maxAgeS, truncateBefore, events } = stream;
    const oldest = maxAgeS === null ? 0 : Date.now() - maxAgeS * 1000;
    const first = Math.max(truncateBefore, maxCount === null ? 0 : events.length - maxCount);
    return events.filter((e) => e.revision >= first && e.createdMs >= oldest);
  }
}

const fresh = (): Stream => ({ events: [], deleted: null, maxCount: null, maxAgeS: null, truncateBefore: 0 });

/** The last of these events in the stream, if all their ids are already stored exactly where they are appended. */
function repeated(
  stream: Stream,
  expected: Expected,
  proposed: readonly ProposedEvent[],
): StoredEvent | undefined {
  const { events } = stream;
  const firstId = proposed[0]?.id;
  const from =
    typeof expected === 'number'
      ? expected + 1
      : expected === 'no_stream'
        ? 0
        : events.findIndex((e) => e.id === firstId);
  if (from < 0 || proposed.length === 0) return undefined;
  return proposed.every((e, i) => events[from + i]?.id === e.id)
    ? events[from + proposed.length - 1]
    : undefined;
}
