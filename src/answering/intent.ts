/**
 * What a question wants, read from its words. No corpus is known here but by its
 * manifest: a layer of kind "superseded" is what makes a question about the past or about what changed meaningful.
 */
import type { CorpusSettings, Layer } from '../domain/events.ts';
import {
  anyOf,
  joined,
  type LanguagePack,
  letter,
  phrasesOfAll,
  wholeWords,
  wordsOfAll,
} from '../text/languages/index.ts';
import { actBeside, type NamedAct } from '../text/references/acts.ts';
import { parseReferences, type Reference, referencesMax } from '../text/references/parse.ts';
import { foldText, isQuestionWord, isStopWord, stem, words } from '../text/words.ts';
import { clauses, isOrder } from './orders.ts';
import { type Link, type Referring, readLink, readReferring } from './referring.ts';
import { type NamedSides, readSides, withoutEditions } from './sides.ts';
import { isAboutAssistant, isTask, smallTalk, withoutPoliteness } from './small-talk.ts';

export type IntentKind =
  | 'greeting'
  | 'farewell'
  | 'thanks'
  | 'insult'
  | 'task'
  | 'meta'
  | 'comparison'
  | 'historical'
  | 'exact'
  | 'ordinary';

/** A provision asked for, and the act it is asked of where the question names one. */
export interface AskedReference extends Reference {
  act: NamedAct | null;
}

export interface Intent {
  kind: IntentKind;
  /** The question without greeting, orders to the assistant and verdict words; what is looked for. */
  question: string;
  /** What else a message of several sentences says; "" where it is only the question. */
  story: string;
  /** The question without what only says "formerly", "compare", "of 1994": its subject in any of the texts. */
  subject: string;
  /** The first `referencesMax` of the provisions it names. */
  references: AskedReference[];
  /** It names more provisions than `references` holds. */
  moreReferences: boolean;
  /** For each reference the edition it is asked of, where the question asks for provisions of both. */
  editions: ('current' | 'superseded')[] | null;
  /** Two subjects of a comparison and what they are compared in, where the question names them itself. */
  sides: NamedSides | null;
  /** Of the past by its tense alone: where the former text says nothing of it, the one in force is asked. */
  tentative: boolean;
  /** Its number is that of the text in force, what stood there before is wanted: "статья 7, а раньше?". */
  bySubject: boolean;
  /** The layer beside the leading one that a provision is to be compared with: "комментарий и норма статьи 5". */
  besides: string | null;
  /** It asks what refers to the provision it names, or what that refers to. */
  referring: Referring | null;
  /** It asks whether one of the two provisions it names refers to the other. */
  link: Link | null;
  /** It asks for a verdict ("does this strengthen …?"), which is not given. */
  leading: boolean;
  /** It gave the assistant orders ("ignore your rules"), which were left out. */
  ordered: boolean;
}

const joining = new RegExp(
  `^${anyOf(...phrasesOfAll((pack) => pack.dialogue.opens))}(?!${letter})[\\s,]+`,
  'u',
);

const longestFirst = (list: readonly string[]) => [...list].sort((a, b) => b.length - a.length);

const comparison = wholeWords([
  ...joined((pack) => pack.comparing.compares).split(/\s+/),
  ...wordsOfAll((pack) => pack.comparing.versus),
  ...phrasesOfAll((pack) => pack.comparing.changed),
]);
const ofAll = (pick: (former: LanguagePack['former']) => string) => phrasesOfAll((pack) => pick(pack.former));
const formsOfAll = (pick: (former: LanguagePack['former']) => string) =>
  joined((pack) => pick(pack.former)).split(/\s+/);
/** Words that name what was in force before. */
export const past = new RegExp(
  `(?<!${letter})(?:${anyOf(...ofAll(({ past }) => past))}|${anyOf(...ofAll(({ pastAtEnd }) => pastAtEnd))}(?=[\\s?!.]*$))(?!${letter})`,
  'u',
);
/** Words that only say "formerly" and name no text: a number beside them is that of the text in force. */
const formerly = wholeWords(
  ofAll((words) => words.formerly),
  'gi',
);
/** "До 2026 года", "before 2026", "2026 жылға дейін". */
const beforeYear = new RegExp(
  `(?<!${letter})${anyOf(...ofAll((words) => words.beforeYear))} (?:${letter}+ )?(\\d{4})(?!\\d)|(?<!\\d)(\\d{4}) ${anyOf(...ofAll((words) => words.behindYear))}`,
  'u',
);
/** Words behind an auxiliary among which one may say that it was done once. */
const onceSpan = 4;
/**
 * The past tense of what lasted: "сколько длилась", "был столицей", "how long was", "неше жылға сайланды". What was
 * done once ("когда была принята", "who was elected") the text in force tells.
 */
const lasted = new RegExp(
  [
    `(?<!${letter})${anyOf(...formsOfAll(({ lasting }) => lasting.auxiliaries))}(?!${letter})(?!(?: ${letter}+){0,${onceSpan}} ${letter}*${anyOf(...formsOfAll(({ lasting }) => lasting.once))}(?!${letter}))`,
    `${letter}${anyOf(...formsOfAll(({ lasting }) => lasting.verbs))}(?!${letter})`,
    `(?<!${letter})${anyOf(...ofAll(({ lasting }) => lasting.measured))}(?!${letter}).* ${anyOf(...formsOfAll(({ lasting }) => lasting.measuredIn))}(?!${letter})`,
    `${anyOf(...ofAll(({ lasting }) => lasting.last))}[\\s?!.]*$`,
  ].join('|'),
  'u',
);
const happened = wholeWords(
  joined(({ questionWords: { kinds } }) =>
    kinds.flatMap(([kind, , list]) => (['when', 'why', 'what for'].includes(kind) ? [list] : [])).join(' '),
  ).split(' '),
);
const present = wholeWords(ofAll((words) => words.present));
/** Words of a verdict: taken out, so that what is left finds the provisions. */
const verdict = wholeWords(phrasesOfAll((pack) => pack.verdicts));

const contentOf = (text: string) => words(text).filter((word) => !isStopWord(word));

/** Stems of a layer's titles that no other layer has ("1994"): naming one names the layer. */
function marks(layer: Layer, layers: readonly Layer[]): Set<string> {
  const of = (one: Layer) => {
    const titles =
      one.title === null
        ? [one.name]
        : typeof one.title === 'string'
          ? [one.title]
          : Object.values(one.title);
    return new Set(
      titles
        .flatMap((title) => words(title ?? ''))
        .filter((word) => !isStopWord(word))
        .map(stem),
    );
  };
  const others = layers.filter((one) => one !== layer).map(of);
  return new Set([...of(layer)].filter((mark) => others.every((other) => !other.has(mark))));
}

/** The layer in force beside the leading one that a question names by a word of its title; null for none or several. */
function besides(
  asked: ReadonlySet<string>,
  [, ...others]: readonly Layer[],
  layers: readonly Layer[],
): string | null {
  const named = others.filter((layer) => [...marks(layer, layers)].some((mark) => asked.has(mark)));
  return named.length === 1 ? named[0]!.name : null;
}

/** Words of address and request that name no subject. */
const fillers = new RegExp(
  `${wholeWords(longestFirst(phrasesOfAll((pack) => pack.courtesy.address))).source}[,:]?\\s*`,
  'giu',
);

/** A question of more content words contains background; the sentence that asks is searched for. */
const storyFrom = 14;

/**
 * What a long question asks: its asking sentence, of a very long one the part from its last question word on; and all
 * else it says. Shorter questions as they are.
 */
function essence(text: string): { asking: string; rest: string } {
  const whole = { asking: text, rest: '' };
  if (contentOf(text).length <= storyFrom) return whole;
  const sentences = text.split(/(?<=[.!?…])\s+|\n+/u).filter((one) => one.trim() !== '');
  const last = sentences.findLastIndex((one) => /\?\s*$/.test(one));
  const at = last >= 0 ? last : sentences.findLastIndex((one) => words(one).some(isQuestionWord));
  if (at < 0) return whole;
  const split = (pieces: readonly string[], from: number, to: number) => ({
    asking: pieces.slice(from, to).join(' '),
    rest: [...pieces.slice(0, from), ...pieces.slice(to)].join(' '),
  });
  const one = sentences[at]!;
  if (contentOf(one).length > storyFrom) {
    const parts = one.split(/(?<=[:;,—–])\s+/u);
    const first = parts.findLastIndex((part) => words(part).some(isQuestionWord));
    if (first > 0 && contentOf(parts.slice(first).join(' ')).length >= 3) {
      const { asking, rest } = split(parts, first, parts.length);
      return { asking, rest: [split(sentences, at, at + 1).rest, rest].join(' ').trim() };
    }
    return split(sentences, at, at + 1);
  }
  return split(sentences, at, at + 1);
}

/** A question without the greeting or thanks before it; a text of nothing else as it stands. */
export function withoutGreeting(text: string): string {
  const { left, thanked } = withoutPoliteness(text);
  if (!thanked) return left;
  const rest = left.slice(joining.exec(left.toLowerCase())?.[0].length ?? 0);
  return contentOf(rest).length > 0 ? rest : left;
}

/** Reads a question (its layout repaired, its history resolved) for a corpus. */
export function readIntent(text: string, settings: CorpusSettings): Intent {
  const low = foldText(text).trim();
  const given = text.trim();
  const intent: Intent = {
    kind: 'ordinary',
    question: given,
    story: '',
    subject: given,
    references: [],
    moreReferences: false,
    editions: null,
    sides: null,
    tentative: false,
    bySubject: false,
    besides: null,
    referring: null,
    link: null,
    leading: false,
    ordered: false,
  };
  const talk = smallTalk(low);
  if (talk) return { ...intent, kind: talk };
  let question = withoutGreeting(given);

  const all = clauses(question).flatMap((clause) => (isOrder(clause) ? clause.split(/,\s+/) : [clause]));
  const kept = all.filter((clause) => !isOrder(clause));
  intent.ordered = kept.length < all.length;
  if (intent.ordered) {
    question = kept.join(' ');
    const left = contentOf(question.replace(fillers, ' ')).length;
    const asks = question.includes('?') || words(question).some(isQuestionWord);
    if (parseReferences(question).length === 0 && left < (asks ? 1 : 2)) {
      return { ...intent, kind: 'meta' };
    }
  }
  const folded = foldText(question).trim();
  const found = parseReferences(question, referencesMax + 1);
  intent.moreReferences = found.length > referencesMax;
  const named = found.slice(0, referencesMax);
  intent.references = named.map((one) => ({ ...one, act: actBeside(question, one, named) }));
  if (intent.references.length === 0 && isAboutAssistant(folded)) {
    return { ...intent, kind: 'meta' };
  }

  if (intent.references.length === 0 && isTask(question)) return { ...intent, kind: 'task' };

  const plain = question.replace(fillers, ' ').replace(/\s+/g, ' ').trim();
  const { asking, rest } = essence(contentOf(plain).length > 0 ? plain : question.trim());
  intent.question = asking;
  intent.story = rest;
  intent.subject = intent.question;
  intent.leading = verdict.test(folded);
  if (intent.leading) {
    const without = intent.question
      .replace(new RegExp(verdict.source, 'giu'), ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (contentOf(without).length > 0) intent.question = without;
  }

  const former = settings.layers.filter((layer) => layer.kind === 'superseded');
  const superseded = former.filter((layer) => layer.visibility === 'public');
  const current = settings.layers.filter(
    (layer) => layer.kind !== 'superseded' && layer.visibility === 'public',
  );
  const asked = new Set(words(question).map(stem));
  const years = (layers: readonly Layer[]) =>
    new Set(
      layers.flatMap((layer) => [...marks(layer, settings.layers)]).filter((mark) => /^\d{4}$/.test(mark)),
    );
  const [then, now] = [years(former), years(current)];
  const until = beforeYear.exec(folded)?.slice(1).find(Boolean);
  const dated = until !== undefined && [...now].some((year) => until <= year);
  const ofThen = [...then].some((year) => asked.has(year));
  // A former text that is not public is asked for too; the present one is no answer to that.
  const ofPast = former.length > 0 && (past.test(folded) || ofThen || dated);
  const ofPresent = present.test(folded) || [...now].some((year) => asked.has(year) && year !== until);
  const byTense = !ofPresent && lasted.test(folded) && !happened.test(folded);
  intent.subject =
    former.length > 0
      ? subjectOf(intent.question, new Set([...then, ...now, ...(dated ? [until] : [])]))
      : intent.question;
  intent.bySubject =
    ofPast && intent.references.length > 0 && !dated && !ofThen && !past.test(folded.replace(formerly, ' '));
  intent.besides = besides(asked, current, settings.layers);
  const compared = comparison.test(folded);
  if (superseded.length > 0) {
    intent.editions = editionsOf(question, intent.references, then, now, compared);
    if (intent.editions) return { ...intent, kind: 'comparison' };
  }
  if (compared || (ofPast && ofPresent)) {
    const sides = ofPast ? null : readSides(question);
    // "The old constitution and the new one" are two editions of one text.
    const isOfEditions =
      superseded.length > 0 && sides?.sides.some((side) => contentOf(withoutEditions(side)).length === 0);
    intent.sides = isOfEditions ? null : sides;
    const distinct = new Set(intent.references.map((reference) => reference.number)).size;
    if (superseded.length > 0 || intent.sides || intent.besides || distinct > 1)
      return { ...intent, kind: 'comparison' };
  }
  if (ofPast) return { ...intent, kind: 'historical' };
  if (superseded.length > 0 && byTense && intent.references.length === 0)
    return { ...intent, kind: 'historical', tentative: true };
  const titles = [settings.title, ...settings.layers.map(({ title }) => title)].flatMap((title) =>
    typeof title === 'string' ? [title] : Object.values(title ?? {}),
  );
  intent.referring = readReferring(intent.question, intent.references, titles);
  intent.link = readLink(intent.question, intent.references, titles);
  return { ...intent, kind: intent.references.length > 0 ? 'exact' : 'ordinary' };
}

/** Whether a question asks for what was before. */
export const asksBefore = (question: string): boolean => past.test(foldText(question).trim());

/** Whether a text only asks for a comparison or the past, without saying of what ("сравни со старой конституцией"). */
export function namesNoSubject(text: string): boolean {
  const low = foldText(text);
  if (!comparison.test(low) && !past.test(low)) return false;
  const left = [comparison, past, present, texts].reduce(
    (rest, pattern) => rest.replace(new RegExp(pattern.source, 'gu'), ' '),
    low,
  );
  return contentOf(left).length === 0;
}
const yearWords = anyOf(...joined((pack) => pack.calendar.years).split(' '));
const texts = new RegExp(
  `${wholeWords(ofAll((words) => words.texts)).source}|(?<!\\d)\\d{4}(?: ${yearWords}(?!${letter}))?(?!\\d)`,
  'u',
);

/**
 * The edition each of several provisions is asked of, by the words beside it ("ст. 27 прежней конституции и ст. 29
 * новой"); null where they do not tell two editions apart. `compared`: what is said of no edition is the present one.
 */
function editionsOf(
  question: string,
  references: readonly Reference[],
  then: ReadonlySet<string>,
  now: ReadonlySet<string>,
  compared: boolean,
): ('current' | 'superseded')[] | null {
  const of = (text: string) => {
    const low = foldText(text).trim();
    const dated = (years: ReadonlySet<string>) => words(text).some((word) => years.has(word));
    if (past.test(low) || former.test(low) || dated(then)) return 'superseded' as const;
    return present.test(low) || newer.test(low) || dated(now) ? ('current' as const) : null;
  };
  const behind = references.map(({ end }, n) => of(question.slice(end, references[n + 1]?.start)));
  const before = references.map(({ start }, n) => of(question.slice(references[n - 1]?.end ?? 0, start)));
  // Kazakh names the text in front of the provision.
  const labelFollows =
    behind.filter((one) => one !== null).length >= before.filter((one) => one !== null).length;
  const labels = (labelFollows ? behind : before).map(
    (one) => one ?? (compared ? ('current' as const) : null),
  );
  const known = labels.filter((one) => one !== null);
  return known.length === labels.length && new Set(known).size === 2 ? known : null;
}
const former = wholeWords(formsOfAll((words) => words.old));
const newer = wholeWords(formsOfAll((words) => words.new));

/** The question without the words that only name one of the texts or ask for a comparison. */
function subjectOf(question: string, names: ReadonlySet<string>): string {
  const global = (pattern: RegExp) => new RegExp(pattern.source, 'giu');
  const left = withoutEditions(question)
    .replace(global(comparison), ' ')
    .replace(global(past), ' ')
    .replace(global(present), ' ')
    .replace(new RegExp(`\\d{4}(?:\\s*${yearWords}(?!${letter})\\.?)?`, 'giu'), (found) =>
      names.has(found.slice(0, 4)) ? ' ' : found,
    );
  return contentOf(left).length > 0 ? left.replace(/\s+/g, ' ').trim() : question;
}
