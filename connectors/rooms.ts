/** The rooms of a platform: their settings, their corpora and their conversations. */
import type { Chat } from '../src/asks/chats.ts';
import type { Corpus } from '../src/asks/public-corpora.ts';
import type { ChatSettings, Language } from '../src/domain/events.ts';
import { ViewGone } from './api.ts';
import type { ChatApp, Person, Platform, Room } from './platform.ts';
import { texts } from './texts.ts';

/**
 * Defines which corpora can be searched in which places. In `*: krk_2026 reestr_texts, C0123: handbook, -100456:`, each
 * entry names a place on the platform (a workspace, a channel or a chat; `*` means everywhere else) and the corpora
 * that can be searched there. The first corpus is the default. If no corpus follows the colon, nothing can be searched
 * there. The entry for the narrowest place applies. If the map is null, all corpora can be searched everywhere.
 */
export type CorporaByChat = ReadonlyMap<string, readonly string[]> | null;

/**
 * `from` lists the place itself, then the places that contain it. A null result means all corpora, with the service's
 * default.
 */
export function corporaAt(
  corporaByChat: CorporaByChat,
  from: readonly (string | null | undefined)[],
): readonly string[] | null {
  if (corporaByChat === null) return null;
  for (const place of from) {
    const corpora = place == null ? undefined : corporaByChat.get(place);
    if (corpora) return corpora;
  }
  return corporaByChat.get('*') ?? [];
}

/**
 * Returns the corpora that can be searched, in the order of `allowed` (null: all corpora), and the current one, which
 * is used unless the question names another. The current one is `chosen` if possible, otherwise the first of `allowed`,
 * otherwise the service's default. It is null if no corpus can be searched, or if there are several and nothing selects
 * one.
 */
export async function choice(
  { corpora }: Pick<ChatApp, 'corpora'>,
  allowed: readonly string[] | null,
  chosen: string | null,
  lang: Language,
): Promise<{ corpora: Corpus[]; current: Corpus | null }> {
  const active = await corpora(lang);
  const open =
    allowed === null ? active : allowed.flatMap((id) => active.filter(({ corpus_id }) => corpus_id === id));
  const current =
    open.find(({ corpus_id }) => corpus_id === chosen) ??
    (allowed === null ? open.find(({ is_default }) => is_default) : open[0]) ??
    (open.length === 1 ? open[0] : undefined);
  return { corpora: open, current: current ?? null };
}

export interface RoomsOptions<Where> {
  app: ChatApp;
  platform: Platform<Where>;
  corporaByChat: CorporaByChat;
}

export class Rooms<Where> {
  readonly #options: RoomsOptions<Where>;

  constructor(options: RoomsOptions<Where>) {
    this.#options = options;
  }

  /** The person as an opaque subject. */
  subject({ names }: Person): string {
    const { app, platform } = this.#options;
    return app.chats.subject(platform.name, ...names);
  }

  /** The conversation with these names. */
  chat(names: readonly string[]): Chat {
    const { app, platform } = this.#options;
    return app.chats.chat(platform.name, ...names);
  }

  #settingsChat({ place, own }: Room): Chat {
    const { app, platform } = this.#options;
    return place === null ? this.chat(own) : app.chats.place(platform.name, place);
  }

  settings(room: Room): Promise<ChatSettings> {
    return this.#settingsChat(room).settings();
  }

  /** Like `corporaOf`, for settings that are already known. */
  choice(room: Room, settings: ChatSettings, lang: Language) {
    const { app, corporaByChat } = this.#options;
    const allowed = settings.corpora ?? corporaAt(corporaByChat, room.around);
    return choice(app, allowed, settings.corpus_id, lang);
  }

  /** Returns the corpora that can be searched in a room, and the one that is searched by default. */
  async corporaOf(room: Room, lang: Language) {
    return this.choice(room, await this.settings(room), lang);
  }

  /** Changes a setting of a room and announces the change to all its members. */
  async change(
    at: Room & { where: Where; from: Person },
    settings: Partial<ChatSettings>,
    lang: Language,
    name: string,
    value: string,
  ): Promise<void> {
    const { platform } = this.#options;
    const changed = await this.#settingsChat(at).change(settings, { subject: this.subject(at.from) });
    if (changed === null || at.place === null) return;
    const text = texts[lang].settingChanged(platform.nameOf(at.from), name, value);
    // A bot that is not a member of the room cannot announce the change there. The audit log still records it.
    await platform.say(at, { text }, { toAll: true }).catch((error: unknown) => {
      if (!(error instanceof ViewGone)) throw error;
    });
  }

  /** Forgets the earlier messages of a conversation and its files. */
  async forget(chat: Chat): Promise<void> {
    await chat.forget();
    await this.#options.app.files?.forget(chat.id);
  }
}
