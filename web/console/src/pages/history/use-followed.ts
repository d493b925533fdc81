/** Events as they are recorded, over a WebSocket that continues where it was interrupted. */
import { useEffect, useRef, useState } from 'react';
import { queryOf, signedOut } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { sessionQuery } from '../../app/session.ts';
import type { Event } from './columns.tsx';

/** Beyond this number, the oldest are dropped. */
const keptMax = 2000;
const againMs = 2000;

export type Connection = 'connecting' | 'open' | 'closed' | 'paused';
type Message = { type: 'event'; event: Event } | { type: 'caught_up'; position: string | null };

export function useFollowed(filter: Record<string, string | undefined>, paused: boolean) {
  const [events, setEvents] = useState<Event[]>([]);
  const [connection, setConnection] = useState<Connection>('connecting');
  const after = useRef<string>(undefined);
  const key = queryOf(filter);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new filter starts again.
  useEffect(() => {
    after.current = undefined;
    setEvents([]);
  }, [key]);

  useEffect(() => {
    if (paused) return setConnection('paused');
    let socket: WebSocket | undefined;
    let timer: number | undefined;
    let frame: number | undefined;
    let waiting: Event[] = [];
    // Everything received within a frame is shown together.
    const show = () => {
      const come = waiting.reverse();
      waiting = [];
      frame = undefined;
      setEvents((known) => [...come, ...known].slice(0, keptMax));
    };
    const connect = () => {
      setConnection('connecting');
      const url = new URL('/admin/api/events/live', window.location.href);
      url.protocol = url.protocol.replace('http', 'ws');
      url.search = key;
      if (after.current !== undefined) url.searchParams.set('after', after.current);
      socket = new WebSocket(url);
      socket.onmessage = ({ data }) => {
        const message: Message = JSON.parse(data);
        if (message.type === 'caught_up') {
          // Set only now, because events between the connection and this message are not shown.
          setConnection('open');
          after.current ??= message.position ?? undefined;
          return;
        }
        after.current = message.event.position;
        waiting.push(message.event);
        frame ??= requestAnimationFrame(show);
      };
      socket.onclose = () => {
        setConnection('closed');
        // The browser does not say why the connection closed; the session may have ended.
        void queryClient
          .fetchQuery({ ...sessionQuery, staleTime: 0 })
          .then((session) => session ?? signedOut());
        timer = window.setTimeout(connect, againMs);
      };
    };
    connect();
    return () => {
      window.clearTimeout(timer);
      if (frame !== undefined) cancelAnimationFrame(frame);
      if (socket) socket.onclose = null;
      socket?.close();
    };
  }, [key, paused]);

  return { events, connection };
}
