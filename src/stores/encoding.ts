/**
 * How events are written and read, the same in every log. An event is two texts of canonical JSON (RFC 8785): its
 * `data`, and its `metadata` with the version of the data's schema, time, actor and what the event belongs to. These
 * very bytes are what a log keeps; reading upcasts the data to today's version.
 */
import { canonicalJson } from '../domain/canonical-json.ts';
import type { EventType } from '../domain/events.ts';
import { mapPersonal } from '../domain/personal.ts';
import { upcast } from '../domain/upcasting.ts';
import { Failure } from '../failures.ts';
import {
  appendBytesMax,
  type NewEvent,
  type Position,
  type RecordedEvent,
  type StoredEvent,
} from '../ports/event-log.ts';

/** An event as a log keeps it, before it has a place there. */
export interface EncodedEvent {
  id: string;
  type: string;
  data: string;
  metadata: string;
}

/** `$correlationId` and `$causationId` are EventStoreDB's own names: its tools follow them. */
interface Metadata {
  version: number;
  time: string;
  actor: string;
  $correlationId: string;
  $causationId?: string;
}

/** Where a personal field is: of which event, and its dotted path in the data. */
export interface PersonalField {
  event_id: string;
  type: EventType;
  path: string;
}

/** What personal fields are replaced by in a stored event; whatever `seal` returns must be JSON. */
export interface PersonalSeal {
  seal(value: unknown, field: PersonalField): unknown;
  /** The inverse of `seal`. */
  open(value: unknown, field: PersonalField): unknown;
}

export interface CodecOptions {
  /** Turns stored data into today's version. */
  upcast?: typeof upcast;
  /** Without it personal fields are stored as they are. */
  seal?: PersonalSeal;
}

/** What an event's envelope (ids, type, metadata) is reckoned at in an append; it takes about 300 bytes. */
const envelopeBytes = 512;

export class EventCodec {
  readonly #upcast: typeof upcast;
  readonly #seal: PersonalSeal | null;

  constructor(options: CodecOptions = {}) {
    this.#upcast = options.upcast ?? upcast;
    this.#seal = options.seal ?? null;
  }

  encode({ id, type, data, ...event }: NewEvent): EncodedEvent {
    const metadata: Metadata = {
      version: event.version,
      time: event.time,
      actor: event.actor,
      $correlationId: event.correlation_id,
      ...(event.causation_id !== null && { $causationId: event.causation_id }),
    };
    const seal = this.#seal;
    const stored = seal
      ? mapPersonal(type, data, (value, path) => seal.seal(value, { event_id: id, type, path }))
      : data;
    return { id, type, data: canonicalJson(stored), metadata: canonicalJson(metadata) };
  }

  /** Failure `newer_format` for an event this program cannot know: a later version, an unknown type, another's. */
  decode(
    { id, type, data, metadata }: EncodedEvent,
    place: { stream: string; revision: number; position: Position },
  ): RecordedEvent {
    const { version, time, actor, $correlationId, $causationId } = parse(metadata) as Partial<Metadata>;
    if (version === undefined || time === undefined || actor === undefined || $correlationId === undefined) {
      throw new Failure('newer_format', `Event ${id} in ${place.stream} was not written by this program.`);
    }
    const seal = this.#seal;
    const known = type as EventType;
    const open = (value: unknown, path: string) => seal!.open(value, { event_id: id, type: known, path });
    const stored = seal ? mapPersonal(known, parse(data), open) : parse(data);
    return {
      id,
      type,
      time,
      actor,
      correlation_id: $correlationId,
      causation_id: $causationId ?? null,
      ...place,
      ...this.#upcast(type, version, stored),
    } as RecordedEvent;
  }
}

/** The value of a JSON text; an empty object for what is none. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json) ?? {};
  } catch {
    return {};
  }
}

/** Failure `too_large` when the events are more than one append may hold. */
export function refuseTooLarge(stream: string, events: readonly EncodedEvent[]): void {
  const bytes = events.reduce((sum, { data }) => sum + envelopeBytes + Buffer.byteLength(data), 0);
  if (bytes <= appendBytesMax) return;
  throw new Failure(
    'too_large',
    `An append of ${events.length} events to ${stream} has ${bytes} bytes, the history takes ${appendBytesMax} at once.`,
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A stored event's texts, to be written elsewhere byte for byte. Failure `invalid` for bytes that are no UTF-8. */
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
