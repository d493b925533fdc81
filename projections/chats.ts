/** Settings of chat channels and groups, for administrators. Chats with a single person are not listed. */
import type { Projection } from './runner.ts';

const collection = 'chat_settings';

export const chats: Projection = {
  name: 'chats',
  version: 1,
  collections: [{ name: collection, fields: { platform: 'tag', changed_at: 'time' } }],
  on: {
    ChatChanged: ({ data, actor }) => {
      const { chat_id: _, channel, place, changed_by, ...settings } = data;
      if (place === null) return [];
      const by = changed_by ?? actor.replace(/^admin:/, '');
      const doc = { platform: channel, place, ...settings, changed_by: by };
      return [{ op: 'put', collection, key: `${channel} ${place}`, doc }];
    },
  },
};
