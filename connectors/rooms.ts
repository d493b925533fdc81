/** The rooms of a platform: their settings, their corpora and their conversations. */
import type { Chat } from '../src/asks/chats.ts';
import type { ChatSettings, Language } from '../src/domain/events.ts';
import { choice, ViewGone } from './answer.ts';
import { type CorporaByChat, corporaAt } from './chat-corpora.ts';
import type { ChatApp, Person, Platform, Room } from './platform.ts';
import { texts } from './texts.ts';

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
