/** Reads and changes the settings of chat channels and groups from the command line. */

import type { ChangeChatRequest, ChatRoom } from '../admin/chats.ts';
import type { Service } from '../app.ts';
import { uuidv7 } from '../domain/ids.ts';
import { Failure } from '../failures.ts';
import { print, printJson } from './output.ts';

export type ChatChange = ChangeChatRequest;

/** Prints the channels and groups that have their own settings. */
export async function listChats(app: Service, { json }: { json?: boolean }): Promise<undefined> {
  const { items } = await app.admin.chatRooms({ limit: 500, offset: 0 });
  if (json) await printJson(items);
  else if (items.length === 0) await print('All channels and groups use the default settings.');
  else for (const room of items) await print(shown(room));
}

/** Changes the given settings of a channel or group, and prints all of them. May fail with `invalid` or `not_found`. */
export async function setChat(
  app: Service,
  name: string,
  change: ChangeChatRequest,
  { json }: { json?: boolean },
): Promise<undefined> {
  const [, platform, place] = /^(slack|telegram)\/([A-Za-z0-9-]{1,40})$/.exec(name) ?? [];
  if (platform === undefined || place === undefined)
    throw new Failure(
      'invalid',
      'Specify the channel as slack/C0123ABCD, or the group as telegram/-1001234567890.',
    );
  const acting = { name: 'system', request_id: uuidv7() };
  const room = await app.admin.changeChatRoom(platform as ChatRoom['platform'], place, change, acting);
  if (json) await printJson(room);
  else await print(shown(room));
}

function shown(room: ChatRoom): string {
  const rows = settingNames.map((name) => `  ${name.padEnd(10)} ${shownValue(room[name])}`);
  return [`${room.platform}/${room.place}`, ...rows].join('\n');
}

function shownValue(value: ChatRoom[(typeof settingNames)[number]]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return (Array.isArray(value) ? value.join(', ') : value) || '–';
}

const settingNames = [
  ...(['answers', 'threads', 'silent', 'ephemeral', 'muted', 'bots'] as const),
  ...(['corpora', 'corpus_id', 'language', 'style', 'helpers'] as const),
];
