/**
 * Follow-up questions: "а раньше?", "подробнее", "and the second one?", "for how long?", "оны кім тағайындайды?". They
 * are completed from the last exchange before any look-up, without a model.
 *
 * A follow-up lacks a subject, or the referent of a pronoun. It is taken from the last question or, if that finds
 * nothing, from the subject of the answer. A short question that lacks nothing is unchanged; the dialogue only
 * determines where to look first.
 */

import type { HistoryMessage, Language } from '../../domain/events.ts';
import { detectLanguage } from '../../text/language.ts';
import {
  anyOf,
  endingIn,
  formsOf,
  isSo,
  joined,
  languages,
  letter,
  type NumberRow,
  ofEach,
  phrasesOf,
  phrasesOfAll,
  type QuestionKind,
  type QuestionRow,
  type Role,
  rowsOf,
  rowsOfAll,
  setOf,
  tableOfAll,
  textOf,
  wholeWords,
  wordsOfAll,
} from '../../text/languages/index.ts';
import { saysHowMany } from '../../text/number-words.ts';
import { parseReferences, type Reference } from '../../text/references/parse.ts';
import { splitSentences } from '../../text/sentences.ts';
import { withoutEnd } from '../../text/trimming.ts';
import { whenAsked } from '../../text/when-asked.ts';
import { foldText, foldWord, isStopWord, stem, words } from '../../text/words.ts';
import { phrases } from '../writing/phrases.ts';
import { namesNoSubject, past } from './editions.ts';

export interface Resolved {
  /** The completed question; unchanged if it is self-contained. */
  question: string;
  /** True when the history was used. */
  rewritten: boolean;
  /** The language for the answer to the last question, regardless of the language of that question. */
  inLanguage?: Language;
  /** The follow-up asks for more on the same answer: sentences already given are omitted. */
  more: boolean;
  /** What replaced the old subject. The answer must be about it. */
  focus?: string;
  /** Alternative completions, if the first finds nothing. */
  otherwise?: string[];
  /** The subject of the last answer, in its words: where to look first. */
  context?: string;
}

const longestFirst = (list: string[]) => list.sort((a, b) => b.length - a.length);
const supposes = phrasesOfAll('dialogue.supposes');
const opening = new RegExp(
  `^${anyOf(...longestFirst([...phrasesOfAll('dialogue.opens'), ...supposes]))}(?!${letter})[\\s,]*`,
  'u',
);
const supposing = new RegExp(`^${anyOf(...supposes)}(?!${letter})`, 'u');
const closing = new RegExp(`\\s${anyOf(...formsOf(joined('dialogue.closes')))}(?=[\\s?!.]*$)`, 'u');
const more = new RegExp(`^${anyOf(...phrasesOfAll('dialogue.more'))}$`, 'u');
const aboutIt = new RegExp(
  wholeWords(longestFirst([...phrasesOfAll('dialogue.about'), ...phrasesOfAll('courtesy.please')])),
  'gu',
);
const inLanguage = languages.map(
  (language) =>
    [language, wholeWords(longestFirst(phrasesOf(textOf(language, 'dialogue.inLanguage'))), 'g')] as const,
);
const again = wordsOfAll('dialogue.again');
const pointing = wordsOfAll('dialogue.pointing');
const expletive = wholeWords(phrasesOfAll('dialogue.expletives'));
const standIns = wordsOfAll('dialogue.standIns');
const ownedNouns = tableOfAll('dialogue.owned', 'provisions.countedUnits', 'calendar.years');
const contentFree = wordsOfAll(
  'stopWords.lowWeight',
  'stopWords.reporting',
  'stopWords.linking',
  'stopWords.existence',
);
const articles = wordsOfAll('grammar.articles');
const ofWords = wordsOfAll('provisions.of');
const conjunctions = wordsOfAll('grammar.conjunctions');
const caseWords = wordsOfAll('dialogue.cases');
const next = tableOfAll('dialogue.next');
const previous = tableOfAll('dialogue.previous');
const besideArticle = tableOfAll('dialogue.besideArticle');
const last = tableOfAll('dialogue.last');
const ordinals = [1, 2, 3, 4].map((value) => {
  const forms = rowsOfAll<NumberRow>('numbers.words').filter(([one]) => Number(one) === value);
  return [new Set(forms.flatMap(([, , ordinal]) => formsOf(ordinal))), value] as const;
});
const year = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/g;

/** Question words of a language. */
const asking = ofEach((language) => {
  const rows = ['questionWords.kinds', 'questionWords.inOwnTexts'].flatMap((name) =>
    rowsOf<QuestionRow>(language, name),
  );
  return new Set(
    [...rows.map(([, , list]) => list), textOf(language, 'questionWords.whether')].flatMap(formsOf),
  );
});
/** The question words of a language for certain kinds or roles. */
const askingFor = (language: Language, isMeant: (kind: QuestionKind, role: Role) => boolean) =>
  new Set(
    rowsOf<QuestionRow>(language, 'questionWords.kinds').flatMap(([kind, role, list]) =>
      isMeant(kind, role) ? formsOf(list) : [],
    ),
  );
/** Whether a word is a question word, in any form: "қаншада" of "қанша". */
const isAsking = (word: string, language: Language) =>
  asking[language].has(word) || asking[language].has(stem(word));
/** Words that ask which one, so that the answer is a name. */
const namesAsked = ofEach((language) => askingFor(language, (kind) => kind === 'which'));
/** Words that ask for a person. */
const persons = ofEach((language) => askingFor(language, (kind) => kind === 'who' || kind === 'whose'));
const actors = ofEach((language) =>
  askingFor(language, (kind, role) => kind === 'who' && role === 'nominative'),
);
const doSupport = ofEach((language) => setOf(textOf(language, 'grammar.doSupport')));
/** Endings of verbs whose subject is the topic. */
const verbs = ofEach((language) => {
  const names = ['morphology.finite', 'morphology.reflexive', 'morphology.past', 'morphology.present'];
  return endingIn(names.map((name) => textOf(language, name)).join(' '), 2);
});
const subjectFirst = ofEach((language) => isSo(language, 'grammar.subjectFirst'));
const fixedWordOrder = ofEach((language) => isSo(language, 'grammar.fixedWordOrder'));

const content = (text: string) => words(text).filter((word) => !isStopWord(word));

/** Content words that can be a subject: no measures, no relational nouns, no framing words. */
const subjects = (list: readonly string[]) =>
  list.filter(
    (word) =>
      !isStopWord(word) &&
      !contentFree.has(word) &&
      !ownedNouns.has(word) &&
      !standIns.has(word) &&
      !pointing.has(word),
  );

/** Maximum number of a question's own words for completing it from the dialogue. */
const shortest = { leans: 5, helped: 4, exchanged: 2 };

/** Completes a question of a language from the turns before it (oldest first). */
export function resolveFollowUp(
  question: string,
  history: readonly HistoryMessage[],
  lang: Language = detectLanguage(question),
): Resolved {
  const alone = { question, rewritten: false, more: false };
  const at = history.findLastIndex((turn) => turn.role === 'user' && content(turn.content).length > 0);
  if (at < 0) return alone;
  const before = resolveFollowUp(history[at]!.content, history.slice(0, at)).question;
  const said = history.slice(at + 1).findLast((turn) => turn.role === 'assistant')?.content ?? '';
  const low = foldText(question).trim();
  const wanted = languageAskedFor(question);
  if (wanted !== null) return { question: before, rewritten: true, more: false, inLanguage: wanted };
  if (wantsMore(low)) return { question: before, rewritten: true, more: true };

  const rewritten = (whole: string): Resolved => ({ question: whole, rewritten: true, more: false });
  const references = parseReferences(question);
  if (references.length > 0 || namesNoSubject(question)) {
    const whole = references.length > 0 ? ofProvisions(question, references, before, said) : null;
    if (whole !== null) return rewritten(whole);
    return references.length > 0 || !namesNoSubject(question)
      ? alone
      : rewritten(`${ended(before)} ${bare(question)}`);
  }

  const list = words(low.replace(opening, ''));
  const own = subjects(list).filter((word) => !isAsking(word, lang));
  const opened = opening.test(low) || closing.test(low);
  const asks = list.some((word) => isAsking(word, lang));
  const context = spokenOf(said);
  const leaning = (whole: string, ...otherwise: string[]): Resolved => ({
    ...rewritten(whole),
    ...(otherwise.length > 0 && { otherwise }),
    ...(context !== '' && { context }),
  });

  const numbered = byNumber(question, list, before, said);
  if (numbered !== null) return rewritten(numbered);
  const years = question.match(year);
  if (years && content(low.replace(opening, '')).length === years.length)
    return rewritten(`${ended(before.replace(year, '')).replace(/\s\p{Ll}{1,3}$/iu, '')} ${bare(question)}`);

  const answerSubject = subjectOfAnswer(said);
  const ofAnswer = answerSubject === '' ? [] : [`${bare(question)} ${answerSubject}`];
  if (points(question, low, own.length)) {
    const ofAsked = `${bare(question)} ${subjectOf(before)}`;
    const candidates = asksForName(before) ? [...ofAnswer, ofAsked] : [ofAsked, ...ofAnswer];
    return {
      ...leaning(candidates[0]!, ...candidates.slice(1)),
      ...(own.length > 0 && { focus: own.join(' ') }),
    };
  }
  if (own.length === 0 || (own.length === 1 && isPhrase(list, own[0]!, lang)))
    return asks
      ? leaning(`${bare(question)} ${topicOf(before)}`, ...ofAnswer)
      : leaning(`${ended(before)} ${bare(question)}`);
  if (past.test(low) && own.length <= shortest.exchanged && !asks)
    return rewritten(`${ended(before)} ${bare(question)}`);
  if (!asks && supposing.test(low) && own.length <= shortest.helped)
    return leaning(`${ended(before)} ${bare(question)}`);
  if (!asks && own.length <= shortest.helped && (opened || caseWords.has(list[0] ?? '')))
    return own.length <= shortest.exchanged
      ? { ...rewritten(exchange(before, bare(question))), focus: bare(question) }
      : leaning(`${ended(before)} ${bare(question)}`);
  return own.length <= shortest.helped && context !== '' ? { ...alone, context } : alone;
}

/**
 * The language in which an answer is requested, if the message asks for nothing else: "in Russian, please"; null: none.
 */
export function languageAskedFor(question: string): Language | null {
  const low = foldText(question).replace(aboutIt, ' ');
  for (const [language, phrases] of inLanguage) {
    const left = low.replace(phrases, ' ');
    if (left !== low && words(left).every((word) => again.has(word))) return language;
  }
  return null;
}

/** Whether a question asks which one. The name in the answer then becomes the subject. */
function asksForName(question: string): boolean {
  const language = detectLanguage(question);
  const list = words(question);
  const at = list.findIndex((word) => namesAsked[language].has(word));
  return at >= 0 && subjects(list.slice(at + 1, at + 2)).length > 0;
}

function wantsMore(low: string): boolean {
  const given = withoutEnd(low, /[\s?.!]/);
  const plain = given
    .replace(aboutIt, ' ')
    .replace(/[\s,]+/g, ' ')
    .trim();
  return more.test(given) || more.test(plain);
}

/**
 * Whether it is a preposition, a question word, and one more word: "In which cities", "к какому сроку". "У кого ключ"
 * is not such a phrase: it asks about the last word.
 */
function isPhrase(
  [first = '', second = '', ...rest]: readonly string[],
  own: string,
  lang: Language,
): boolean {
  return caseWords.has(first) && isAsking(second, lang) && !persons[lang].has(second) && rest.at(-1) === own;
}

/** Whether a pronoun of a short question has no referent before it in the question. */
function points(question: string, low: string, own: number): boolean {
  if (own > shortest.leans || expletive.test(low)) return false;
  const list = words(low.replace(opening, ''));
  const at = list.findIndex((word) => pointing.has(word));
  if (at < 0) return false;
  const pronoun = question.toLowerCase().indexOf(list[at]!);
  const named = /\s\p{Lu}/u.test(question.slice(0, Math.max(0, pronoun)).replace(/^\P{L}*\p{L}+/u, ''));
  return !named && subjects(list.slice(0, at)).length < 2;
}

const isPart = (reference: Reference) =>
  reference.of === null && ['point', 'subpoint', 'indent', 'part', 'paragraph'].includes(reference.unit);

/**
 * Completes a question that names provisions: a point of the last article, or the same question about another
 * provision; null: unchanged.
 */
function ofProvisions(
  question: string,
  references: readonly Reference[],
  before: string,
  said: string,
): string | null {
  const asked = parseReferences(before);
  const whole = asked.at(-1) ?? parseReferences(said)[0];
  if (references.every(isPart) && whole) return within(bare(question), whole.of ?? whole, question);
  if (references.some(isPart)) return null;
  const low = foldText(question).trim();
  if (!(opening.test(low) || closing.test(low)) || content(low.replace(opening, '')).length > 3) return null;
  // "а статья 7?": the same question about another provision.
  const old = asked[0];
  return old ? before.slice(0, old.start) + bare(question) + before.slice(old.end) : bare(question);
}

/** Selects among the provisions named: "а 7?", "следующая", "the second one"; null for other questions. */
function byNumber(question: string, list: readonly string[], before: string, said: string): string | null {
  const asked = parseReferences(before);
  const terms = list.filter((word) => !isStopWord(word));
  if (terms.length > 2) return null;
  const [term = ''] = terms;
  if (terms.length === 1 && /^\d{1,3}$/.test(term) && asked[0])
    return before.slice(0, asked[0].start) + nameOf(term, before) + before.slice(asked[0].end);
  const has = (table: { has(word: string): boolean }) => list.find((word) => table.has(word));
  const forward = has(next);
  const step = forward ?? has(previous);
  const from = asked.at(-1);
  if (step !== undefined && from) {
    // "следующий" after a point is the next point, "следующая" the next article.
    const inside = from.of !== null && !besideArticle.has(step);
    const start = Number(inside ? from.number.split('.').at(-1) : (from.of ?? from).number);
    const number = start + (forward === undefined ? -1 : 1);
    if (Number.isInteger(number))
      return inside ? within(pointOf(number, before), from.of!, before) : nameOf(String(number), before);
  }
  const nth = has(last) === undefined ? ordinals.find(([forms]) => has(forms) !== undefined)?.[1] : -1;
  return nth === undefined ? null : pick(asked, said, nth, question);
}

/** The words of a follow-up without its opening. */
function bare(question: string): string {
  const trimmed = question.trim();
  const start = opening.exec(trimmed.toLowerCase())?.[0].length ?? 0;
  const left = trimmed.slice(start);
  const end = closing.exec(left.toLowerCase())?.index ?? left.length;
  return withoutEnd(left.slice(0, end), /[?!.\s]/);
}

const ended = (text: string) => withoutEnd(text.replace(/\s+/g, ' '), /[?!.,\s]/).trim();

interface Word {
  text: string;
  start: number;
  end: number;
}

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/(?:[\p{L}\p{N}-]|\u0301)+/gu)].map((found) => ({
    text: foldWord(found[0]),
    start: found.index,
    end: found.index + found[0].length,
  }));

/** The topic of a question: without its question words and the nouns asked for. */
function topicOf(question: string): string {
  const whole = ended(question);
  const language = detectLanguage(whole);
  return left(whole, asked(wordsIn(whole), language));
}

/** As `topicOf`, without the predicate: "омбудсмана" in "Кто избирает омбудсмана?". */
function subjectOf(question: string): string {
  const whole = ended(question);
  const language = detectLanguage(whole);
  const list = wordsIn(whole);
  const gone = asked(list, language);
  const kept = list.filter((word) => !gone.has(word) && !isStopWord(word.text));
  // In languages with the topic first the verb is last; otherwise it follows the question word.
  const verb = subjectFirst[language] ? kept.at(-1) : kept[0];
  const behind = verb && list.slice(0, list.indexOf(verb)).some((word) => isAsking(word.text, language));
  if (verb && kept.length > 1 && (behind || subjectFirst[language]) && isVerb(verb, list, language))
    gone.add(verb);
  // "Where does the court sit": after a question word and "does" the verb follows its subject.
  const does = list.findIndex(
    ({ text }, n) => doSupport[language].has(text) && isAsking(list[n - 1]?.text ?? '', language),
  );
  const behindDoes = does < 0 ? [] : kept.filter((word) => list.indexOf(word) > does);
  if (behindDoes.length > 1) gone.add(behindDoes.at(-1)!);
  return left(whole, gone);
}

/** By its ending, or by its position in languages with a fixed order: "who elects". */
function isVerb(verb: Word, list: readonly Word[], language: Language): boolean {
  const before = list[list.indexOf(verb) - 1]?.text ?? '';
  return fixedWordOrder[language] ? actors[language].has(before) : verbs[language].test(verb.text);
}

/** The question words of a question with their prepositions, and the nouns that only state what is asked for. */
function asked(list: readonly Word[], language: Language): Set<Word> {
  const gone = new Set<Word>();
  for (const [n, word] of list.entries()) {
    const asks = isAsking(word.text, language);
    if (asks || contentFree.has(word.text) || ownedNouns.has(word.text)) gone.add(word);
    const before = list[n - 1];
    if (asks && before && caseWords.has(before.text)) gone.add(before);
  }
  return gone;
}

/** A text without some of its words; the whole text if nothing would remain. */
function left(text: string, gone: ReadonlySet<Word>): string {
  let made = text;
  for (const { start, end } of [...gone].sort((a, b) => b.start - a.start))
    made = `${made.slice(0, start)} ${made.slice(end)}`;
  const tidy = made
    .replace(/\s+/g, ' ')
    .replace(/^[\s,–—-]+/u, '')
    .trim();
  return content(tidy).length > 0 ? tidy : text;
}

/** How much of an answer determines where to look first: UTF-16 units of its first sentences, and of the last label. */
const spokenMax = 300;

/** The label after the first quotation of an answer, without brackets. */
const labelOf = (said: string) => /\(([^()\n]{8,300})\)\s*(?:\n|$)/u.exec(said)?.[1] ?? '';

/** The subject of an answer: its first sentences and the address after them. */
function spokenOf(said: string): string {
  const label = labelOf(said);
  const text = said.replace(`(${label})`, ' ');
  let end = 0;
  for (const one of splitSentences(text)) {
    if (one.end > spokenMax) break;
    end = one.end;
  }
  const spoken = [text.slice(0, end || spokenMax), label].join(' ').replace(/\s+/g, ' ').trim();
  return content(spoken).length > 0 ? spoken : '';
}

/** Maximum number of words in the subject of a sentence. */
const subjectMax = 4;

/**
 * The subject of an answer: the beginning of its first sentence up to the verb or preposition; otherwise the heading of
 * the provision it names, or its names; '' if there is none.
 */
function subjectOfAnswer(said: string): string {
  const first = splitSentences(said)[0];
  const sentence = first ? said.slice(first.start, first.end) : '';
  const subject = leadOf(sentence);
  if (subject !== '') return subject;
  const label = labelOf(said) || (said.split('\n')[0] ?? '').slice(0, spokenMax);
  const [reference] = parseReferences(label);
  if (reference) {
    const heading = /^[\s.:]*(\p{L}[^,]*)/u.exec(label.slice(reference.end))?.[1];
    if (heading) return heading.trim();
  }
  return [...sentence.matchAll(/\p{Lu}\p{L}+(?: (?:\p{Lu}\p{L}+|of|the))*/gu)]
    .map(([name]) => name)
    .filter((name) => content(name).length > 0)
    .slice(0, 2)
    .join(' ');
}

/**
 * The first words of a sentence without an article, up to a stop word, a number or a verb; '' if none of these follows.
 */
function leadOf(sentence: string): string {
  const language = detectLanguage(sentence);
  const list = wordsIn(sentence);
  const begin = articles.has(list[0]?.text ?? '') ? 1 : 0;
  const end = list.findIndex(
    ({ text }, n) =>
      n >= begin && (isStopWord(text) || saysHowMany(text, language) || verbs[language].test(text)),
  );
  const lead = list.slice(begin, Math.max(begin, end));
  const isName =
    lead.length > 0 && lead.length <= subjectMax && subjects(lead.map(({ text }) => text)).length > 0;
  return isName ? sentence.slice(lead[0]!.start, lead.at(-1)!.end) : '';
}

/** The fixed phrases in the language of a text. */
const phrasesLike = (text: string) => phrases[detectLanguage(text)];
const nameOf = (number: string, like: string) => phrasesLike(like).article(number);
const pointOf = (number: number, like: string) => phrasesLike(like).point(number);
const within = (part: string, article: { number: string }, like: string) =>
  phrasesLike(like).partOf(part, article.number);

/**
 * Replaces the old subject: "а в Сенате?" after "Сколько депутатов в Парламенте?". The old subject is the word after
 * the same preposition, else the name in the question, else its last word, or in Kazakh its first.
 */
function exchange(before: string, subject: string): string {
  const whole = ended(before);
  const every = wordsIn(whole);
  const list = every.filter((word) => !isStopWord(word.text));
  if (list.length < 2) return `${whole} ${subject}`;
  const put = (start: number, end: number) => {
    const head = whole.slice(0, start).trimEnd();
    const behind = caseWords.has(words(head).at(-1) ?? '') ? withoutEnd(head, /\S/).trimEnd() : head;
    return `${behind} ${subject}${whole.slice(end).replace(/^['’]s/u, '')}`.trim();
  };
  // "а в Палате регионов?" after "… в Палате представителей?": replaces the text from the shared word on.
  const [first] = content(subject).map(stem);
  const shared = list.find((word) => word.start > 0 && stem(word.text) === first);
  if (shared && content(subject).length > 1) return put(shared.start, whole.length);
  const preposition = words(subject)[0] ?? '';
  const same = caseWords.has(preposition)
    ? every.find((word, n) => word.text === preposition && every[n + 1] !== undefined)
    : undefined;
  if (same) {
    const old = list.find((word) => word.start > same.end);
    if (old) return put(old.start, old.end);
  }
  const name = list.findLast((word) => word.start > 0 && /^\p{Lu}/u.test(whole.slice(word.start)));
  // "And on Saturdays?", "ал сенбіде?": a day replaces a day, or is added as a further circumstance.
  if (content(subject).every(isDay)) {
    const day = list.find(({ text }) => isDay(text));
    return day ? put(day.start, day.end) : `${whole} ${subject}`;
  }
  const language = detectLanguage(whole);
  const articleBefore = (word: Word) => {
    const one = every[every.findIndex(({ start }) => start === word.start) - 1];
    return one !== undefined && articles.has(one.text) ? one : undefined;
  };
  const last = list.at(-1)!;
  // "How much does a wash cost?", "when is the office open?": a verb or predicate follows the subject.
  const isBehind = fixedWordOrder[language] && !articleBefore(last) && !behindCase(whole, last);
  const owner = isBehind ? list.findLast((word) => articleBefore(word) !== undefined) : undefined;
  const old = name ?? (subjectFirst[language] ? list[0] : (owner ?? last))!;
  // A word after its own preposition is not the subject. A new one with a preposition is added.
  if (!name && caseWords.has(preposition)) return `${whole} ${subject}`;
  if (!name && behindCase(whole, old) && !caseWords.has(preposition)) return `${whole} ${subject}`;
  const article = articles.has(words(subject)[0] ?? '') ? articleBefore(old) : undefined;
  return put((article ?? old).start, old.end);
}

const weekdays = whenAsked(() => new Set([...wordsOfAll('calendar.weekdays')].map(stem)));
const isDay = (word: string): boolean => weekdays().has(stem(word));

/** Whether a preposition precedes a word, possibly with an article between. */
function behindCase(text: string, { start }: Word): boolean {
  const [second, first] = words(text.slice(0, start)).slice(-2).toReversed();
  const isCase = (word: string | undefined) => word !== undefined && caseWords.has(word);
  return isCase(second) || (second !== undefined && isStopWord(second) && isCase(first));
}

/** Two names together: "the House of Lords and the House of Commons". */
const pair = (() => {
  const article = `(?:${anyOf(...articles)} )?`;
  const name = `(\\p{Lu}\\p{Ll}+(?: (?:${anyOf(...ofWords)} ${article})?\\p{L}+)?)`;
  return new RegExp(`${name} ${anyOf(...conjunctions)} ${article}${name}`, 'u');
})();

/** The n-th (-1: last) provision of the question or answer; else one of two names, else a line. */
function pick(asked: readonly Reference[], said: string, nth: number, like: string): string | null {
  const at = <T>(list: readonly T[]) => (nth < 0 ? list.at(-1) : list[nth - 1]);
  const distinct = asked.filter((one, n) => asked.findIndex((other) => other.number === one.number) === n);
  if (distinct.length > 1) {
    const one = at(distinct);
    return one ? nameOf(one.number, like) : null;
  }
  const article = distinct[0];
  if (article?.of && nth > 0) {
    // After a point, "the second one" is a sibling point.
    const beside = [...article.chain.slice(0, -1), { unit: article.unit, number: String(nth) }];
    return phrasesLike(like).provision(beside);
  }
  if (article?.unit === 'article' && nth > 0) {
    // After one article, "the second one" is its point.
    return within(pointOf(nth, like), article, like);
  }
  const both = pair.exec(said)?.slice(1);
  if (both && nth <= both.length) return at(both) ?? null;
  const lines = said
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => content(line).length > 2);
  const line = lines.length > 1 ? at(lines) : undefined;
  return line ? line.slice(0, 300) : null;
}
