/** The effects of the buttons below answers and notes: ratings, settings, requests for help, and forgetting. */
import type { ChatSettings, Language, Rating } from '../src/domain/events.ts';
import { Failure } from '../src/failures.ts';
import { failureText, forgetAsker, namedCorpus, ownReader, questionMax, rate, recorded } from './answer.ts';
import { Left, ViewGone } from './api.ts';
import type { Draft } from './draft.ts';
import {
  type ChosenAction,
  corporaNote,
  languageNote,
  parseChoice,
  settingsNote,
  styleNote,
} from './notes.ts';
import type { ChatApp, Note, Person, Platform, Room } from './platform.ts';
import type { Rooms } from './rooms.ts';
import { cut } from './splitting.ts';
import { texts } from './texts.ts';

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

export interface PressesOptions<Where> {
  app: ChatApp;
  platform: Platform<Where>;
  rooms: Rooms<Where>;
}

export class Presses<Where> {
  readonly #options: PressesOptions<Where>;
  readonly #rooms: Rooms<Where>;
  /** Questions for which a request for help is being sent. */
  readonly #calling = new Set<string>();

  constructor(options: PressesOptions<Where>) {
    this.#options = options;
    this.#rooms = options.rooms;
  }

  /** Records a rating by the person who pressed the button. Returns false if the rating was not accepted. */
  rate(requestId: string, rating: Rating, from: Person, comment: string | null = null): Promise<boolean> {
    return rate(this.#options.app, requestId, rating, this.#rooms.subject(from), comment).then(
      () => true,
      () => false,
    );
  }

  /** Returns an earlier answer. Fails with `gone` if the answer may no longer be shown. */
  async answered(requestId: string, lang: Language): Promise<Draft> {
    return recorded(this.#options.app, requestId, lang).catch((error: unknown) => {
      throw error instanceof Failure && error.code === 'not_found'
        ? new Failure('gone', error.detail)
        : error;
    });
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
        ...{ corpus_id: corpus.corpus_id, question: cut(query, questionMax), subject },
        answer: cut(saved, savedMax),
      });
      return t.saved;
    } catch (error) {
      return failureText(lang, error);
    }
  }

  /** Handles a pressed button, identified by its data. */
  async press(press: Press<Where>, data: string): Promise<Pressed> {
    const chosen = parseChoice(data);
    const t = texts[press.language];
    if (chosen === null) return {};
    try {
      return await this.#pressed(press, chosen);
    } catch (error) {
      if (error instanceof Left) return {};
      if (error instanceof ViewGone) return { notice: t.notHere };
      return { notice: chosen.kind === 'rate' ? t.notRated : failureText(press.language, error) };
    }
  }

  async #pressed(press: Press<Where>, chosen: ChosenAction): Promise<Pressed> {
    const { app, platform } = this.#options;
    const { from, language: lang } = press;
    const t = texts[lang];
    switch (chosen.kind) {
      case 'rate':
        return { notice: (await this.rate(chosen.requestId, chosen.rating, from)) ? t.rated : t.notRated };
      case 'stop':
        if ((await app.chats.asked(chosen.requestId))?.subject !== this.#rooms.subject(from))
          return { notice: t.notYours };
        await this.#stop(chosen.requestId, from);
        return {};
      case 'forget': {
        if (chosen.user !== from.id) return { notice: t.notYours };
        if (!chosen.isMeant) return { becomes: { text: t.kept } };
        await this.#rooms.forget(this.#rooms.chat(press.conversation));
        if (press.place === null) await this.#rooms.forget(this.#rooms.chat(press.own));
        await app.files?.forget(this.#rooms.subject(from));
        return { becomes: { text: await forgetAsker(app, this.#rooms.subject(from), lang) } };
      }
      case 'dropFiles':
        // The data of a button can be forged, so check that the conversation belongs to the person who pressed it.
        if (
          chosen.user !== from.id ||
          ![press.conversation, press.own].some((names) => this.#rooms.chat(names).id === chosen.chatId)
        )
          return { notice: t.notYours };
        await this.#rooms.forget(app.chats.known(platform.name, chosen.chatId));
        return { becomes: { text: t.filesDropped } };
      case 'help': {
        const { helpers } = await this.#rooms.settings(press);
        if (helpers.length === 0) return { notice: t.noHelpers };
        if (this.#calling.has(chosen.requestId)) return { notice: t.helpAskedBefore };
        this.#calling.add(chosen.requestId);
        try {
          return await this.#callForHelp(press, chosen.requestId, helpers);
        } finally {
          this.#calling.delete(chosen.requestId);
        }
      }
      case 'resolve':
        await app.chats.resolveHelp(chosen.requestId, this.#rooms.subject(from));
        return { becomes: { text: `✓ ${t.resolved(platform.nameOf(from))}` } };
      default:
        return this.#set(press, chosen);
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
    const choices = [[{ label: t.resolve, data: `d:${requestId}` }]];
    await platform.say(press, { to, text, choices }, { toAll: true });
    await app.chats.requestHelp(requestId, this.#rooms.subject(from));
    return {};
  }

  /** Stops an answer in progress. */
  async #stop(requestId: string, from: Person): Promise<void> {
    const caller = { actor: 'public', subject: this.#rooms.subject(from), ...ownReader };
    await this.#options.app.asks.cancel(requestId, caller).catch(() => {});
  }

  async #set(
    press: Press<Where>,
    chosen: Extract<ChosenAction, { kind: 'corpus' | 'style' | 'language' | 'setting' }>,
  ): Promise<Pressed> {
    const { platform } = this.#options;
    const { language: lang, place } = press;
    const t = texts[lang];
    if (place !== null && !(await platform.mayConfigure(press.where, press.from)))
      return { notice: t.managersOnly };
    const settings = await this.#rooms.settings(press);
    const set = (change: Partial<ChatSettings>, name: string, value: string) =>
      this.#rooms.change(press, change, lang, name, value);
    switch (chosen.kind) {
      case 'corpus': {
        const { corpora } = await this.#rooms.choice(press, settings, lang);
        const corpus = corpora.find((one) => chosen.is(one.corpus_id));
        if (!corpus) return { notice: t.noAccess };
        await set({ corpus_id: corpus.corpus_id }, t.homeCorpora, corpus.title);
        const text = t.corpusChosen(corpus.title);
        return { notice: text, becomes: corporaNote(text, corpora, corpus) };
      }
      case 'style': {
        await set(
          { style: chosen.style },
          t.setting.style.name,
          t.setting.style.values[String(chosen.style)]!,
        );
        const { current } = await this.#rooms.choice(press, settings, lang);
        const text = t.styleChosen(t.styles[chosen.style ?? '']);
        return { notice: text, becomes: { ...styleNote(t, current?.styles ?? [], chosen.style), text } };
      }
      case 'language': {
        const { name, values } = t.setting.language;
        await set({ language: chosen.language }, name, values[String(chosen.language)]!);
        const now = texts[chosen.language ?? lang];
        return {
          notice: now.languageChosen,
          becomes: { ...languageNote(now, chosen.language), text: now.languageChosen },
        };
      }
      case 'setting': {
        const { name, values } = t.setting[chosen.name];
        const all = Object.keys(values);
        const value = all[(all.indexOf(String(settings[chosen.name])) + 1) % all.length]!;
        const change = { [chosen.name]: /^(?:true|false|null)$/.test(value) ? JSON.parse(value) : value };
        await set(change, name, values[value]!);
        return { becomes: settingsNote(t, platform.settings, { ...settings, ...change }) };
      }
    }
  }
}
