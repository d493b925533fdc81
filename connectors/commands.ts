/** The commands that people type: `/corpora`, `/settings`, `/forget` and the others listed in platform.ts. */
import type { ChatSettings, Language } from '../src/domain/events.ts';
import { corporaNote, forgetNote, languageNote, settingsNote, styleNote } from './notes.ts';
import type { ChatApp, Message, Note, Platform } from './platform.ts';
import type { Presses } from './presses.ts';
import type { Rooms } from './rooms.ts';
import { texts } from './texts.ts';

/** The maximum number of recent questions to list. */
const recentMax = 8;

export interface CommandsOptions<Where> {
  app: ChatApp;
  platform: Platform<Where>;
  rooms: Rooms<Where>;
  presses: Presses<Where>;
}

export class Commands<Where> {
  readonly #options: CommandsOptions<Where>;
  readonly #rooms: Rooms<Where>;

  constructor(options: CommandsOptions<Where>) {
    this.#options = options;
    this.#rooms = options.rooms;
  }

  /** Runs the command in a message; `say` replies to it. */
  async run(
    message: Message<Where>,
    say: (note: Note) => Promise<void>,
    settings: ChatSettings,
    lang: Language,
  ): Promise<void> {
    const { app, platform } = this.#options;
    const t = texts[lang];
    const argument = message.text ?? '';
    switch (message.command) {
      case 'start': {
        const { corpora } = await this.#rooms.choice(message, settings, lang);
        const linked = corpora.find(({ corpus_id }) => corpus_id === argument);
        if (linked && message.place === null)
          await this.#rooms.change(
            message,
            { corpus_id: linked.corpus_id },
            lang,
            t.homeCorpora,
            linked.title,
          );
        const shown = linked ? [linked] : corpora;
        const listed = shown.map(({ title: name }) => `• ${name}`).join('\n');
        const [example] = shown.flatMap(({ examples }) => examples);
        const hint = example === undefined ? '' : `\n\n${t.examples}: ${example}`;
        return say({ text: corpora.length === 0 ? t.noAccess : `${t.start(listed)}${hint}` });
      }
      case 'corpora': {
        const { corpora, current } = await this.#rooms.choice(message, settings, lang);
        return say(corpora.length === 0 ? { text: t.noAccess } : corporaNote(t.corpora, corpora, current));
      }
      case 'style': {
        const { current } = await this.#rooms.choice(message, settings, lang);
        return say(styleNote(t, current?.styles ?? [], settings.style));
      }
      case 'language':
        return say(languageNote(t, settings.language));
      case 'new':
        await this.#rooms.forget(this.#rooms.chat(message.conversation));
        return say({ text: t.startedOver });
      case 'history': {
        // The list covers all chats, so other people must not see it here.
        if (message.place !== null) return say({ text: t.onlyAlone });
        const asked = await app.chats.recent(platform.name, this.#rooms.subject(message.from), recentMax);
        return say({ text: asked.length === 0 ? t.noHistory : asked.map((one) => `• ${one}`).join('\n') });
      }
      case 'forget':
        return say(forgetNote(t, message.from.id));
      case 'settings':
        return this.#openSettings(message, say, settings, lang);
      case 'save':
        if (argument === '' || message.about === null) return say({ text: t.saveHow });
        return say({
          text: await this.#options.presses.save(message, argument, message.about, message.from, lang),
        });
      default:
        return say({ text: t.help });
    }
  }

  async #openSettings(
    message: Message<Where>,
    say: (note: Note) => Promise<void>,
    settings: ChatSettings,
    lang: Language,
  ): Promise<void> {
    const { platform } = this.#options;
    const t = texts[lang];
    if (message.place === null) return say(languageNote(t, settings.language));
    if (!(await platform.mayConfigure(message.where, message.from))) return say({ text: t.managersOnly });
    const [word] = (message.text ?? '').split(/\s+/);
    if (word === 'helpers') {
      await this.#rooms.change(
        message,
        { helpers: [...message.mentions] },
        lang,
        t.helpersHow,
        message.mentions.join(', ') || '–',
      );
      return;
    }
    await say(settingsNote(t, platform.settings, settings));
  }
}
