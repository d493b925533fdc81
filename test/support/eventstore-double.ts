/**
 * An in-memory EventStoreDB server that speaks the wire protocol with the real client and can inject faults. It behaves
 * as observed on a real server: the contract of the event log runs against both. It does not delete events, and it only
 * counts batch appends, which Docent does not use.
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
  ReadReq,
  ReadResp,
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
import { EventStoreMemory, type ProposedEvent, type StoredEvent } from './eventstore-memory.ts';
import {
  answerAppend,
  checkpointMessage,
  eventMessage,
  expectedOf,
  identifier,
  nameOf,
  proposed,
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
    let expected = -1;
    const events: ProposedEvent[] = [];
    call.on('error', () => {});
    call.on('data', (request: AppendReq) => {
      const options = request.getOptions();
      if (options) {
        stream = nameOf(options.getStreamIdentifier()!);
        expected = expectedOf(options);
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
    expected: number,
    events: ProposedEvent[],
  ) {
    const fault = this.#faults.shift();
    if (fault === 'hang') return;
    if (fault === 'drop') return this.wire.cut();
    if (fault === 'busy') return refuse(call, status.UNAVAILABLE, 'Server Is Too Busy');
    if (fault === 'denied') return refuse(call, status.UNAUTHENTICATED, 'Unauthenticated');
    if (fault === 'rival') {
      const rival = { ...events[0]!, id: crypto.randomUUID() };
      this.memory.append(stream, expected, [rival]);
    }
    const outcome = this.memory.append(stream, expected, events);
    if (fault === 'lost') return this.wire.cut();
    if (fault === 'end') {
      call.end();
      return;
    }
    const answer = () => answerAppend(call, expected, outcome);
    if (fault === 'late') this.#late.push(answer);
    else answer();
  }

  #batchAppend(call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void {
    this.calls.batchAppend++;
    refuse(call, status.UNIMPLEMENTED, 'Docent does not use it');
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
    if (this.looksForLong && options.hasFilter() && !options.hasSubscription()) return;
    if (options.hasSubscription()) return this.#subscribe(call);
    const backwards = options.getReadDirection() === 1;
    const seen = stream === null ? this.memory.all : this.memory.read(stream);
    if (stream !== null && seen.length === 0) {
      call.write(
        new streams.ReadResp().setStreamNotFound(
          new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier(stream)),
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

  /** Follows all streams of a deployment. */
  #subscribe(call: ServerWritableStream<ReadReq, ReadResp>): void {
    const options = call.request.getOptions()!;
    const filter = options.getFilter()!;
    const [prefix = ''] = filter.getStreamIdentifier()!.getPrefixList();
    const wants = ({ stream }: StoredEvent) => stream.startsWith(prefix);
    const from = startOf(options);
    let passed = 0;
    for (const event of this.memory.all) {
      if (from !== null && event.position <= from) continue;
      if (wants(event)) call.write(eventMessage(event));
      if (++passed % filter.getCheckpointintervalmultiplier() === 0)
        call.write(checkpointMessage(event.position));
    }
    const follower: Follower = { call, wants, silent: false };
    this.#followers.add(follower);
    call.on('close', () => this.#followers.delete(follower));
    call.on('cancelled', () => this.#followers.delete(follower));
  }
}
