/** The rooms of a platform: their settings, their corpora and their conversations. */
import type { Chat } from '../src/asks/chat.ts';
import type { Corpus } from '../src/asks/public-corpora.ts';
import type { ChatSettings, Language } from '../src/domain/events.ts';
import type { ChatApp, Person, Platform, Room } from './platform.ts';
import { ViewGone } from './platform-api.ts';
import { texts } from './texts.ts';

/**
 * Defines which corpora can be searched in which places. In `*: krk_2026 reestr_texts, C0123: handbook, -100456:`, each
 * entry names a place on the platform (a workspace, a channel or a chat; `*` means everywhere else) and the corpora
 * that can be searched there. The first corpus is the default. If no corpus follows the colon, nothing can be searched
 * there. The entry for the narrowest place applies. If the map is null, all corpora can be searched everywhere.
 */
export type CorporaByChat = ReadonlyMap<string, readonly string[]> | null;

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

  /**
   * Returns the corpora that can be searched in a room, in the configured order, and the current one, which is used
   * unless the question names another. The current one is the room's setting if possible, otherwise the first
   * configured one, otherwise the service's default. It is null if no corpus can be searched, or if there are several
   * and nothing selects one.
   */
  async choice(
    { around }: Pick<Room, 'around'>,
    settings: Pick<ChatSettings, 'corpora' | 'corpus_id'>,
    lang: Language,
  ): Promise<{ corpora: Corpus[]; current: Corpus | null }> {
    const { app, corporaByChat } = this.#options;
    const configured =
      corporaByChat && [...around, '*'].map((place) => corporaByChat.get(place)).find(Boolean);
    const allowed = settings.corpora ?? (corporaByChat && (configured ?? []));
    const active = await app.corpora(lang);
    const corpora = allowed?.flatMap((id) => active.filter(({ corpus_id }) => corpus_id === id)) ?? active;
    const current =
      corpora.find(({ corpus_id }) => corpus_id === settings.corpus_id) ??
      (allowed === null ? corpora.find(({ is_default }) => is_default) : corpora[0]) ??
      (corpora.length === 1 ? corpora[0] : undefined);
    return { corpora, current: current ?? null };
  }

  /** Like `choice`, with the settings of the room. */
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
