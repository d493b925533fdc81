/**
 * Encodes events in the same way for every log. An event consists of two canonical JSON texts (RFC 8785): `data`, and
 * `metadata` with the data's schema version, time, actor and correlation ids. The log stores exactly these bytes. On
 * reading, the data is upcast to the current version.
 */
import { canonicalJson } from '../domain/canonical-json.ts';
import { upcast } from '../domain/upcasting.ts';
import { Failure } from '../failures.ts';
import {
  appendBytesMax,
  type NewEvent,
  type Position,
  type RecordedEvent,
  type StoredEvent,
} from '../ports/event-log.ts';
import { PersonalCipher } from './personal-cipher.ts';

/** An event as stored in a log, before it has a position. */
export interface EncodedEvent {
  id: string;
  type: string;
  data: string;
  metadata: string;
}

/** EventStoreDB tools expect the names `$correlationId` and `$causationId`. */
interface Metadata {
  version: number;
  time: string;
  actor: string;
  $correlationId: string;
  $causationId?: string;
}

export interface CodecOptions {
  /** Converts stored data to the current version. */
  upcast?: typeof upcast;
  /** Seals personal fields. If absent, they are stored in plain text. */
  cipher?: PersonalCipher;
}

/** Upper estimate of the size of an event's envelope (ids, type, metadata) in an append; 300 bytes is typical. */
const envelopeBytes = 512;

/** A stored event with its stream and position. */
export interface PlacedEvent extends EncodedEvent {
  stream: string;
  revision: number;
  position: Position;
}

export class EventCodec {
  readonly #upcast: typeof upcast;
  readonly #cipher: PersonalCipher;
  readonly #handing = new Set<Promise<unknown>>();

  constructor(options: CodecOptions = {}) {
    this.#upcast = options.upcast ?? upcast;
    this.#cipher = options.cipher ?? new PersonalCipher(null);
  }

  /** Fails with `unavailable` if the keys cannot be read. */
  async encode(events: readonly NewEvent[]): Promise<EncodedEvent[]> {
    const sealed = await this.#cipher.seal(events);
    return events.map(({ id, type, ...event }, n) => {
      const metadata: Metadata = {
        version: event.version,
        time: event.time,
        actor: event.actor,
        $correlationId: event.correlation_id,
        ...(event.causation_id !== null && { $causationId: event.causation_id }),
      };
      return { id, type, data: canonicalJson(sealed[n]), metadata: canonicalJson(metadata) };
    });
  }

  /** Encodes events and passes them to `take`. Resolves with the result of `take`. */
  async handOn<T>(events: readonly NewEvent[], take: (encoded: EncodedEvent[]) => Promise<T>): Promise<T> {
    const handing = this.encode(events).then((encoded) => ({ outcome: take(encoded) }));
    this.#handing.add(handing);
    try {
      return await (await handing).outcome;
    } finally {
      this.#handing.delete(handing);
    }
  }

  /** Resolves once all events given to `handOn` have been passed on. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#handing);
  }

  /**
   * Fails with `newer_format` if the event has a later version or an unknown type or was written by another program,
   * and with `unavailable` if the keys it was sealed with cannot be read.
   */
  async decode(events: readonly PlacedEvent[]): Promise<RecordedEvent[]> {
    const opened = await this.#cipher.open(
      events.map(({ id, type, data }) => ({ id, type, data: parse(data) })),
    );
    return events.map(({ id, type, metadata, stream, revision, position }, n) => {
      const { version, time, actor, $correlationId, $causationId } = parse(metadata) as Partial<Metadata>;
      if (
        version === undefined ||
        time === undefined ||
        actor === undefined ||
        $correlationId === undefined
      ) {
        throw new Failure('newer_format', `Event ${id} in ${stream} was not written by this program.`);
      }
      return {
        id,
        type,
        time,
        actor,
        correlation_id: $correlationId,
        causation_id: $causationId ?? null,
        stream,
        revision,
        position,
        ...this.#upcast(type, version, opened[n]),
      } as RecordedEvent;
    });
  }
}

/** Parses a JSON text; returns an empty object if it is invalid. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json) ?? {};
  } catch {
    return {};
  }
}

/** Fails with `too_large` if the events exceed the limit of an append. */
export function refuseTooLarge(stream: string, events: readonly EncodedEvent[]): void {
  const bytes = events.reduce((sum, { data }) => sum + envelopeBytes + Buffer.byteLength(data), 0);
  if (bytes <= appendBytesMax) return;
  throw new Failure(
    'too_large',
    `An append of ${events.length} events to ${stream} has ${bytes} bytes; the history accepts at most ${appendBytesMax}.`,
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a stored event so that it can be copied byte for byte. Fails with `invalid` if the bytes are not UTF-8. */
export function textsOf({
  id,
  type,
  data,
  metadata,
}: Pick<StoredEvent, 'id' | 'type' | 'data' | 'metadata'>): EncodedEvent {
  try {
    return { id, type, data: utf8.decode(data), metadata: utf8.decode(metadata) };
  } catch (error) {
    throw new Failure('invalid', `The stored event ${id} is not UTF-8.`, { cause: error });
  }
}
