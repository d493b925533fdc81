/** A question understood before anything is looked up: its language, its intent, what it leans on. */
import { type CorpusSettings, type HistoryMessage, type Language, languages } from '../domain/events.ts';
import { detectLanguage, repairLayout, type Wording } from '../text/language.ts';
import { scriptOf } from '../text/languages/index.ts';
import { languageOfReferences, parseReferences } from '../text/references/parse.ts';
import { words } from '../text/words.ts';
import { languageAskedFor, resolveFollowUp } from './follow-up.ts';
import { type Intent, readIntent, withoutGreeting } from './intent.ts';
import { noThread, type Parts, type Thread } from './plan.ts';
import { questionParts } from './question-parts.ts';

export interface UnderstoodQuestion {
  lang: Language;
  intent: Intent;
  /** The question made whole with the history; null where it stood by itself. */
  rewritten: string | null;
  /** More is wanted about what was answered before. */
  more: boolean;
  /** What the dialogue adds to the question. */
  thread: Thread;
  /** The questions it consists of; null for one. */
  parts: Parts | null;
}

/** Of an earlier answer a question is made whole with so many UTF-16 units: what people lean on stands there. */
const unitsLeantOn = 2_000;

/** What is answered with a fixed reply. */
const courtesies: readonly Intent['kind'][] = ['greeting', 'farewell', 'thanks', 'insult', 'task', 'meta'];

/**
 * Language, intent and, where it leans on the history (see conversation.ts), the question made whole. `wording`: what
 * the corpus' vocabulary says of it; without it, what the words themselves say.
 */
export function understand(
  query: string,
  history: readonly HistoryMessage[],
  settings: CorpusSettings,
  wording: Wording = { typed: repairLayout(query), evidence: {} },
): UnderstoodQuestion {
  const { typed } = wording;
  const recent = history.map(({ role, content }) => ({ role, content: content.slice(0, unitsLeantOn) }));
  const before = recent.findLast(({ role }) => role === 'user');
  const [first = languages[0]] = settings.languages;
  const fallback = before ? detectLanguage(before.content, undefined, first) : first;
  const ownLanguage = languageOf(wording, fallback);
  const alone = readIntent(typed, settings);
  const isCourtesy = ({ kind }: Intent) => courtesies.includes(kind);
  // To say it again in another language is no task beside the documents.
  const repeats = before !== undefined && languageAskedFor(typed) !== null;
  if (isCourtesy(alone) && !repeats)
    return { lang: ownLanguage, intent: alone, rewritten: null, more: false, thread: noThread, parts: null };
  // What was said in between for courtesy is no subject.
  const asked = recent.filter(
    ({ role, content }) => role !== 'user' || !isCourtesy(readIntent(content, settings)),
  );
  const resolved = resolveFollowUp(withoutGreeting(typed), asked, ownLanguage);
  const { inLanguage } = resolved;
  const lang = inLanguage ?? ownLanguage;
  const { question, rewritten, more, focus = null, context = '', otherwise = [] } = resolved;
  const from = inLanguage === undefined ? null : detectLanguage(question, undefined, first);
  const thread = { focus, context, otherwise, from, leans: rewritten };
  const intent = rewritten ? readIntent(question, settings) : alone;
  const parts = more ? null : partsOf(alone, intent, asked, lang, settings);
  return { lang, intent, rewritten: rewritten ? question : null, more, thread, parts };
}

/**
 * Characters of all parts together, as many as a question may have: parts that share what stands behind them repeat it,
 * and each is read in full.
 */
const partsLengthMax = 2_000;

/** The questions of an ordinary one, each made whole with those before it; null where it is but one. */
function partsOf(
  { question }: Intent,
  { kind, story, ordered, leading }: Intent,
  history: readonly HistoryMessage[],
  lang: Language,
  settings: CorpusSettings,
): Parts | null {
  if (kind !== 'ordinary' || story !== '' || ordered || leading) return null;
  const { questions, subjects, more } = questionParts(question, lang);
  if (questions.length < 2) return null;
  if (questions.reduce((sum, { length }) => sum + length, 0) > partsLengthMax) return null;
  const before = [...history];
  const parts = questions.map((typed, n) => {
    const { question: whole, focus = subjects?.[n] } = resolveFollowUp(typed, before, lang);
    before.push({ role: 'user', content: typed });
    return { label: typed, question: whole, ...(focus !== undefined && { focus }) };
  });
  const simple = parts.every((part) => readIntent(part.question, settings).kind === 'ordinary');
  return simple ? { parts, subjects: subjects !== null, more } : null;
}

/**
 * The language of a question. One that only names provisions has the language of their units ("24-баптар"), and a
 * word with letters of both scripts is read in one.
 */
function languageOf({ typed, evidence }: Wording, fallback: Language): Language {
  const named = parseReferences(typed);
  let rest = typed;
  for (const { start, end } of named.toReversed()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  const unit = /\p{L}{2}/u.test(rest) ? null : languageOfReferences(typed);
  if (unit) return unit;
  const list = typed.match(/\p{L}+/gu) ?? [];
  const mixed = list.some((word) => [...word].some((letter) => scriptOf(letter) !== scriptOf(word)));
  return detectLanguage(mixed ? words(typed).join(' ') : typed, undefined, fallback, evidence, true);
}

/** A question that nothing but its own words led to, and that asks for no provision by number. */
export function standsAlone(
  { intent, rewritten, more }: UnderstoodQuestion,
  history: readonly HistoryMessage[],
): boolean {
  return (
    history.length === 0 &&
    rewritten === null &&
    !more &&
    !intent.ordered &&
    intent.kind === 'ordinary' &&
    intent.references.length === 0
  );
}
