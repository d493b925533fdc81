/**
 * Determines which edition of a text a question is about: the current one, the one it replaced, or both. Questions
 * about the past are recognised only in corpora with a layer of kind "superseded".
 */
import { type CorpusSettings, isPublic, type Layer } from '../domain/events.ts';
import {
  type ActRow,
  anyOf,
  joined,
  letter,
  listOf,
  phrasesOfAll,
  type QuestionRow,
  rowsOfAll,
  tableOfAll,
  WordTable,
  wholeWords,
  wordsOfAll,
} from '../language/index.ts';
import type { Reference } from '../text/references/parse.ts';
import { contentWords, foldText, stem, tokensOf, words } from '../text/words.ts';

/** The current text, or the text it replaced. */
export type Edition = 'current' | 'superseded';

export interface AskedEditions {
  /** Whether at least one public layer contains a former text. */
  hasFormer: boolean;
  /** Whether the question asks for a comparison or for changes. */
  compared: boolean;
  /** Whether the question names the former text (`past`) or the current text (`present`). */
  past: boolean;
  present: boolean;
  /** Whether only the tense refers to the past. If the former text has no answer, the current text is then searched. */
  pastByTense: boolean;
  /**
   * Whether it gives a number in the current text but asks for the former text on the subject: "статья 7, а раньше?".
   */
  bySubject: boolean;
  /** The edition of each provision, if the question asks for provisions of both editions; null otherwise. */
  each: readonly Edition[] | null;
  /** The subject of the question, without words such as "formerly", "compare" and "of 1994". */
  subject: string;
}

/** Matches words that compare or ask for changes. */
const comparison = wholeWords([
  ...listOf(joined('comparing.compares')),
  ...wordsOfAll('comparing.versus'),
  ...phrasesOfAll('comparing.changed'),
]);
const formsOfAll = (name: string) => listOf(joined(name));
/** Matches words that refer to the past or name a former text. */
const past = new RegExp(
  `(?<!${letter})(?:${anyOf(...phrasesOfAll('former.past'))}|${anyOf(...phrasesOfAll('former.pastAtEnd'))}(?=[\\s?!.]*$))(?!${letter})`,
  'u',
);
/** Matches words that mean "formerly" without naming a text. A number next to them is from the current text. */
const formerly = wholeWords(phrasesOfAll('former.formerly'), 'gi');
/** Matches phrases such as "до 2026 года", "before 2026" and "2026 жылға дейін". */
const beforeYear = new RegExp(
  `(?<!${letter})${anyOf(...phrasesOfAll('former.beforeYear'))} (?:${letter}+ )?(\\d{4})(?!\\d)|(?<!\\d)(\\d{4}) ${anyOf(...phrasesOfAll('former.behindYear'))}`,
  'u',
);
/** Maximum number of words between an auxiliary and a word for a completed event. */
const onceSpan = 4;
/**
 * Matches the past tense of a lasting state: "сколько длилась", "был столицей", "how long was", "неше жылға сайланды".
 * Questions about completed events ("когда была принята", "who was elected") are answered from the current text.
 */
const lasted = new RegExp(
  [
    `(?<!${letter})${anyOf(...formsOfAll('former.lasting.auxiliaries'))}(?!${letter})(?!(?: ${letter}+){0,${onceSpan}} ${letter}*${anyOf(...formsOfAll('former.lasting.once'))}(?!${letter}))`,
    `${letter}${anyOf(...formsOfAll('former.lasting.verbs'))}(?!${letter})`,
    `(?<!${letter})${anyOf(...phrasesOfAll('former.lasting.measured'))}(?!${letter}).* ${anyOf(...formsOfAll('former.lasting.measuredIn'))}(?!${letter})`,
    `${anyOf(...phrasesOfAll('former.lasting.last'))}[\\s?!.]*$`,
  ].join('|'),
  'u',
);
const happened = wholeWords(
  rowsOfAll<QuestionRow>('questionWords.kinds').flatMap(([kind, , list]) =>
    ['when', 'why', 'what for'].includes(kind) ? listOf(list) : [],
  ),
);
const present = wholeWords(phrasesOfAll('former.present'));

/**
 * The stems that occur only in the titles of one layer ("1994"). A question that contains one of them names the layer.
 */
function marks(layer: Layer, layers: readonly Layer[]): Set<string> {
  const of = (one: Layer) => {
    const titles =
      one.title === null
        ? [one.name]
        : typeof one.title === 'string'
          ? [one.title]
          : Object.values(one.title);
    return new Set(titles.flatMap((title) => contentWords(title ?? '')).map(stem));
  };
  const others = layers.filter((one) => one !== layer).map(of);
  return new Set([...of(layer)].filter((mark) => others.every((other) => !other.has(mark))));
}

/**
 * Determines which editions a question asks for. `said`: the whole message; `asking`: the part that asks (see
 * Question.text).
 */
export function readEditions(
  { said, asking }: { said: string; asking: string },
  references: readonly Reference[],
  { layers }: CorpusSettings,
): AskedEditions {
  const folded = foldText(said).trim();
  const former = layers.filter(({ kind }) => kind === 'superseded');
  const current = layers.filter((layer) => layer.kind !== 'superseded' && isPublic(layer));
  const hasFormer = former.some(isPublic);
  const asked = new Set(words(said).map(stem));
  const years = (some: readonly Layer[]) =>
    new Set(some.flatMap((layer) => [...marks(layer, layers)]).filter((mark) => /^\d{4}$/.test(mark)));
  const [then, now] = [years(former), years(current)];
  const until = beforeYear.exec(folded)?.slice(1).find(Boolean);
  const dated = until !== undefined && [...now].some((year) => until <= year);
  const ofThen = [...then].some((year) => asked.has(year));
  const ofPresent = present.test(folded) || [...now].some((year) => asked.has(year) && year !== until);
  // Former text that is not public also counts, because the current text does not answer the question.
  const ofPast = former.length > 0 && (past.test(folded) || ofThen || dated);
  const compared = comparison.test(folded);
  return {
    hasFormer,
    compared,
    past: ofPast,
    present: ofPresent,
    pastByTense: hasFormer && !ofPresent && lasted.test(folded) && !happened.test(folded),
    bySubject:
      ofPast && references.length > 0 && !dated && !ofThen && !past.test(folded.replace(formerly, ' ')),
    each: hasFormer ? editionsOf(said, references, then, now, compared) : null,
    subject:
      former.length > 0 ? subjectOf(asking, new Set([...then, ...now, ...(dated ? [until] : [])])) : asking,
  };
}

/** Whether a question asks about the past. */
export const asksBefore = (question: string): boolean => past.test(foldText(question).trim());

/** Whether a question asks for a comparison or the past without naming a subject ("сравни со старой конституцией"). */
export function namesNoSubject(text: string): boolean {
  const low = foldText(text);
  if (!comparison.test(low) && !past.test(low)) return false;
  const left = [comparison, past, present, texts].reduce(
    (rest, pattern) => rest.replace(new RegExp(pattern.source, 'gu'), ' '),
    low,
  );
  return contentWords(left).length === 0;
}
const yearWords = anyOf(...formsOfAll('calendar.years'));
const texts = new RegExp(
  `${wholeWords(phrasesOfAll('former.texts')).source}|(?<!\\d)\\d{4}(?: ${yearWords}(?!${letter}))?(?!\\d)`,
  'u',
);

/**
 * Determines the edition of each of several provisions from the words next to it ("ст. 27 прежней конституции и ст. 29
 * новой"). Returns null if these do not distinguish two editions. `compared`: whether provisions without any such words
 * belong to the current edition.
 */
function editionsOf(
  question: string,
  references: readonly Reference[],
  then: ReadonlySet<string>,
  now: ReadonlySet<string>,
  compared: boolean,
): Edition[] | null {
  const of = (text: string) => {
    const low = foldText(text).trim();
    const dated = (years: ReadonlySet<string>) => words(text).some((word) => years.has(word));
    if (past.test(low) || former.test(low) || dated(then)) return 'superseded' as const;
    return present.test(low) || newer.test(low) || dated(now) ? ('current' as const) : null;
  };
  const behind = references.map(({ end }, n) => of(question.slice(end, references[n + 1]?.start)));
  const before = references.map(({ start }, n) => of(question.slice(references[n - 1]?.end ?? 0, start)));
  // In Kazakh, the text is named before the provision.
  const labelFollows =
    behind.filter((one) => one !== null).length >= before.filter((one) => one !== null).length;
  const labels = (labelFollows ? behind : before).map(
    (one) => one ?? (compared ? ('current' as const) : null),
  );
  const known = labels.filter((one) => one !== null);
  return known.length === labels.length && new Set(known).size === 2 ? known : null;
}
const former = wholeWords(formsOfAll('former.old'));
const newer = wholeWords(formsOfAll('former.new'));

/** The question without words that only name an edition or ask for a comparison. */
function subjectOf(question: string, names: ReadonlySet<string>): string {
  const global = (pattern: RegExp) => new RegExp(pattern.source, 'giu');
  const left = withoutEditions(question)
    .replace(global(comparison), ' ')
    .replace(global(past), ' ')
    .replace(global(present), ' ')
    .replace(new RegExp(`\\d{4}(?:\\s*${yearWords}(?!${letter})\\.?)?`, 'giu'), (found) =>
      names.has(found.slice(0, 4)) ? ' ' : found,
    );
  return contentWords(left).length > 0 ? left.replace(/\s+/g, ' ').trim() : question;
}

const joins = wordsOfAll('comparing.joins');
const articles = wordsOfAll('comparing.articles');
const editions = tableOfAll('comparing.editions');
const ones = tableOfAll('comparing.ones');
const acts = new WordTable<true>();
for (const [, forms] of rowsOfAll<ActRow>('acts.kinds')) acts.add(forms, true);

/**
 * Removes words that only name an edition: "the old and the new constitution", "в прежней редакции", "new one".
 */
export function withoutEditions(text: string): string {
  const tokens = tokensOf(text);
  let left = text;
  for (let n = tokens.length - 1; n >= 0; n--) {
    if (!editions.has(tokens[n]!.word)) continue;
    let first = n;
    // Two editions may be joined: "old and the new".
    while (first > 0 && (joins.has(tokens[first - 1]!.word) || articles.has(tokens[first - 1]!.word)))
      first--;
    const before = tokens[first - 1];
    const paired = first < n && before !== undefined && editions.has(before.word);
    const behind = tokens[n + 1];
    const isNamed = behind === undefined || acts.has(behind.word) || ones.has(behind.word);
    if (!paired && !isNamed) continue;
    const from = paired ? before.start : tokens[n]!.start;
    const to = isNamed && behind !== undefined ? behind.end : tokens[n]!.end;
    left = `${left.slice(0, from)} ${left.slice(to)}`;
    if (paired) n = first - 1;
  }
  return left.replace(/\s+/g, ' ').trim();
}
