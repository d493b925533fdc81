/** Interprets a question before any lookup. The result is used by kinds, lookups and answers. */
import {
  type CorpusSettings,
  type HistoryMessage,
  type Language,
  languages,
  questionMax,
} from '../domain/events.ts';
import { scriptOf } from '../language/index.ts';
import { detectLanguage, isLanguageCertain, repairLayout, type Wording } from '../text/language.ts';
import { languageOfReferences, parseReferences } from '../text/references/parse.ts';
import { words } from '../text/words.ts';
import { languageAskedFor, resolveFollowUp } from './follow-up.ts';
import { questionParts } from './question-parts.ts';
import { type ReadQuestion, readQuestion, withoutGreeting } from './read-question.ts';

export type { AskedReference } from './read-question.ts';

export interface Question extends ReadQuestion {
  lang: Language;
  /** The question as completed from the history; null if it was self-contained. */
  rewritten: string | null;
  /** Whether the question asks for more of the previous answer. */
  more: boolean;
  dialogue: Dialogue;
  /** The questions in the message; null if there is only one. */
  parts: Parts | null;
}

/** What the dialogue adds to a question. */
export interface Dialogue {
  /** Whether the question was completed from the dialogue. */
  leans: boolean;
  /** The new subject, which the answer must be about; null if there is none. */
  focus: string | null;
  /** The beginning of the last answer, as context for lookups; '' if there is none. */
  context: string;
  /** The language of the question, if an answer in another language was requested; null otherwise. */
  from: Language | null;
}

/** Several questions in one message. */
export interface Parts {
  /** `label`: the question as asked; `question`: the completed question. */
  parts: readonly { label: string; question: string; focus?: string }[];
  /** Whether the message contains more questions than these. */
  more: boolean;
}

const noDialogue: Dialogue = { leans: false, focus: null, context: '', from: null };

/** How much of each earlier turn is used to complete a question, in UTF-16 units. */
const unitsLeantOn = 2_000;

/**
 * Interprets a question, and completes a follow-up from the history (see conversation.ts). `wording`: evidence from the
 * vocabulary of the corpus; by default, only the words themselves are used.
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
  const none = { rewritten: null, more: false, dialogue: noDialogue, parts: null };
  // A request to repeat the answer in another language is not an unsupported task.
  const repeats = before !== undefined && languageAskedFor(typed) !== null;
  if (alone.talk && !repeats) return { ...alone, ...none, lang: ownLanguage };
  // Small talk between questions is ignored.
  const asked = recent.filter(
    ({ role, content }) => role !== 'user' || readQuestion(content, settings).talk === null,
  );
  const resolved = resolveFollowUp(withoutGreeting(typed), asked, ownLanguage);
  const { inLanguage, question, rewritten, more, focus = null, context = '' } = resolved;
  const lang = inLanguage ?? ownLanguage;
  const from = inLanguage === undefined ? null : detectLanguage(question, undefined, first);
  const dialogue = { focus, context, from, leans: rewritten };
  const whole = rewritten ? readQuestion(question, settings) : alone;
  const parts = more ? null : partsOf(alone, whole, asked, lang, settings);
  return { ...whole, lang, rewritten: rewritten ? question : null, more, dialogue, parts };
}

/**
 * Whether a question is ordinary: no small talk, no provision by number, no former text and no comparison of editions.
 */
export const isPlain = ({ talk, references, editions }: ReadQuestion): boolean =>
  talk === null && references.length === 0 && !editions.compared && !editions.past && !editions.pastByTense;

/** The questions in an ordinary message, each completed from those before it; null if there is only one. */
function partsOf(
  { text }: ReadQuestion,
  whole: ReadQuestion,
  history: readonly HistoryMessage[],
  lang: Language,
  settings: CorpusSettings,
): Parts | null {
  if (!isPlain(whole) || whole.story !== '' || whole.ordered || whole.asksJudgement) return null;
  const { questions, more } = questionParts(text, lang);
  if (questions.length < 2) return null;
  // Without this limit, text shared by all parts would multiply the work.
  if (questions.reduce((sum, { length }) => sum + length, 0) > questionMax) return null;
  const before = [...history];
  const parts = questions.map((typed) => {
    const { question, focus } = resolveFollowUp(typed, before, lang);
    before.push({ role: 'user', content: typed });
    return { label: typed, question, ...(focus !== undefined && { focus }) };
  });
  const arePlain = parts.every((part) => isPlain(readQuestion(part.question, settings)));
  return arePlain ? { parts, more } : null;
}

/**
 * The language of a question. If it only names provisions, this is the language of their units ("24-баптар"). Words
 * that mix scripts are converted to one script first.
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

/** Whether this is an ordinary question that does not depend on context. */
export const standsAlone = (question: Question, history: readonly HistoryMessage[]): boolean =>
  history.length === 0 &&
  question.rewritten === null &&
  !question.more &&
  !question.ordered &&
  isPlain(question);

/** A message as typed, the dialogue before it, and the settings of its corpus. */
export interface TypedQuestion {
  query: string;
  history: readonly HistoryMessage[];
  settings: CorpusSettings;
}

/**
 * Interprets a question in a worker thread, with evidence from the vocabulary of its corpus.
 *
 * `wording`: finds evidence in the documents for the keyboard layout and language of a text. It is called only if the
 * words of the question are not sufficient. If there are no documents or they cannot be read, only the words are used.
 */
export async function understandInCorpus(
  { query, history, settings }: TypedQuestion,
  wording: (text: string) => Promise<Wording | null>,
): Promise<Question> {
  const isCertain = isLanguageCertain(query) && repairLayout(query) === query;
  const evidence = isCertain ? null : await wording(query).catch(() => null);
  return understand(query, history, settings, evidence ?? undefined);
}
