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

export type AppendOutcome =
  | { kind: 'written'; revision: number; position: bigint }
  | { kind: 'wrong_version'; current: number | null }
  | { kind: 'too_large' };

/** 1 MiB for all events of an append together. */
const maxAppendSize = 1_048_576;

export class EventStoreMemory {
  /** `$all`, in order. */
  readonly all: StoredEvent[] = [];
  readonly #streams = new Map<string, StoredEvent[]>();
  #end = 1000n;
  /** Called with each event once it is stored. */
  onStored: (event: StoredEvent) => void = () => {};
  /** Called after each append with the number so far. */
  onAppend: (count: number) => void = () => {};
  #appends = 0;

  constructor() {
    // As on a real server, $all is never empty.
    const [id, contentType, none] = [crypto.randomUUID(), 'application/json', new Uint8Array()];
    const settings = { id, type: '$settings', contentType, data: Buffer.from('{}'), metadata: none };
    this.append('$settings', -1, [settings]);
  }

  /** `expected`: the last revision of the stream; -1 if it must not exist. */
  append(name: string, expected: number, proposed: readonly ProposedEvent[]): AppendOutcome {
    const bytes = proposed.reduce((sum, e) => sum + e.data.length + e.metadata.length, 0);
    if (bytes > maxAppendSize) return { kind: 'too_large' };
    const stream = this.read(name);
    const repeat = proposed.length > 0 && repeated(stream, expected, proposed);
    if (repeat) return { kind: 'written', revision: repeat.revision, position: repeat.position };
    const last = stream.length - 1;
    if (expected !== last) return { kind: 'wrong_version', current: last === -1 ? null : last };
    this.#streams.set(name, stream);
    let stored: StoredEvent | undefined;
    for (const event of proposed) {
      stored = {
        ...event,
        stream: name,
        revision: stream.length,
        position: this.#end,
        createdMs: Date.now(),
      };
      this.#end += BigInt(150 + event.data.length + event.metadata.length);
      stream.push(stored);
      this.all.push(stored);
      this.onStored(stored);
    }
    this.onAppend(++this.#appends);
    return { kind: 'written', revision: stream.length - 1, position: stored?.position ?? this.#end };
  }

  /** The events of a stream; none if it does not exist. */
  read(name: string): StoredEvent[] {
    return this.#streams.get(name) ?? [];
  }
}

/** The last of these events in the stream, if all their ids are already stored exactly where they are appended. */
function repeated(
  stream: readonly StoredEvent[],
  expected: number,
  proposed: readonly ProposedEvent[],
): StoredEvent | undefined {
  return proposed.every(({ id }, n) => stream[expected + 1 + n]?.id === id)
    ? stream[expected + proposed.length]
    : undefined;
}
