/** Interprets a question before any look-up. Kinds, look-ups and answers use the result. */
import { type CorpusSettings, type HistoryMessage, type Language, languages } from '../../domain/events.ts';
import { detectLanguage, repairLayout, type Wording } from '../../text/language.ts';
import { scriptOf } from '../../text/languages/index.ts';
import { languageOfReferences, parseReferences } from '../../text/references/parse.ts';
import { words } from '../../text/words.ts';
import { languageAskedFor, resolveFollowUp } from './follow-up.ts';
import { questionParts } from './question-parts.ts';
import { type ReadQuestion, readQuestion, withoutGreeting } from './reading.ts';

export type { AskedReference } from './reading.ts';

export interface Question extends ReadQuestion {
  lang: Language;
  /** The question completed from the history; null if it was self-contained. */
  rewritten: string | null;
  /** The question asks for more on the previous answer. */
  more: boolean;
  /** What the dialogue adds to the question. */
  thread: Thread;
  /** The questions in the message; null for a single one. */
  parts: Parts | null;
}

/** What a dialogue adds to its last question. */
export interface Thread {
  /** The question was completed from the dialogue. */
  leans: boolean;
  /** The new subject, which the answer must be about; null for none. */
  focus: string | null;
  /** The beginning of the last answer, where to look first; '' for none. */
  context: string;
  /** The language of the question, if an answer in another one was requested; otherwise null. */
  from: Language | null;
}

/** Several questions in one. */
export interface Parts {
  /** `label`: the question as asked, `question`: completed. */
  parts: readonly { label: string; question: string; focus?: string }[];
  /** They are one question about several subjects, which a single passage may answer. */
  subjects: boolean;
  /** It asks more than these. */
  more: boolean;
}

const noThread: Thread = { leans: false, focus: null, context: '', from: null };

/** Number of UTF-16 units of an earlier answer that are used to complete a question. */
const unitsLeantOn = 2_000;

/**
 * Interprets a question and completes a follow-up from the history (see conversation.ts). `wording`: evidence from the
 * corpus's vocabulary; default: only the words themselves.
 */
export function understand(
  query: string,
  history: readonly HistoryMessage[],
  settings: CorpusSettings,
  wording: Wording = { typed: repairLayout(query), evidence: {} },
): Question {
  const { typed } = wording;
  const recent = history.map(({ role, content }) => ({ role, content: content.slice(0, unitsLeantOn) }));
  const before = recent.findLast(({ role }) => role === 'user');
  const [first = languages[0]] = settings.languages;
  const fallback = before ? detectLanguage(before.content, undefined, first) : first;
  const ownLanguage = languageOf(wording, fallback);
  const alone = readQuestion(typed, settings);
  const none = { rewritten: null, more: false, thread: noThread, parts: null };
  // A request to repeat an answer in another language is not an unsupported task.
  const repeats = before !== undefined && languageAskedFor(typed) !== null;
  if (alone.talk && !repeats) return { ...alone, ...none, lang: ownLanguage };
  // Courtesies between questions are not a subject.
  const asked = recent.filter(
    ({ role, content }) => role !== 'user' || readQuestion(content, settings).talk === null,
  );
  const resolved = resolveFollowUp(withoutGreeting(typed), asked, ownLanguage);
  const { inLanguage, question, rewritten, more, focus = null, context = '' } = resolved;
  const lang = inLanguage ?? ownLanguage;
  const from = inLanguage === undefined ? null : detectLanguage(question, undefined, first);
  const thread = { focus, context, from, leans: rewritten };
  const whole = rewritten ? readQuestion(question, settings) : alone;
  const parts = more ? null : partsOf(alone, whole, asked, lang, settings);
  return { ...whole, lang, rewritten: rewritten ? question : null, more, thread, parts };
}

/** Whether a question asks neither for a provision by number nor for a text other than the one in force. */
export const isPlain = ({ talk, references, editions }: ReadQuestion): boolean =>
  talk === null && references.length === 0 && !editions.compared && !editions.past && !editions.pastByTense;

/**
 * Maximum total length of all parts, the same as for a question, because each part repeats the shared text and is read
 * in full.
 */
const partsLengthMax = 2_000;

/** The questions in a plain message, each completed from those before it; null if there is only one. */
function partsOf(
  { text }: ReadQuestion,
  whole: ReadQuestion,
  history: readonly HistoryMessage[],
  lang: Language,
  settings: CorpusSettings,
): Parts | null {
  if (!isPlain(whole) || whole.story !== '' || whole.ordered || whole.leading) return null;
  const { questions, subjects, more } = questionParts(text, lang);
  if (questions.length < 2) return null;
  if (questions.reduce((sum, { length }) => sum + length, 0) > partsLengthMax) return null;
  const before = [...history];
  const parts = questions.map((typed, n) => {
    const { question, focus = subjects?.[n] } = resolveFollowUp(typed, before, lang);
    before.push({ role: 'user', content: typed });
    return { label: typed, question, ...(focus !== undefined && { focus }) };
  });
  const arePlain = parts.every((part) => isPlain(readQuestion(part.question, settings)));
  return arePlain ? { parts, subjects: subjects !== null, more } : null;
}

/**
 * The language of a question. If it only names provisions, the language of their units ("24-баптар"). A word with
 * letters of both scripts is converted to one.
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

/** Whether it is a plain question that depends on no context. */
export const standsAlone = (question: Question, history: readonly HistoryMessage[]): boolean =>
  history.length === 0 &&
  question.rewritten === null &&
  !question.more &&
  !question.ordered &&
  isPlain(question);
