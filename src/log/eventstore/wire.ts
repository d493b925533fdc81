/**
 * Protocol messages for calls to EventStoreDB. The client's own calls parse and re-serialize the JSON of events. These
 * messages preserve the bytes of data and metadata, so that events are written exactly as encoded and can be hashed
 * when read.
 */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Failure } from '../../failures.ts';
import type { Position } from '../../ports/event-log.ts';

/** An event to write; data and metadata are JSON texts. */
export interface NewMessage {
  id: string;
  type: string;
  data: string;
  metadata: string;
}

/** An event as stored on the server. */
export interface StoredMessage {
  stream: string;
  revision: number;
  position: Position;
  id: string;
  type: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

/** Start and direction of a read of all streams; `start` and `end` are the ends of the log. */
export interface AllRange {
  from: Position | 'start' | 'end';
  backwards?: boolean;
  maxCount: number;
  /** Restricts the read to streams with this name prefix; the server skips the others. */
  prefix?: string;
}

/** `last`: only the last event of the stream. */
export interface StreamRange {
  stream: string;
  from: number | 'last';
  maxCount: number;
}

const { AppendReq, ReadReq } = streams;
type AppendReq = InstanceType<typeof AppendReq>;
type ReadReq = InstanceType<typeof ReadReq>;
type ReadOptions = InstanceType<typeof ReadReq.Options>;

const empty = () => new shared.Empty();
const streamIdentifier = (name: string) =>
  new shared.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(name)));

/** Commit and prepare position, 20 digits each, so that positions can be compared as strings. */
export function toPosition(commit: string, prepare: string): Position {
  return `${commit.padStart(20, '0')}/${prepare.padStart(20, '0')}`;
}

function fromPosition(position: Position) {
  const [, commit, prepare] = /^(\d{20})\/(\d{20})$/.exec(position) ?? [];
  if (commit === undefined) throw new Failure('invalid', 'This position is not in the history.');
  return new ReadReq.Options.Position()
    .setCommitPosition(String(BigInt(commit!)))
    .setPreparePosition(String(BigInt(prepare!)));
}

/**
 * The messages of an append: a header followed by one message per event. If `expectedRevision` is -1, the stream must
 * not exist.
 */
export function appendMessages(
  stream: string,
  expectedRevision: number,
  events: readonly NewMessage[],
): AppendReq[] {
  const options = new AppendReq.Options().setStreamIdentifier(streamIdentifier(stream));
  if (expectedRevision === -1) options.setNoStream(empty());
  else options.setRevision(String(expectedRevision));
  return [
    new AppendReq().setOptions(options),
    ...events.map((event) => {
      const message = new AppendReq.ProposedMessage()
        .setId(new shared.UUID().setString(event.id))
        .setData(new Uint8Array(Buffer.from(event.data)))
        .setCustomMetadata(new Uint8Array(Buffer.from(event.metadata)));
      message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
      return new AppendReq().setProposedMessage(message);
    }),
  ];
}

export function readStreamRequest({ stream, from, maxCount }: StreamRange): ReadReq {
  const of = new ReadReq.Options.StreamOptions().setStreamIdentifier(streamIdentifier(stream));
  if (from === 'last') of.setEnd(empty());
  else of.setRevision(String(from));
  return request(
    new ReadReq.Options()
      .setStream(of)
      .setReadDirection(directions[from === 'last' ? 'backwards' : 'forwards'])
      .setCount(String(maxCount))
      .setNoFilter(empty()),
  );
}

/** A forward read includes the event at `from`; a backward read begins before it. */
export function readAllRequest({ from, backwards = false, maxCount, prefix }: AllRange): ReadReq {
  const options = new ReadReq.Options()
    .setAll(allFrom(from))
    .setReadDirection(directions[backwards ? 'backwards' : 'forwards'])
    .setCount(String(maxCount));
  return request(
    prefix === undefined
      ? options.setNoFilter(empty())
      : options.setFilter(ofPrefix(prefix).setMax(searchWindow)),
  );
}

/** Number of events that the server scans per step for matches of a filtered read. */
const searchWindow = 1_000;

/** A filter for streams whose names begin with `prefix`. */
function ofPrefix(prefix: string) {
  const { FilterOptions } = ReadReq.Options;
  return new FilterOptions().setStreamIdentifier(new FilterOptions.Expression().setPrefixList([prefix]));
}

/** How often a subscription reports progress while it skips events of other deployments, in units of 32 events. */
const checkpointInterval = 100;

/** Live events after `after` (null: from the start), from the streams whose names begin with `prefix`. */
export function subscribeRequest(prefix: string, after: Position | null): ReadReq {
  return request(
    new ReadReq.Options()
      .setAll(allFrom(after ?? 'start'))
      .setSubscription(new ReadReq.Options.SubscriptionOptions())
      .setFilter(ofPrefix(prefix).setCount(empty()).setCheckpointintervalmultiplier(checkpointInterval)),
  );
}

const directions = { forwards: 0, backwards: 1 } as const;

function allFrom(from: Position | 'start' | 'end') {
  const of = new ReadReq.Options.AllOptions();
  if (from === 'start') return of.setStart(empty());
  if (from === 'end') return of.setEnd(empty());
  return of.setPosition(fromPosition(from));
}

function request(options: ReadOptions): ReadReq {
  const ids = new ReadReq.Options.UUIDOption().setString(empty());
  return new ReadReq().setOptions(options.setResolveLinks(false).setUuidOption(ids));
}

/** The event of a response; null for other responses (confirmations, checkpoints). */
export function toMessage(answer: ReadResp): StoredMessage | null {
  const event = answer.getEvent()?.getEvent();
  const id = event?.getId();
  if (!event || !id) return null;
  return {
    stream: Buffer.from(event.getStreamIdentifier()!.getStreamName_asU8()).toString('utf8'),
    revision: Number(event.getStreamRevision()),
    position: toPosition(event.getCommitPosition(), event.getPreparePosition()),
    id: id.getString(),
    type: event.getMetadataMap().get('type') ?? '',
    data: event.getData_asU8(),
    metadata: event.getCustomMetadata_asU8(),
  };
}
