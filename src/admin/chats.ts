/** Settings of Slack channels and Telegram groups. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import type { ChatChannel } from '../asks/chats.ts';
import { answering, type ChatSettings, languages, styles } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import { asOf, type Listed, listOf, orNull, type Page, pageOf, record, Time, wholePage } from '../schema.ts';
import { type AdministrationDeps, causeOf, shown } from './context.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';

const platforms = ['slack', 'telegram'] as const;

export const ChatPath = Type.Object({
  platform: Type.Enum([...platforms]),
  place: Type.String({
    pattern: '^[A-Za-z0-9-]{1,40}$',
    description:
      "The platform's id, such as C0123ABCD for a Slack channel or -1001234567890 for a Telegram group.",
  }),
});
export const ChatsQuery = Type.Object({ ...wholePage, ...asOf });

const settings = {
  language: orNull(Type.Enum([...languages]), { description: "Language of fixed texts; null: the asker's." }),
  style: orNull(Type.Enum([...styles])),
  corpus_id: orNull(Type.String({ maxLength: 100 }), {
    description: 'The corpus for questions that do not specify one; null: the first allowed one.',
  }),
  corpora: orNull(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 }), {
    description: 'The allowed corpora; null: as set in SLACK_CORPORA or TELEGRAM_CORPORA.',
  }),
  answers: Type.Enum([...answering], {
    description:
      'Which messages that begin a conversation are answered: mentions of Docent; also clear questions that a source answers; or all messages.',
  }),
  threads: Type.Enum(['mentions', 'questions'], {
    description: 'Which messages are answered in threads where Docent has answered.',
  }),
  silent: Type.Boolean({ description: 'Stay silent if no source answers the question.' }),
  ephemeral: Type.Boolean({ description: 'Only the asker sees the answer and can share it (Slack).' }),
  helpers: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 20,
    description: 'The people mentioned in a request for help: U… or S… in Slack, @name in Telegram.',
  }),
  bots: Type.Boolean({ description: 'Answer messages of other bots.' }),
  muted: Type.Boolean({ description: 'Answer nothing.' }),
};

export const ChangeChatRequest = record(
  'ChangeChatRequest',
  Object.fromEntries(Object.entries(settings).map(([name, type]) => [name, Type.Optional(type)])) as {
    [K in keyof typeof settings]: ReturnType<typeof Type.Optional<(typeof settings)[K]>>;
  },
  { description: 'Only the given fields are changed.' },
);
export type ChangeChatRequest = Static<typeof ChangeChatRequest>;

export const ChatRoom = record('ChatRoom', {
  platform: Type.Enum([...platforms]),
  place: Type.String(),
  ...settings,
  changed_at: orNull(Time),
  changed_by: orNull(Type.String(), {
    description: 'The name of an administrator, or the opaque subject of a person in the chat.',
  }),
});
export type ChatRoom = Static<typeof ChatRoom>;
export const ChatRoomList = listOf(ChatRoom);

export function chatRooms(deps: Pick<AdministrationDeps, 'reads' | 'commands' | 'progress' | 'chats'>) {
  const { reads, commands, chats } = deps;

  async function room(platform: ChatChannel, place: string): Promise<ChatRoom> {
    const settings = await chats.place(platform, place).settings();
    const known = await reads.get('chat_settings', `${platform} ${place}`);
    const changed = (known ?? {}) as Partial<Pick<ChatRoom, 'changed_at' | 'changed_by'>>;
    const { changed_at = null, changed_by = null } = changed;
    return { platform, place, ...settings, changed_at, changed_by };
  }

  return {
    /** Rooms whose settings were ever changed, most recently changed first. */
    async chatRooms(page: Page): Promise<Listed<ChatRoom>> {
      const orderBy = { field: 'changed_at', descending: true };
      const { items, total } = await reads.find('chat_settings', { orderBy, ...page });
      return { items: items as unknown as ChatRoom[], total, ...page };
    },

    /** The current settings, whether or not they were ever changed. */
    chatRoom: room,

    /** Changes the given settings. Fails with `not_found` for an unknown corpus. */
    async changeChatRoom(
      platform: ChatChannel,
      place: string,
      change: ChangeChatRequest,
      acting: Acting,
    ): Promise<ChatRoom> {
      const { corpora } = await commands.catalog.load();
      const named = [...(change.corpora ?? []), ...(change.corpus_id == null ? [] : [change.corpus_id])];
      const unknown = named.find((id) => !corpora.has(id));
      if (unknown !== undefined) throw new Failure('not_found', `There is no corpus "${unknown}".`);
      const position = await chats
        .place(platform, place)
        .change(change as Partial<ChatSettings>, { admin: causeOf(acting) });
      await shown(deps, position, 'chats');
      return room(platform, place);
    },
  };
}

export function chatRoutes(door: AdminDoor<ReturnType<typeof chatRooms>>): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/chats',
    schema: {
      ...operation('admin_chats', 'Channels and groups that have their own settings'),
      querystring: ChatsQuery,
      response: { 200: reply('Most recently changed first.', ChatRoomList) },
    },
    handler: async (request, reply) => (await adminAt(door, request, reply)).chatRooms(pageOf(request.query)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/chats/:platform/:place',
    schema: {
      ...operation('admin_chat', 'The settings of a channel or group'),
      params: ChatPath,
      response: { 200: reply('Its settings.', ChatRoom) },
    },
    config: { errors: [] },
    handler: ({ params }) => admin.chatRoom(params.platform, params.place),
  });

  server.route({
    method: 'PATCH',
    url: '/admin/api/chats/:platform/:place',
    schema: {
      ...operation('admin_change_chat', 'Change the settings of a channel or group'),
      params: ChatPath,
      body: ChangeChatRequest,
      response: { 200: reply('The new settings.', ChatRoom) },
    },
    handler: (request) =>
      admin.changeChatRoom(request.params.platform, request.params.place, request.body, actingIn(request)),
  });
}
