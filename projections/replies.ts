/** Chat messages that still have to be answered, used when a process takes over from a crashed one. */
import type { ChatReplyFacts } from '../src/domain/events.ts';
import type { Projection } from './runner.ts';

const collection = 'open_replies';
const keyOf = ({ chat_id, delivery }: ChatReplyFacts) => `${chat_id} ${delivery}`;

export const replies: Projection = {
  name: 'replies',
  version: 1,
  collections: [{ name: collection, fields: { channel: 'tag', started_at: 'time' } }],
  on: {
    ReplyStarted: ({ data }) => {
      const { chat_id, channel, delivery, worker, started_at } = data;
      const doc = { chat_id, channel, delivery, worker, started_at };
      return [{ op: 'put', collection, key: keyOf(data), doc }];
    },
    ReplyTaken: ({ data }) => [{ op: 'merge', collection, key: keyOf(data), doc: { worker: data.worker } }],
    ReplyEnded: ({ data }) => [{ op: 'delete', collection, key: keyOf(data) }],
  },
};
