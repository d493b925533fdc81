/**
 * The history for auditors: pages of events, single streams, and a WebSocket that sends events as they are appended.
 */
import { Type } from 'typebox';
import type { WebSocket } from 'ws';
import { ErrorResponse } from '../../api/errors.ts';
import { FollowQuery, HistoryPage, HistoryQuery, StreamPage, StreamQuery } from '../../api/history.ts';
import { Failure } from '../../failures.ts';
import { actingIn, isForeign } from '../auth.ts';
import { heartbeat } from '../heartbeat.ts';
import { nothing, reply } from '../openapi.ts';
import type { AdminDoor } from './door.ts';
import { basic, basicOrNone, operation } from './operation.ts';
import { timesOf } from './range.ts';

const StreamName = Type.Object({
  stream: Type.String({ minLength: 1, maxLength: 300, examples: ['catalog'] }),
});

/** Followers at once; each holds a subscription. */
const followersMax = 16;
const tryAgainLater = 1013;
const failed = 1011;

export function historyRoutes({ server, admin }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/events',
    schema: {
      ...operation('admin_events', 'The events of the history'),
      querystring: HistoryQuery,
      response: { 200: reply('Events as they are stored.', HistoryPage) },
    },
    config: basic,
    handler: (request) => {
      const { from, to, direction = 'backwards', limit = 50, ...query } = request.query;
      return admin.events({ ...query, direction, limit, ...timesOf({ from, to }) }, actingIn(request));
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/streams/:stream',
    schema: {
      ...operation('admin_stream', 'The events of a stream'),
      params: StreamName,
      querystring: StreamQuery,
      response: { 200: reply('Events in their order.', StreamPage) },
    },
    config: basicOrNone,
    handler: (request) => {
      const { from_revision = 0, limit = 50 } = request.query;
      return admin.stream(request.params.stream, { from_revision, limit }, actingIn(request));
    },
  });
}

/** Belongs where the plugin for WebSockets is. */
export function liveHistoryRoute({ server, admin }: AdminDoor, pingMs: number): void {
  let followers = 0;
  server.route({
    method: 'GET',
    url: '/admin/api/events/live',
    schema: {
      ...operation('admin_events_live', 'The history as it grows, as a WebSocket'),
      description:
        'Messages are JSON: `{"type":"event","event":{…}}` for each event, as in /admin/api/events, and once ' +
        '`{"type":"caught_up","position":"…"}`. They are sent as fast as they are read. After an interruption ' +
        'continue with the position of the last one as `after`: no event is repeated or lost.',
      querystring: FollowQuery,
      response: {
        101: nothing('Switching protocols.'),
        426: reply('It is no WebSocket.', ErrorResponse),
      },
    },
    config: { ...basic, errors: [403] },
    // A browser asks no leave before it opens a socket to another origin, and sends the credentials it remembers.
    preHandler: async (request) => {
      if (isForeign(request)) throw new Failure('forbidden', 'This origin may not open a connection.');
    },
    handler: async (_request, reply) =>
      reply.code(426).header('upgrade', 'websocket').send({ detail: 'This path speaks WebSocket only.' }),
    wsHandler: async (socket, request) => {
      if (followers === followersMax) return socket.close(tryAgainLater, 'Too many follow the history.');
      followers++;
      const gone = new AbortController();
      socket.on('close', () => {
        followers--;
        gone.abort();
      });
      socket.on('error', () => socket.terminate());
      answerPings(socket);
      const { alive } = heartbeat(socket, pingMs);
      try {
        for await (const message of admin.followEvents(
          request.query as FollowQuery,
          actingIn(request),
          gone.signal,
        )) {
          await sent(socket, JSON.stringify(message));
          alive();
        }
      } catch (error) {
        if (!gone.signal.aborted)
          socket.close(failed, error instanceof Failure ? error.detail.slice(0, 120) : 'An error.');
      }
    },
  });
}

/** One pong at a time: a follower that does not read what it is answered is not answered more. */
function answerPings(socket: WebSocket): void {
  let latest: Buffer | null = null;
  let answering = false;
  const answer = () => {
    if (latest === null || socket.readyState !== socket.OPEN) return;
    const data = latest;
    latest = null;
    answering = true;
    socket.pong(data, false, () => {
      answering = false;
      answer();
    });
  };
  socket.on('ping', (data) => {
    latest = data;
    if (!answering) answer();
  });
}

/** Resolves when the message has been handed to the network: who reads slowly is written to slowly. */
const sent = (socket: WebSocket, message: string): Promise<void> =>
  new Promise((resolve, reject) => socket.send(message, (error) => (error ? reject(error) : resolve())));
