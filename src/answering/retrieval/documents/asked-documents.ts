/**
 * Recognises questions that concern document metadata: who holds an office, what someone said and when, which document
 * is the latest or earliest, and how a position has changed.
 */

import {
  formsOf,
  type Language,
  languageByLetters,
  type NumberRow,
  phrasesOfAll,
  type QuestionKind,
  type QuestionRow,
  rowsOfAll,
  tableOfAll,
  WordTable,
  wholeWords,
  wordsOfAll,
} from '../../../language/index.ts';
import type { Holder } from '../../../reading/passages.ts';
import { isWithin, type NamedPeriod, parsePeriods } from '../../../text/periods.ts';
import { foldLetters, isStopWord, type Token, tokensOf } from '../../../text/words.ts';
import {
  isSameName,
  type NameWord,
  nameWord,
  type StatedDocument,
  type StatedFacts,
  type StatedValue,
  sameName,
} from './stated-facts.ts';

export interface AskedDocuments {
  /** The question without words that only select documents: speakers, dates, "the last speech of". */
  question: string;
  /** The documents to which the answer is restricted; null: all. Empty if the requested documents do not exist. */
  only: ReadonlySet<number> | null;
  /** The speakers, as named in the metadata. */
  speakers: readonly string[];
  /** Whether the question asks for documents as a whole: "the last speech of the ombudsman". */
  whole: boolean;
  /** The preferred documents: those from the period named in the question. */
  preferred: ReadonlySet<number>;
  order: 'latest' | 'earliest' | null;
  /** Whether the question asks about the present. */
  present: boolean;
  /** Whether the question asks how something has changed. */
  changes: boolean;
  /** The answer, if the question asks who holds an office, who someone is, or who spoke in a period. */
  holders: readonly Holder[];
  /** Whether the question asks only for the dates or only for the number of documents; null: neither. */
  asksOf: 'dates' | 'number' | null;
  /** The number of matching documents. The same document in several languages counts once. */
  total(): number;
  /** At most `most` matching documents, from the latest or, if `order` is "earliest", from the earliest. */
  inOrder(most: number): number[];
}

/** A word of the question, as it is compared with names. */
interface QuestionWord extends Token, NameWord {
  isContent: boolean;
}

/** A person or office named in a question. `at`: the indexes of its tokens. */
interface Mention {
  value: StatedValue;
  at: readonly number[];
}

const table = tableOfAll;
const reports = table('speech.reports');
const stances = table('speech.stances');
const texts = table('speech.texts');
const views = table('dating.views');
const changed = table('dating.changes');
const latest = table('dating.latest');
const earliest = table('dating.earliest');
const times = table('dating.times');
const holding = table('speech.holding');
const now = table('calendar.now');
const nameAsked = wholeWords(phrasesOfAll('answers.names'), 'g');
const aboutOpens = wordsOfAll('speech.aboutOpens');
const aboutCloses = wordsOfAll('speech.aboutCloses');
const able = wholeWords(phrasesOfAll('answers.fitness'));
const ordinals = new WordTable<true>().add(
  rowsOfAll<NumberRow>('numbers.words')
    .map(([, , ordinal]) => ordinal)
    .join(' '),
  true,
);

const asking = (kinds: readonly QuestionKind[]): ReadonlySet<string> =>
  new Set(
    rowsOfAll<QuestionRow>('questionWords.kinds').flatMap(([kind, role, list]) =>
      kinds.includes(kind) && (kind !== 'who' || role === 'nominative') ? formsOf(list) : [],
    ),
  );
const who = asking(['who']);
const when = asking(['when']);
const many = new Set([...asking(['many']), ...wordsOfAll('questionWords.counting')]);
const how = asking(['how', 'what', 'which']);

const isCue = (word: string): boolean =>
  reports.has(word) || stances.has(word) || texts.has(word) || views.has(word);

const questionWords = (text: string): QuestionWord[] =>
  tokensOf(text, /[\p{L}\p{M}\p{N}]+/gu).map((token) => ({
    ...token,
    ...nameWord(token.word),
    isContent: !isStopWord(token.word),
  }));

/** Matches a question against document metadata. `names`: whether a word is one of the names of the corpus. */
export function askedDocuments(
  text: string,
  lang: Language | null,
  facts: StatedFacts,
  names: (word: NameWord) => boolean,
): AskedDocuments {
  const tokens = questionWords(text);
  const periods = facts.isDated ? parsePeriods(text) : [];
  const dated = new Set(
    tokens.flatMap(({ start, end }, n) =>
      periods.some((one) => start >= one.start && end <= one.end) ? [n] : [],
    ),
  );
  const mentions = mentionsIn(text, tokens, facts);
  const cues = tokens.flatMap(({ word }, n) => (isCue(word) ? [n] : []));
  // Without dates, documents have no order and cannot show a change.
  const order = facts.isDated ? orderOf(tokens, cues) : { order: null, at: null };
  const inTime = (docId: number) => {
    const date = facts.get(docId)?.event_date ?? null;
    return date !== null && periods.some((period) => isWithin(date, period));
  };

  const speakers = mentions.filter((one) => speaks(one, tokens, cues));
  const topic = aboutOpens.size + aboutCloses.size > 0 && isAbout(tokens, speakers);
  const isSaid = cues.length > 0 || topic;
  let only = isSaid && speakers.length > 0 ? documentsOf(speakers, facts) : null;
  const preferred = new Set<number>();
  if (periods.length > 0) {
    const asked = only ?? [...facts.all()].map(({ doc_id }) => doc_id);
    for (const docId of asked) if (inTime(docId)) preferred.add(docId);
    if (only || (isSaid && preferred.size > 0)) only = preferred;
  }
  const isNow = tokens.some(({ word }) => now.has(word));
  const isLast = tokens.some(({ word }) => latest.has(word));
  const spoken = new Set(only && speakers.length > 0 ? speakers.flatMap(({ at }) => at) : []);
  const taken = (n: number) =>
    spoken.has(n) ||
    (only !== null && dated.has(n)) ||
    ((only !== null || order.at !== null) &&
      (n === order.at || [texts, times, reports, holding].some((some) => some.has(tokens[n]!.word))));
  const changes = facts.isDated && asksForChange(text, tokens);
  const isChangeWord = (n: number) =>
    changes && (changed.has(tokens[n]!.word) || views.has(tokens[n]!.word) || reports.has(tokens[n]!.word));
  const left = tokens.filter(
    ({ isContent }, n) => isContent && !taken(n) && !isChangeWord(n) && !now.has(tokens[n]!.word),
  );
  const has = (some: { has(word: string): boolean }) => tokens.some(({ word }) => some.has(word));
  const asksOnlyOf = left.length === 0 && only !== null;
  const wanted = () =>
    [...facts.all()].filter(({ doc_id, event_date }) =>
      only === null
        ? event_date !== null && (preferred.size === 0 || preferred.has(doc_id))
        : only.has(doc_id),
    );
  return {
    question: left.length > 0 ? without(text, tokens, (n) => taken(n) || isChangeWord(n)) : text,
    only,
    speakers: only ? speakersOf(speakers, lang, facts) : [],
    whole: left.length === 0 && (only !== null || order.order !== null),
    preferred,
    order: order.order,
    present: isNow || (isLast && order.order === null),
    changes,
    inOrder(most) {
      const sign = order.order === 'earliest' ? -1 : 1;
      return wanted()
        .sort((a, b) => sign * newestFirst(a, b))
        .slice(0, most)
        .map(({ doc_id }) => doc_id);
    },
    asksOf: !asksOnlyOf ? null : has(when) ? 'dates' : has(many) ? 'number' : null,
    total: () =>
      wanted().filter((one, n, every) => !every.slice(0, n).some((other) => isSameText(one, other, facts)))
        .length,
    holders: only
      ? asksOnlyOf && speakers.length === 0 && has(who)
        ? speakersIn(wanted(), lang, facts)
        : []
      : holdersOf(text, { tokens, dated, mentions, facts, lang, names, inTime, periods }),
  };
}

/**
 * The persons and offices named in a question. If names overlap ("minister", "minister of ecology"), the longer name is
 * used.
 */
function mentionsIn(text: string, tokens: readonly QuestionWord[], facts: StatedFacts): Mention[] {
  const content = tokens.flatMap((token, n) => (token.isContent ? [n] : []));
  const found: (Mention & { share: number })[] = [];
  for (const value of facts.like(content.map((n) => tokens[n]!))) {
    const at = content.filter((n) => value.words.some((own) => sameName(tokens[n]!, own)));
    const own = value.words.filter((word) => at.some((n) => sameName(tokens[n]!, word)));
    const { head, words } = value;
    const needed = head.map((n) => words[n]!);
    const whole = at.filter((n) => !endsCompound(text, tokens, n, at));
    const isNamed = (word: NameWord) => whole.some((n) => sameName(tokens[n]!, word));
    if (needed.length === 0 || !needed.every(isNamed)) continue;
    found.push({ value, at, share: own.length / words.length });
  }
  // Many values match the same tokens, so each set of tokens is compared only once.
  const places = new Map<string, { at: readonly number[]; whole: Set<StatedValue['role']> }>();
  for (const { at, share, value } of found) {
    const key = at.join(' ');
    const place = places.get(key) ?? { at, whole: new Set() };
    if (share === 1) place.whole.add(value.role);
    places.set(key, place);
  }
  const widest = new Set(
    [...places].flatMap(([key, { at }]) =>
      [...places.values()].some(
        (other) => other.at.length > at.length && at.every((n) => other.at.includes(n)),
      )
        ? []
        : [key],
    ),
  );
  return found.filter(({ at, share, value }) => {
    const key = at.join(' ');
    return widest.has(key) && (share === 1 || !places.get(key)!.whole.has(value.role));
  });
}

/** Whether a token ends a hyphenated word that begins outside the mention: "vice-president" is not "president". */
function endsCompound(
  text: string,
  tokens: readonly QuestionWord[],
  n: number,
  at: readonly number[],
): boolean {
  const before = tokens[n - 1];
  return before !== undefined && text.slice(before.end, tokens[n]!.start) === '-' && !at.includes(n - 1);
}

/** Whether the person or office is the speaker rather than the subject. */
function speaks({ at }: Mention, tokens: readonly QuestionWord[], cues: readonly number[]): boolean {
  const first = at[0]!;
  const last = at.at(-1)!;
  if (aboutCloses.has(tokens[last + 1]?.word ?? '')) return false;
  const opened = tokens.findLastIndex(({ word }, n) => n < first && aboutOpens.has(word));
  return opened < 0 || cues.some((cue) => cue > opened && cue < first);
}

/** Whether the question begins with a speaker directly followed by a subject: "the ombudsman on cameras". */
function isAbout(tokens: readonly QuestionWord[], speakers: readonly Mention[]): boolean {
  const first = tokens.findIndex(({ isContent }) => isContent);
  const beginning = speakers.some(({ at }) => at.includes(first));
  const last = Math.max(-1, ...speakers.flatMap(({ at }) => at));
  return beginning && aboutOpens.has(tokens[last + 1]?.word ?? '');
}

/**
 * The documents of any of the persons and any of the offices. If both are named, a document must match both, unless no
 * document does.
 */
function documentsOf(mentions: readonly Mention[], facts: StatedFacts): Set<number> {
  const of = (role: StatedValue['role']) => {
    const some = mentions.filter(({ value }) => value.role === role);
    return some.length === 0 ? null : new Set(some.flatMap(({ value }) => [...documentsIn(value, facts)]));
  };
  const persons = of('person');
  const offices = of('office');
  if (!persons || !offices) return persons ?? offices ?? new Set();
  const both = [...persons].filter((one) => offices.has(one));
  return new Set(both.length > 0 ? both : [...persons, ...offices]);
}

/** The names of the speakers, or of the offices if no person is named, in the asker's language if available. */
function speakersOf(mentions: readonly Mention[], lang: Language | null, facts: StatedFacts): string[] {
  const persons = mentions.filter(({ value }) => value.role === 'person');
  const values = (persons.length > 0 ? persons : mentions).map(({ value }) => value).slice(0, heldByMost);
  const isOwn = (value: StatedValue) => [...value.documents].some((docId) => facts.get(docId)?.lang === lang);
  const ordered = [...values.filter(isOwn), ...values.filter((value) => !isOwn(value))];
  return ordered
    .filter(
      (one, n) => !ordered.slice(0, n).some((other) => other.value === one.value || isSameName(one, other)),
    )
    .map(({ value }) => value);
}

/** If an office has more holders than this, they are not looked up in other languages. */
const heldByMost = 20;

/** The documents with a value, including documents of the same persons in other languages. */
function documentsIn(value: StatedValue, facts: StatedFacts): Iterable<number> {
  if (value.role === 'person') return facts.sameNames(value).flatMap((one) => [...one.documents]);
  const found = new Set(value.documents);
  const langs = new Set<Language>();
  const persons = new Set<StatedValue>();
  for (const docId of value.documents) {
    const document = facts.get(docId)!;
    langs.add(document.lang);
    for (const person of facts.persons(document)) persons.add(person);
    if (persons.size > heldByMost) return found;
  }
  for (const person of persons)
    for (const { documents } of facts.sameNames(person))
      for (const docId of documents) if (!langs.has(facts.get(docId)!.lang)) found.add(docId);
  return found;
}

/**
 * Whether the question asks for the latest or earliest document, and the index of the word that shows this: "the last
 * speech", "said last".
 */
function orderOf(
  tokens: readonly QuestionWord[],
  cues: readonly number[],
): { order: AskedDocuments['order']; at: number | null } {
  const none = { order: null, at: null };
  const at = tokens.findIndex(({ word }) => latest.has(word) || earliest.has(word));
  if (at < 0 || /^\d/.test(tokens[at + 1]?.word ?? '')) return none;
  const { word } = tokens[at]!;
  // After a noun, "last" is a verb: "how long does a speech last".
  const before = tokens[at - 1]?.word ?? '';
  const near =
    reports.has(before) ||
    stances.has(before) ||
    [at + 1, at + 2].some((n) => cues.includes(n) || times.has(tokens[n]?.word ?? ''));
  const isEnd = at === tokens.length - 1 && latest.has(word);
  if (!near && (cues.length === 0 || ordinals.has(word) || isEnd)) return none;
  return { order: latest.has(word) ? 'latest' : 'earliest', at };
}

/** Whether the question asks how something has changed, rather than what may be changed. */
function asksForChange(text: string, tokens: readonly QuestionWord[]): boolean {
  if (!tokens.some(({ word }) => changed.has(word)) || able.test(foldLetters(text))) return false;
  return tokens.some(({ word }) => how.has(word) || views.has(word));
}

/** The question without some of its words. */
function without(text: string, tokens: readonly QuestionWord[], isTaken: (n: number) => boolean): string {
  let left = text;
  for (const [n, { start, end }] of [...tokens.entries()].toReversed())
    if (isTaken(n)) left = `${left.slice(0, start)} ${left.slice(end)}`;
  return left.replace(/\s+/g, ' ').trim();
}

/** The holders of the offices, or the offices of the persons, named in a question, from the newest document of each. */
function holdersOf(
  text: string,
  {
    tokens,
    dated,
    mentions,
    facts,
    lang,
    names,
    inTime,
    periods,
  }: {
    tokens: readonly QuestionWord[];
    dated: ReadonlySet<number>;
    mentions: readonly Mention[];
    facts: StatedFacts;
    lang: Language | null;
    names: (word: NameWord) => boolean;
    inTime(docId: number): boolean;
    periods: readonly NamedPeriod[];
  },
): Holder[] {
  const low = foldLetters(text);
  const asked = [...low.matchAll(nameAsked)].map(
    ({ 0: found, index }) => [index, index + found.length] as const,
  );
  const naming = ({ start }: Token) => asked.some(([from, to]) => start >= from && start < to);
  // "What post does Ann Lee hold?" is treated like "Who is Ann Lee?".
  const asksPost =
    mentions.some(({ value }) => value.role === 'person') &&
    [how, holding].every((some) => tokens.some(({ word }) => some.has(word)));
  const asksWho = asked.length > 0 || asksPost || tokens.some(({ word }) => who.has(word));
  if (!asksWho || able.test(low)) return [];
  const named = new Set(mentions.flatMap(({ at }) => at));
  const hasOwnMeaning = (token: QuestionWord, n: number) =>
    token.isContent &&
    !named.has(n) &&
    !dated.has(n) &&
    !naming(token) &&
    !now.has(token.word) &&
    !holding.has(token.word) &&
    !(named.has(n - 1) && names(token));
  if (mentions.length === 0 || tokens.some(hasOwnMeaning)) return [];
  const groups = new Map<string, StatedDocument[]>();
  for (const { value } of mentions) {
    const documents = [...value.documents]
      .filter((docId) => periods.length === 0 || inTime(docId))
      .flatMap((docId) => facts.get(docId) ?? []);
    // Names that sound alike in two languages refer to the same office or person.
    const key = value.sounds.join(' ');
    const same = [...groups.keys()].find((other) => sameWords(other, key)) ?? key;
    groups.set(same, [...(groups.get(same) ?? []), ...documents]);
  }
  const found = [...groups.values()].flatMap((documents) => {
    const ordered = documents.toSorted(newestFirst);
    const [newest] = ordered;
    if (!newest) return [];
    const own = facts.persons(newest);
    const spoken = lang ?? languageByLetters(text);
    const isSame = (one: StatedDocument) =>
      facts.persons(one).some((person) => own.some((other) => isSameName(person, other)));
    const inOwn = ordered.find((one) => one.lang === spoken && isSame(one));
    return holderOf(inOwn ?? newest, facts);
  });
  return found
    .filter((one, n) => found.findIndex((other) => other.doc_id === one.doc_id) === n)
    .slice(0, holdersMax);
}

const holdersMax = 6;

/** The speakers in the documents, each from the newest document in the asker's language if available. */
function speakersIn(
  documents: readonly StatedDocument[],
  lang: Language | null,
  facts: StatedFacts,
): Holder[] {
  const ordered = documents.toSorted(
    (a, b) => Number(b.lang === lang) - Number(a.lang === lang) || newestFirst(a, b),
  );
  const known: StatedValue[] = [];
  const found: Holder[] = [];
  for (const one of ordered) {
    const [person] = facts.persons(one);
    if (!person || known.some((other) => isSameName(person, other))) continue;
    known.push(person);
    found.push(...holderOf(one, facts));
    if (found.length === holdersMax) break;
  }
  return found;
}

/** Whether two documents are the same text in two languages: they have the same speaker and the same date. */
function isSameText(one: StatedDocument, other: StatedDocument, facts: StatedFacts): boolean {
  if (one.lang === other.lang || one.event_date === null || one.event_date !== other.event_date) return false;
  const persons = facts.persons(other);
  return facts.persons(one).some((person) => persons.some((same) => isSameName(person, same)));
}

const sameWords = (one: string, other: string): boolean => {
  const [a, b] = [one.split(' '), other.split(' ')];
  return a.length === b.length && a.every((word, n) => word.startsWith(b[n]!) || b[n]!.startsWith(word));
};

const newestFirst = (a: StatedDocument, b: StatedDocument): number =>
  compare(b.event_date ?? '', a.event_date ?? '') || b.doc_id - a.doc_id;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function holderOf(document: StatedDocument, facts: StatedFacts): Holder[] {
  const [person] = facts.persons(document);
  const [office] = facts.offices(document);
  return person && office ? [{ doc_id: document.doc_id, person: person.value, office: office.value }] : [];
}
