/**
 * What commands and buttons do: settings, corpora, ratings, requests for help and forgetting. The commands are those
 * listed in platform.ts, such as `/corpora` and `/forget`.
 */
import {
  type ChatSettings,
  type Language,
  languages,
  questionMax,
  type Rating,
  styles,
} from '../src/domain/events.ts';
import { Failure } from '../src/failures.ts';
import { failureText, namedCorpus, ownReader } from './answer.ts';
import { Draft } from './draft.ts';
import {
  actions,
  corporaNote,
  forgetNote,
  languageNote,
  settingNames,
  settingsNote,
  shortName,
  styleNote,
} from './notes.ts';
import type { Message, Note, Person, Room } from './platform.ts';
import { Left, ViewGone } from './platform-api.ts';
import type { Rooms, RoomsOptions } from './rooms.ts';
import { cut } from './splitting.ts';
import { texts } from './texts.ts';

/** The maximum number of recent questions to list. */
const recentMax = 8;
const findMs = 10_000;
/** Maximum lengths, in characters, of a saved answer and of the question quoted in a request for help. */
const savedMax = 10_000;
const quotedMax = 1_000;

/** The result of a pressed button: a notice for the person who pressed it, and the new content of its message. */
export interface Pressed {
  notice?: string;
  becomes?: Note;
}

/** Describes who pressed a button, and where. */
export interface Press<Where> extends Room {
  where: Where;
  conversation: readonly string[];
  from: Person;
  language: Language;
}

export class Menus<Where> {
  readonly #options: RoomsOptions<Where>;
  readonly #rooms: Rooms<Where>;
  /** Questions for which a request for help is being sent. */
  readonly #calling = new Set<string>();

  constructor(options: RoomsOptions<Where>, rooms: Rooms<Where>) {
    this.#options = options;
    this.#rooms = rooms;
  }

  /** Runs the command in a message; `say` replies to it. */
  async runCommand(
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
        return say({ text: await this.save(message, argument, message.about, message.from, lang) });
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

  /** Records a rating by the person who pressed the button. Returns false if the rating was not accepted. */
  async rate(
    requestId: string,
    rating: Rating,
    from: Person,
    comment: string | null = null,
  ): Promise<boolean> {
    const { recordedAsks, access } = this.#options.app;
    const subject = this.#rooms.subject(from);
    try {
      const verdict = await access.count('rate', null, subject);
      if (verdict?.allowed === false) return false;
      await recordedAsks.rate(requestId, { rating, comment }, { actor: 'public', subject, ...ownReader });
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Returns an earlier answer in the form in which it is shown. Fails with `gone` if it may no longer be shown, or with
   * the failure of an ask that has no answer.
   */
  async answered(requestId: string, lang: Language): Promise<Draft> {
    const draft = new Draft(lang);
    const stream = await this.#options.app.asks.find(requestId, ownReader).catch((error: unknown) => {
      const isMissing = error instanceof Failure && error.code === 'not_found';
      throw isMissing ? new Failure('gone', error.detail) : error;
    });
    for await (const { part } of stream.after(0, AbortSignal.timeout(findMs))) {
      if (part.type === 'error') throw new Failure(part.code, part.detail);
      draft.take(part);
    }
    if (draft.done === null) throw new Failure('gone', 'The question has not been answered yet.');
    return draft;
  }

  /** Proposes a person's answer as a curated entry. Returns the text to show. */
  async save(room: Room, question: string, saved: string, from: Person, lang: Language): Promise<string> {
    const { app } = this.#options;
    const t = texts[lang];
    try {
      const subject = this.#rooms.subject(from);
      const verdict = await app.access.count('rate', null, subject);
      if (verdict?.allowed === false) return t.limited(verdict.retryAfterS);
      const { corpora, current } = await this.#rooms.corporaOf(room, lang);
      const corpus = current ?? corpora[0];
      if (!corpus) return t.noAccess;
      const { query } = namedCorpus(question);
      await app.chats.propose({
        corpus_id: corpus.corpus_id,
        question: cut(query, questionMax),
        subject,
        answer: cut(saved, savedMax),
      });
      return t.saved;
    } catch (error) {
      return failureText(lang, error);
    }
  }

  /** Handles a pressed button, identified by its data. */
  async press(press: Press<Where>, data: string): Promise<Pressed> {
    const t = texts[press.language];
    try {
      return await this.#pressed(press, data.split(':'));
    } catch (error) {
      if (error instanceof Left) return {};
      return { notice: error instanceof ViewGone ? t.notHere : failureText(press.language, error) };
    }
  }

  async #pressed(
    press: Press<Where>,
    [action = '', first = '', second = '']: readonly string[],
  ): Promise<Pressed> {
    const { app, platform } = this.#options;
    const { from, language: lang } = press;
    const t = texts[lang];
    const subject = this.#rooms.subject(from);
    switch (action) {
      case actions.rate:
        return {
          notice: (await this.rate(second, first === 'u' ? 'up' : 'down', from)) ? t.rated : t.notRated,
        };
      case actions.stop: {
        if ((await app.chats.asked(first))?.subject !== subject) return { notice: t.notYours };
        await app.asks.cancel(first, { actor: 'public', ...ownReader }).catch(() => {});
        return {};
      }
      case actions.forget: {
        if (first !== from.id) return { notice: t.notYours };
        if (second !== 'y') return { becomes: { text: t.kept } };
        await this.#rooms.forget(this.#rooms.chat(press.conversation));
        if (press.place === null) await this.#rooms.forget(this.#rooms.chat(press.own));
        await app.files?.forget(subject);
        return { becomes: { text: await this.#forgetPerson(subject, lang) } };
      }
      case actions.dropFiles:
        // The data of a button can be forged, so check that the conversation belongs to the person who pressed it.
        if (
          second !== from.id ||
          ![press.conversation, press.own].some((names) => this.#rooms.chat(names).id === first)
        )
          return { notice: t.notYours };
        await this.#rooms.forget(app.chats.known(platform.name, first));
        return { becomes: { text: t.filesDropped } };
      case actions.help: {
        const { helpers } = await this.#rooms.settings(press);
        if (helpers.length === 0) return { notice: t.noHelpers };
        if (this.#calling.has(first)) return { notice: t.helpAskedBefore };
        this.#calling.add(first);
        try {
          return await this.#callForHelp(press, first, helpers);
        } finally {
          this.#calling.delete(first);
        }
      }
      case actions.resolve:
        await app.chats.resolveHelp(first, subject);
        return { becomes: { text: `✓ ${t.resolved(platform.nameOf(from))}` } };
      default:
        return this.#set(press, action, first);
    }
  }

  /** Asks people for help. The request is recorded only after it succeeds, so that a failed one can be repeated. */
  async #callForHelp(press: Press<Where>, requestId: string, to: readonly string[]): Promise<Pressed> {
    const { app, platform } = this.#options;
    const { from, language } = press;
    const t = texts[language];
    const asked = await app.chats.asked(requestId);
    if (asked === null) return { notice: t.gone };
    if (asked.help !== 'none') return { notice: t.helpAskedBefore };
    const text = `${t.helpAsked(platform.nameOf(from))}\n“${cut(asked.query, quotedMax)}”`;
    const choices = [[{ label: t.resolve, data: `${actions.resolve}:${requestId}` }]];
    await platform.say(press, { to, text, choices }, { toAll: true });
    await app.chats.requestHelp(requestId, this.#rooms.subject(from));
    return {};
  }

  /** Deletes a person's data. Returns the text to show once the deletion has succeeded or failed. */
  async #forgetPerson(subject: string, lang: Language): Promise<string> {
    const t = texts[lang];
    try {
      const { done } = await this.#options.app.forgetOneself(subject);
      await done;
      return t.forgotten;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === 'rate_limited') return t.forgetLater(error.retryAfterS ?? null);
      return error.code === 'conflict' ? t.cannotForget : failureText(lang, error);
    }
  }

  /** Changes a setting of the room. */
  async #set(press: Press<Where>, action: string, chosen: string): Promise<Pressed> {
    const { platform } = this.#options;
    const { language: lang, place } = press;
    const t = texts[lang];
    if (place !== null && !(await platform.mayConfigure(press.where, press.from)))
      return { notice: t.managersOnly };
    const settings = await this.#rooms.settings(press);
    const choice = () => this.#rooms.choice(press, settings, lang);
    const set = (change: Partial<ChatSettings>, name: string, value: string) =>
      this.#rooms.change(press, change, lang, name, value);
    switch (action) {
      case actions.corpus: {
        const { corpora } = await choice();
        const corpus = corpora.find(({ corpus_id }) => shortName(corpus_id) === chosen);
        if (!corpus) return { notice: t.noAccess };
        await set({ corpus_id: corpus.corpus_id }, t.homeCorpora, corpus.title);
        const text = t.corpusChosen(corpus.title);
        return { notice: text, becomes: corporaNote(text, corpora, corpus) };
      }
      case actions.style: {
        const style = styles.find((one) => one === chosen) ?? null;
        const { name, values } = t.setting.style;
        const { current } = await choice();
        await set({ style }, name, values[String(style)]!);
        const text = t.styleChosen(t.styles[style ?? '']);
        return { notice: text, becomes: { ...styleNote(t, current?.styles ?? [], style), text } };
      }
      case actions.language: {
        const language = languages.find((one) => one === chosen) ?? null;
        const { name, values } = t.setting.language;
        await set({ language }, name, values[String(language)]!);
        const now = texts[language ?? lang];
        const text = now.languageChosen;
        return { notice: text, becomes: { ...languageNote(now, language), text } };
      }
      case actions.setting: {
        const setting = settingNames.find((one) => one === chosen);
        if (!setting) return {};
        const { name, values } = t.setting[setting];
        const all = Object.keys(values);
        const value = all[(all.indexOf(String(settings[setting])) + 1) % all.length]!;
        const change = { [setting]: /^(?:true|false|null)$/.test(value) ? JSON.parse(value) : value };
        await set(change, name, values[value]!);
        return { becomes: settingsNote(t, platform.settings, { ...settings, ...change }) };
      }
      default:
        return {};
    }
  }
}
