/** Converts between messages of the wire protocol and the in-memory server. */

import shared from '@eventstore/db-client/generated/shared_pb.js';
import grpcStatus from '@eventstore/db-client/generated/status_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import {
  type AppendOutcome,
  type Expected,
  maxAppendSize,
  type ProposedEvent,
  type StoredEvent,
} from './eventstore-memory.ts';

/** The revision or position at which a read begins; null for the start or the end. */
export function startOf(options: ReadReq.Options): bigint | null {
  const stream = options.getStream();
  if (stream) return stream.hasRevision() ? BigInt(stream.getRevision()) : null;
  const position = options.getAll()?.getPosition();
  return position ? BigInt(position.getCommitPosition()) : null;
}

export const nameOf = (identifier: { getStreamName_asU8(): Uint8Array }) =>
  Buffer.from(identifier.getStreamName_asU8()).toString('utf8');
export const identifier = (name: string) =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(name).toString('base64'));

export function expectedOf(
  revision: string | null,
  options: { hasNoStream(): boolean; hasStreamExists(): boolean },
): Expected {
  if (revision !== null) return Number(revision);
  return options.hasNoStream() ? 'no_stream' : options.hasStreamExists() ? 'stream_exists' : 'any';
}

export function proposed(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): ProposedEvent {
  const map = message.getMetadataMap();
  return {
    id: message.getId()!.getString(),
    type: map.get('type') ?? '',
    contentType: map.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** .NET ticks of 100 ns; the time itself is not checked. */
const ticksPerMs = 10_000n;

export function eventMessage(event: StoredEvent): ReadResp {
  const position = String(event.position);
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifier(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded.getMetadataMap().set('type', event.type);
  recorded.getMetadataMap().set('content-type', event.contentType);
  recorded.getMetadataMap().set('created', String(BigInt(event.createdMs) * ticksPerMs));
  return new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position),
  );
}

export const checkpointMessage = (position: bigint) =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint()
      .setCommitPosition(String(position))
      .setPreparePosition(String(position)),
  );

export function refuse(
  call: { emit(event: 'error', error: object): unknown },
  code: status,
  details: string,
  metadata = new Metadata(),
): void {
  call.emit('error', { code, details, metadata });
}

export function deletedTrailers(stream: string): Metadata {
  const trailers = new Metadata();
  trailers.set('exception', 'stream-deleted');
  trailers.set('stream-name', stream);
  return trailers;
}

type Refused = Exclude<AppendOutcome, { kind: 'written' }>;

/** The trailers from which the client recognises the error. */
export function refusal(
  stream: string,
  expected: Expected,
  outcome: Refused,
): { code: status; details: string; metadata: Metadata } {
  if (outcome.kind === 'deleted') {
    return { code: status.FAILED_PRECONDITION, details: 'Deleted', metadata: deletedTrailers(stream) };
  }
  const metadata = new Metadata();
  if (outcome.kind === 'too_large') {
    metadata.set('exception', 'maximum-append-size-exceeded');
    metadata.set('maximum-append-size', String(maxAppendSize));
    return { code: status.INVALID_ARGUMENT, details: 'Maximum append size exceeded', metadata };
  }
  metadata.set('exception', 'wrong-expected-version');
  metadata.set('stream-name', stream);
  metadata.set('expected-version', String(expected));
  if (outcome.current !== null) metadata.set('actual-version', String(outcome.current));
  return { code: status.FAILED_PRECONDITION, details: 'Wrong expected version', metadata };
}

export function answerAppend(
  call: ServerDuplexStream<AppendReq, AppendResp>,
  stream: string,
  expected: Expected,
  outcome: AppendOutcome,
) {
  const reply = new streams.AppendResp();
  if (outcome.kind === 'written') {
    const position = String(outcome.position);
    reply.setSuccess(
      new streams.AppendResp.Success()
        .setCurrentRevision(String(outcome.revision))
        .setPosition(
          new streams.AppendResp.Position().setCommitPosition(position).setPreparePosition(position),
        ),
    );
  } else if (outcome.kind === 'wrong_version') {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (typeof expected === 'number') wrong.setExpectedRevision(String(expected));
    else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty());
    else wrong.setExpectedStreamExists(new shared.Empty());
    if (outcome.current === null) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(outcome.current));
    reply.setWrongExpectedVersion(wrong);
  } else {
    const { code, details, metadata } = refusal(stream, expected, outcome);
    return refuse(call, code, details, metadata);
  }
  call.write(reply);
  call.end();
}

export function batchError(stream: string, expected: Expected, outcome: Refused) {
  const details = new any.Any();
  if (outcome.kind === 'wrong_version') {
    const wrong = new shared.WrongExpectedVersion();
    if (typeof expected === 'number') wrong.setExpectedStreamPosition(String(expected));
    else if (expected === 'no_stream') wrong.setExpectedNoStream(new empty.Empty());
    else wrong.setExpectedStreamExists(new empty.Empty());
    if (outcome.current === null) wrong.setCurrentNoStream(new empty.Empty());
    else wrong.setCurrentStreamRevision(String(outcome.current));
    details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion');
  } else if (outcome.kind === 'deleted') {
    const deleted = new shared.StreamDeleted().setStreamIdentifier(identifier(stream));
    details.pack(deleted.serializeBinary(), 'event_store.client.StreamDeleted');
  } else {
    const large = new shared.MaximumAppendSizeExceeded().setMaxappendsize(maxAppendSize);
    details.pack(large.serializeBinary(), 'event_store.client.MaximumAppendSizeExceeded');
  }
  return new grpcStatus.Status().setDetails(details);
}
