/**
 * An in-memory EventStoreDB server that speaks the wire protocol with the real client and can inject faults. It behaves
 * as observed on a real server; test/stores/eventstore-facts.test.ts runs the same checks against both.
 */

import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  ReadReq,
  ReadResp,
  TombstoneReq,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import {
  EventStoreMemory,
  type Expected,
  type ProposedEvent,
  type StoredEvent,
} from './eventstore-memory.ts';
import {
  answerAppend,
  batchError,
  checkpointMessage,
  deletedTrailers,
  eventMessage,
  expectedOf,
  identifier,
  nameOf,
  proposed,
  refusal,
  refuse,
  startOf,
} from './eventstore-messages.ts';
import { FlakyWire } from './flaky-wire.ts';

/**
 * The outcome of the next append. `hang`: neither written nor answered; `drop`: the connection is lost before the
 * write; `busy`: rejected; `lost`: written, but the connection is lost before the reply; `late`: written, and answered
 * on `release()`; `end`: written, but the call ends without a reply; `rival`: another writer appends first; `denied`:
 * the caller is not authorised.
 */
export type AppendFault = 'hang' | 'drop' | 'busy' | 'lost' | 'late' | 'end' | 'rival' | 'denied';

interface Follower {
  call: ServerWritableStream<ReadReq, ReadResp>;
  wants(event: StoredEvent): boolean;
  /** null: all streams. */
  stream: string | null;
  silent: boolean;
}

const batchAppendPath = 'event_store.client.streams.streams';

export class EventStoreDouble {
  readonly memory = new EventStoreMemory();
  readonly wire: FlakyWire;
  readonly #server: Server;
  readonly #followers = new Set<Follower>();
  readonly #faults: AppendFault[] = [];
  #late: (() => void)[] = [];
  /** The number of calls so far, by kind. */
  readonly calls = { append: 0, batchAppend: 0, read: 0, subscribe: 0, gossip: 0 };
  /** The authorization metadata that callers sent with appends and reads. */
  readonly authorizations: string[] = [];
  #reading = 0;
  #whenQuiet: (() => void)[] = [];
  /** Rejects everything, like a node that has just started. */
  notReady = false;
  /** Never answers reads of one deployment's events, like a node that must scan many foreign events. */
  looksForLong = false;

  private constructor(server: Server, wire: FlakyWire) {
    this.#server = server;
    this.wire = wire;
    this.memory.onStored = (event) => this.#publish(event);
  }

  static async start(credentials = ServerCredentials.createInsecure()): Promise<EventStoreDouble> {
    const server = new Server({ 'grpc.max_receive_message_length': 16 * 1024 * 1024 });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', credentials, (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    const wire = new FlakyWire(port);
    await wire.open();
    const double = new EventStoreDouble(server, wire);
    double.#serve();
    return double;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.wire.port}?tls=false`;
  }

  /** Like `url`, but the client has to discover the node. */
  get discoverUrl(): string {
    return `esdb+discover://127.0.0.1:${this.wire.port}?tls=false&maxDiscoverAttempts=2&discoveryInterval=10`;
  }

  /** Sets the faults of the next appends, one each. */
  failNext(...faults: AppendFault[]): void {
    this.#faults.push(...faults);
  }

  /** The number of delayed replies. */
  get late(): number {
    return this.#late.length;
  }

  /** Sends the delayed replies, in reverse order if `reversed`. */
  release({ reversed = false } = {}): void {
    const late = reversed ? this.#late.toReversed() : this.#late;
    this.#late = [];
    for (const answer of late) answer();
  }

  /** Resolves when no read and no subscription is active. */
  async quiet(): Promise<void> {
    if (this.#reading === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenQuiet.push(resolve);
    await promise;
  }

  /** Keeps subscriptions open but silent, as some servers do when they shut down. */
  silenceSubscriptions(): void {
    for (const follower of this.#followers) follower.silent = true;
  }

  /** Ends subscriptions without an error. */
  endSubscriptions(): void {
    for (const { call } of this.#followers) call.end();
  }

  /** Drops subscriptions as if their consumer were too slow. */
  dropSubscriptions(): void {
    for (const { call } of this.#followers) refuse(call, status.ABORTED, 'Consumer too slow');
  }

  /** Sends the last `count` events to every subscription again. */
  repeatLast(count: number): void {
    for (const event of this.memory.all.slice(-count)) this.#publish(event);
  }

  async stop(): Promise<void> {
    this.release();
    await this.wire.close();
    this.#server.forceShutdown();
  }

  #serve(): void {
    // Handled as a stream, because only a stream can end without a reply.
    const append = { ...StreamsService.append, responseStream: true } as const;
    this.#server.addService({ ...StreamsService, append }, {
      append: (call: ServerDuplexStream<AppendReq, AppendResp>) => this.#append(call),
      batchAppend: (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => this.#batchAppend(call),
      read: (call: ServerWritableStream<ReadReq, ReadResp>) => this.#read(call),
      delete: this.#deleting('soft', () => new streams.DeleteResp()),
      tombstone: this.#deleting('tombstone', () => new streams.TombstoneResp()),
    } satisfies UntypedServiceImplementation);
    this.#server.addService(ServerFeaturesService, {
      getSupportedMethods: (
        _call: unknown,
        answer: (error: null, methods: InstanceType<typeof features.SupportedMethods>) => void,
      ) => {
        const method = new features.SupportedMethod()
          .setMethodName('batchappend')
          .setServiceName(batchAppendPath);
        answer(
          null,
          new features.SupportedMethods().setEventStoreServerVersion('23.10.6').setMethodsList([method]),
        );
      },
    });
    this.#server.addService(GossipService, {
      read: (
        _call: unknown,
        answer: (error: null, info: InstanceType<typeof gossip.ClusterInfo>) => void,
      ) => {
        this.calls.gossip++;
        const member = new gossip.MemberInfo()
          .setInstanceId(new shared.UUID().setString(crypto.randomUUID()))
          .setTimeStamp('0')
          .setState(gossip.MemberInfo.VNodeState.LEADER)
          .setIsAlive(true)
          .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(this.wire.port));
        answer(null, new gossip.ClusterInfo().setMembersList([member]));
      },
    });
  }

  #note(call: { metadata: Metadata }): void {
    for (const shown of call.metadata.get('authorization')) this.authorizations.push(String(shown));
  }

  #publish(event: StoredEvent): void {
    for (const { call, wants, silent } of this.#followers)
      if (!silent && wants(event)) call.write(eventMessage(event));
  }

  #append(call: ServerDuplexStream<AppendReq, AppendResp>): void {
    this.calls.append++;
    this.#note(call);
    let stream = '';
    let expected: Expected = 'any';
    const events: ProposedEvent[] = [];
    call.on('error', () => {});
    call.on('data', (request: AppendReq) => {
      const options = request.getOptions();
      if (options) {
        stream = nameOf(options.getStreamIdentifier()!);
        expected = expectedOf(options.hasRevision() ? options.getRevision() : null, options);
      }
      const message = request.getProposedMessage();
      if (message) events.push(proposed(message));
    });
    call.on('end', () => {
      // A caller that disconnected midway has sent only some of them.
      if (!call.cancelled) this.#decide(call, stream, expected, events);
    });
  }

  #decide(
    call: ServerDuplexStream<AppendReq, AppendResp>,
    stream: string,
    expected: Expected,
    events: ProposedEvent[],
  ) {
    const fault = this.#faults.shift();
    if (fault === 'hang') return;
    if (fault === 'drop') return this.wire.cut();
    if (fault === 'busy' || this.notReady) return refuse(call, status.UNAVAILABLE, 'Server Is Too Busy');
    if (fault === 'denied') return refuse(call, status.UNAUTHENTICATED, 'Unauthenticated');
    if (fault === 'rival') {
      const rival = { ...events[0]!, id: crypto.randomUUID() };
      this.memory.append(stream, 'any', [rival]);
    }
    const outcome = this.memory.append(stream, expected, events);
    if (fault === 'lost') return this.wire.cut();
    if (fault === 'end') {
      call.end();
      return;
    }
    const answer = () => answerAppend(call, stream, expected, outcome);
    if (fault === 'late') this.#late.push(answer);
    else answer();
  }

  #batchAppend(call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void {
    this.calls.batchAppend++;
    const open = new Map<string, { stream: string; expected: Expected; events: ProposedEvent[] }>();
    call.on('error', () => {});
    call.on('end', () => call.end());
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()!;
      const options = request.getOptions();
      if (options) {
        const expected = expectedOf(
          options.hasStreamPosition() ? options.getStreamPosition() : null,
          options,
        );
        open.set(id.getString(), { stream: nameOf(options.getStreamIdentifier()!), expected, events: [] });
      }
      const append = open.get(id.getString())!;
      append.events.push(...request.getProposedMessagesList().map(proposed));
      if (!request.getIsFinal()) return;
      open.delete(id.getString());
      const outcome = this.memory.append(append.stream, append.expected, append.events);
      const reply = new streams.BatchAppendResp()
        .setCorrelationId(id)
        .setStreamIdentifier(identifier(append.stream));
      if (outcome.kind === 'written') {
        const position = String(outcome.position);
        reply.setSuccess(
          new streams.BatchAppendResp.Success()
            .setCurrentRevision(String(outcome.revision))
            .setPosition(
              new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position),
            ),
        );
      } else reply.setError(batchError(append.stream, append.expected, outcome));
      call.write(reply);
    });
  }

  #deleting<Request extends DeleteReq | TombstoneReq, Reply>(kind: 'soft' | 'tombstone', reply: () => Reply) {
    return (call: { request: Request }, answer: (error: object | null, reply?: Reply) => void) => {
      const options = call.request.getOptions()!;
      const stream = nameOf(options.getStreamIdentifier()!);
      const expected = expectedOf(options.hasRevision() ? options.getRevision() : null, options);
      const outcome = this.memory.delete(stream, expected, kind);
      if (outcome.kind !== 'written') return answer(refusal(stream, expected, outcome));
      if (kind === 'tombstone') {
        for (const { call: follower, stream: of } of this.#followers) {
          if (of === stream) refuse(follower, status.FAILED_PRECONDITION, 'Deleted', deletedTrailers(stream));
        }
      }
      answer(null, reply());
    };
  }

  #read(call: ServerWritableStream<ReadReq, ReadResp>) {
    const options = call.request.getOptions()!;
    const of = options.getStream();
    const stream = of === undefined ? null : nameOf(of.getStreamIdentifier()!);
    this.calls[options.hasSubscription() ? 'subscribe' : 'read']++;
    this.#note(call);
    this.#reading++;
    call.on('close', () => {
      if (--this.#reading > 0) return;
      for (const quiet of this.#whenQuiet) quiet();
      this.#whenQuiet = [];
    });
    call.on('error', () => {});
    if (this.notReady) return refuse(call, status.UNAVAILABLE, 'Server Is Not Ready');
    if (this.looksForLong && options.hasFilter() && !options.hasSubscription()) return;
    if (options.hasSubscription()) return this.#subscribe(call, stream);
    const backwards = options.getReadDirection() === 1;
    if (!backwards && (of?.hasEnd() ?? options.getAll()!.hasEnd()))
      return refuse(call, status.UNKNOWN, 'Unexpected ReadStreamResult: Error');
    const seen = stream === null ? this.memory.all : this.memory.read(stream);
    if (seen === 'deleted')
      return refuse(call, status.FAILED_PRECONDITION, 'Deleted', deletedTrailers(stream!));
    if (seen === 'not_found') {
      call.write(
        new streams.ReadResp().setStreamNotFound(
          new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier(stream!)),
        ),
      );
      call.end();
      return;
    }
    const from = startOf(options);
    const inOrder = backwards ? seen.toReversed() : seen;
    const place = (event: StoredEvent) => (stream === null ? event.position : BigInt(event.revision));
    // A position is where the next record begins: reading forwards includes that record, reading backwards does not.
    const prefixes = options.getFilter()?.getStreamIdentifier()?.getPrefixList() ?? [];
    const wanted = inOrder.filter((event) => {
      if (prefixes.length > 0 && !prefixes.some((prefix) => event.stream.startsWith(prefix))) return false;
      if (from === null) return true;
      if (!backwards) return place(event) >= from;
      return stream === null ? place(event) < from : place(event) <= from;
    });
    for (const event of wanted.slice(0, Number(options.getCount()))) call.write(eventMessage(event));
    call.end();
  }

  #subscribe(call: ServerWritableStream<ReadReq, ReadResp>, stream: string | null): void {
    const options = call.request.getOptions()!;
    const filter = options.getFilter();
    const prefixes = filter?.getStreamIdentifier()?.getPrefixList() ?? [];
    const from = options.getStream()?.hasEnd() || options.getAll()?.hasEnd() ? 'end' : startOf(options);
    const wants = (event: StoredEvent) =>
      stream === null
        ? prefixes.length === 0 || prefixes.some((p) => event.stream.startsWith(p))
        : event.stream === stream;
    call.write(
      new streams.ReadResp().setConfirmation(
        new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID()),
      ),
    );
    const everyEvents = filter
      ? Math.max(1, filter.getMax()) * Math.max(1, filter.getCheckpointintervalmultiplier())
      : 0;
    let passed = 0;
    for (const event of from === 'end' ? [] : this.memory.all) {
      const place = stream === null ? event.position : BigInt(event.revision);
      if (from !== null && from !== 'end' && place <= from) continue;
      if (wants(event)) call.write(eventMessage(event));
      if (everyEvents > 0 && ++passed % everyEvents === 0) call.write(checkpointMessage(event.position));
    }
    // A real server does not report this for a stream that does not exist yet.
    if (stream === null || this.memory.read(stream) !== 'not_found')
      call.write(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
    const follower: Follower = { call, wants, stream, silent: false };
    this.#followers.add(follower);
    call.on('close', () => this.#followers.delete(follower));
    call.on('cancelled', () => this.#followers.delete(follower));
  }
}
