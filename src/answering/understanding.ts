/** A question read before anything is looked up: its language, its intent, and what needs no document at all. */
import type { CorpusSettings, HistoryMessage, Language, Mode } from '../domain/events.ts';
import { detectLanguage, repairLayout } from '../text/language.ts';
import { languageOfReferences, parseReferences } from '../text/references/parse.ts';
import { isStopWord, words } from '../text/words.ts';
import { Draft, localized } from './answer-builder.ts';
import type { Composed } from './context.ts';
import { resolveFollowUp } from './follow-up.ts';
import { type Intent, readIntent, withoutGreeting } from './intent.ts';
import { phrases } from './phrases.ts';

export interface Reading {
  lang: Language;
  intent: Intent;
  /** The question made whole with the history; null where it stood by itself. */
  rewritten: string | null;
  more: boolean;
  /** What the answer must be about, where a follow-up put it in the place of another subject. */
  focus?: string;
}

/** Language, intent and, where it leans on the history, the question made whole. */
export function read(query: string, history: readonly HistoryMessage[], settings: CorpusSettings): Reading {
  const typed = repairLayout(query);
  const before = history.findLast(({ role }) => role === 'user');
  const [first = 'ru'] = settings.languages;
  const fallback = before ? detectLanguage(before.content, undefined, first) : first;
  const lang = languageOf(typed, fallback);
  const alone = readIntent(typed, settings);
  if (['greeting', 'farewell', 'thanks', 'meta'].includes(alone.kind))
    return { lang, intent: alone, rewritten: null, more: false };
  const { question, rewritten, more, focus } = resolveFollowUp(withoutGreeting(typed), history);
  if (!rewritten) return { lang, intent: alone, rewritten: null, more: false };
  return { lang, intent: readIntent(question, settings), rewritten: question, more, ...(focus && { focus }) };
}

/**
 * The language of a question. One that only names provisions has the language of their units ("24-баптар"), and a
 * word with letters of both scripts is read in one.
 */
function languageOf(typed: string, fallback: Language): Language {
  const named = parseReferences(typed);
  let rest = typed;
  for (const { start, end } of named.toReversed()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  const unit = /\p{L}{2}/u.test(rest) ? null : languageOfReferences(typed);
  if (unit) return unit;
  const mixed = /[a-z][а-яё]|[а-яё][a-z]/iu.test(typed);
  return detectLanguage(mixed ? words(typed).join(' ') : typed, ['ru', 'kk', 'en'], fallback);
}

/** So few words that name nothing ("what", "а что") are no question. */
const emptyWords = 2;

/** Answers that need no document: greetings, thanks, questions about the assistant, questions about nothing. */
export function withoutLookUp(intent: Intent, settings: CorpusSettings, lang: Language): Composed | null {
  const fixed = phrases[lang];
  const corpus = localized(settings.title, lang);
  const say = (mode: Mode, text: string): Composed => ({
    mode,
    draft: new Draft().say(text),
    finish: 'stop',
  });
  if (intent.kind === 'greeting') return say('greeting', fixed.greeting(corpus));
  if (intent.kind === 'farewell') return say('greeting', fixed.farewell);
  if (intent.kind === 'thanks') return say('greeting', fixed.thanks);
  if (intent.kind === 'meta') {
    return say(
      'meta',
      intent.ordered
        ? fixed.ordered(corpus)
        : fixed.meta(corpus, localized(settings.description, lang).trim()),
    );
  }
  const said = words(intent.question);
  const empty = intent.references.length === 0 && said.length <= emptyWords && said.every(isStopWord);
  return empty ? say('no_answer', fixed.unclear) : null;
}
