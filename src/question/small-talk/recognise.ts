/**
 * Detects messages that are not questions about the documents: greetings, thanks, farewells, insults, unsupported tasks
 * and questions about the assistant.
 */
import {
  anyOf,
  formsOf,
  isSo,
  languages,
  letter,
  longestFirst,
  ownWords,
  phrasesOf,
  phrasesOfAll,
  type QuestionRow,
  rowsOfAll,
  tableOfAll,
  WordTable,
  wholeWords,
} from '../../language/index.ts';
import { contentWords, foldText, isStopWord, words } from '../../text/words.ts';
import { isSum } from './arithmetic.ts';

const own = ownWords(import.meta.url);

export type SmallTalk = 'greeting' | 'farewell' | 'thanks' | 'insult';

/** A message that is not answered from documents. `meta`: a question about the assistant. */
export type Talk = SmallTalk | 'task' | 'meta';

/** Maximum length of small talk, in UTF-16 units. */
const shortMax = 80;

const atStart = (phrases: readonly string[]) =>
  new RegExp(`^${anyOf(...longestFirst(phrases))}(?![\\p{L}\\p{N}])`, 'u');
const polite = [
  ['farewell', atStart(own.phrasesOfAll('farewells'))],
  ['thanks', atStart(own.phrasesOfAll('thanks'))],
  ['greeting', atStart(own.phrasesOfAll('greetings'))],
  ['heard', atStart(own.phrasesOfAll('heard'))],
] as const;
type Polite = (typeof polite)[number][0];
const around = atStart(own.phrasesOfAll('around'));
const signs = /^[^\p{L}\p{N}]+/u;

interface Read {
  kinds: Set<Polite>;
  /** Length of the small talk in UTF-16 units, including the punctuation after it. */
  length: number;
}

/** Reads small talk at the beginning of folded text. */
function readPolite(low: string, only: readonly Polite[] = polite.map(([kind]) => kind)): Read {
  const kinds = new Set<Polite>();
  let at = signs.exec(low)?.[0].length ?? 0;
  let length = 0;
  while (at < low.length) {
    const rest = low.slice(at);
    let best: readonly [Polite | null, number] = [null, around.exec(rest)?.[0].length ?? 0];
    for (const [kind, phrase] of polite) {
      const found = only.includes(kind) ? (phrase.exec(rest)?.[0].length ?? 0) : 0;
      if (found > 0 && found >= best[1]) best = [kind, found];
    }
    const [kind, found] = best;
    if (found === 0 || (kind === null && kinds.size === 0 && only.length < polite.length)) break;
    if (kind) kinds.add(kind);
    at += found;
    at += signs.exec(low.slice(at))?.[0].length ?? 0;
    if (kinds.size > 0) length = at;
  }
  return { kinds, length };
}

/** Returns the kind of small talk if the message consists only of small talk; otherwise null. */
export function smallTalk(text: string): SmallTalk | null {
  const low = foldText(text).trim();
  if (low.length <= shortMax) {
    const { kinds, length } = readPolite(low);
    if (kinds.size > 0 && length >= low.length) {
      if (kinds.has('farewell')) return 'farewell';
      return kinds.has('thanks') || !kinds.has('greeting') ? 'thanks' : 'greeting';
    }
    if (isInsult(low)) return 'insult';
  }
  return null;
}

/**
 * Removes a greeting or thanks at the beginning of a question. A message that consists of nothing else is unchanged.
 * `thanked`: whether the message began with thanks.
 */
export function withoutPoliteness(text: string): { left: string; thanked: boolean } {
  const given = text.trim();
  const { kinds, length } = readPolite(foldText(given.slice(0, shortMax)), ['greeting', 'thanks']);
  const left = given.slice(length).trim();
  if (length === 0 || words(left).length === 0) return { left: given, thanked: false };
  return { left, thanked: kinds.has('thanks') };
}

const insults = own.tableOfAll('insults');
const complaints = own.tableOfAll('complaints');

/** Whether a message contains a clause that is only an insult, and no question. */
function isInsult(low: string): boolean {
  const clauses = low.split(/[,.!;:\n–—]+/u).filter((clause) => words(clause).length > 0);
  const only = clauses.filter((clause) => {
    const list = contentWords(clause);
    return (
      list.some((word) => insults.has(word)) &&
      list.every((word) => insults.has(word) || complaints.has(word))
    );
  });
  if (only.length === 0) return false;
  return clauses.every((clause) => only.includes(clause) || !asks(clause));
}

/** The question words of all languages. */
const asking = new Set(rowsOfAll<QuestionRow>('questionWords.kinds').flatMap(([, , list]) => formsOf(list)));
const asks = (clause: string) =>
  clause.includes('?') || /\d/.test(clause) || words(clause).some((word) => asking.has(word));

const tasks = languages.map((language) => ({
  last: isSo(language, 'grammar.subjectFirst'),
  pairs: own
    .rowsOf<readonly [verbs: string, objects: string]>(language, 'tasks')
    .map(([verbs, objects]) => ({
      verbs: new WordTable<true>().add(verbs, true),
      objects: new WordTable<true>().add(objects, true),
    })),
}));
/** In languages that put the object first, the verb of a task comes last; in others, a task begins with the verb. */
const taskOrders = (verbLast: boolean) =>
  languages
    .filter((language) => isSo(language, 'grammar.subjectFirst') === verbLast)
    .flatMap((language) => phrasesOf(own.textOf(language, 'taskOrders')));
const taskFirst = atStart(taskOrders(false));
const taskLast = new RegExp(`(?<!${letter})${anyOf(...taskOrders(true))}[\\s?!.]*$`, 'u');
const please = wholeWords(phrasesOfAll('courtesy.please'), 'g');
const firstPerson = own.wordsOfAll('firstPerson');
/** Maximum number of words before the verb of a task ("can you") and between the verb and its object. */
const orderSpan = { before: 3, behind: 5 };

const now = tableOfAll('calendar.now');
const moment = wholeWords(longestFirst(own.phrasesOfAll('moment')));
/** Maximum number of words that name a place in a question about the time or weather. */
const placeWords = 2;

/**
 * Whether the question asks for the current time, date or weather, such as "what time is it in Astana", but not "what
 * time is it allowed".
 */
function asksMoment(low: string): boolean {
  const found = moment.exec(low);
  if (!found) return false;
  const behind = words(low.slice(found.index + found[0].length)).filter((word) => !now.has(word));
  const around = [...words(low.slice(0, found.index)).filter((word) => !now.has(word)), ...behind];
  return (
    contentWords(around.join(' ')).length <= placeWords && (behind.length === 0 || isStopWord(behind[0]!))
  );
}

/** Whether a message is a task ("write a poem"), arithmetic, or a question about the current time, date or weather. */
export function isTask(text: string): boolean {
  const low = foldText(text).replace(please, ' ').trim();
  if (taskFirst.test(low) || taskLast.test(low) || isSum(low) || asksMoment(low)) return true;
  const list = words(low);
  return tasks.some(({ last, pairs }) =>
    pairs.some(({ verbs, objects }) => {
      if (last) {
        const end = list.slice(-orderSpan.behind);
        return end.slice(-2).some((word) => verbs.has(word)) && end.some((word) => objects.has(word));
      }
      const at = list.slice(0, orderSpan.before).findIndex((word) => verbs.has(word));
      const before = list.slice(0, Math.max(0, at));
      return (
        at >= 0 &&
        before.every((word) => isStopWord(word) && !asking.has(word) && !firstPerson.has(word)) &&
        list.slice(at + 1, at + 1 + orderSpan.behind).some((word) => objects.has(word))
      );
    }),
  );
}

const self = {
  opens: atStart(own.phrasesOfAll('self.opens')),
  closes: new RegExp(`(?<!${letter})${anyOf(...own.phrasesOfAll('self.closes'))}[\\s?!.]*$`, 'u'),
  anywhere: wholeWords(own.phrasesOfAll('self.anywhere')),
};
/** Matches phrases like "what can you say about …", which are not about the assistant. */
const aboutOther = new RegExp(`${anyOf(...own.phrasesOfAll('aboutOther'))}(?=.*\\p{L}{4})`, 'u');

/** Whether a question is about the assistant. */
export function isAboutAssistant(low: string): boolean {
  return (self.opens.test(low) || self.closes.test(low) || self.anywhere.test(low)) && !aboutOther.test(low);
}
