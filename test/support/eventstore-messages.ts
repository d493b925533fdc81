/** Converts between messages of the wire protocol and the in-memory server. */

import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { AppendOutcome, ProposedEvent, StoredEvent } from './eventstore-memory.ts';

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

/** The expected revision of the stream; -1 if it must not exist. */
export const expectedOf = (options: AppendReq.Options): number =>
  options.hasNoStream() ? -1 : Number(options.getRevision());

export function proposed(message: AppendReq.ProposedMessage): ProposedEvent {
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

export function answerAppend(
  call: ServerDuplexStream<AppendReq, AppendResp>,
  expected: number,
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
    if (expected === -1) wrong.setExpectedNoStream(new shared.Empty());
    else wrong.setExpectedRevision(String(expected));
    if (outcome.current === null) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(outcome.current));
    reply.setWrongExpectedVersion(wrong);
  } else {
    const metadata = new Metadata();
    metadata.set('exception', 'maximum-append-size-exceeded');
    return refuse(call, status.INVALID_ARGUMENT, 'Maximum append size exceeded', metadata);
  }
  call.write(reply);
  call.end();
}
