/** The fixed sentences in answers, from the word files, and functions that write dates and the names of languages. */
import type { Language } from '../domain/events.ts';
import { formsOf, languages, ofEach, type ReferenceUnit, textOf } from '../language/index.ts';
import { whenAsked } from '../language/when-asked.ts';
import { filled } from './filled.ts';
import { calledIn, provisionName } from './references/names.ts';

/** The sentences, and the names of their placeholders in the order of the arguments. */
const sentences = {
  greeting: ['corpus'],
  thanks: [],
  farewell: [],
  insult: ['corpus'],
  task: ['corpus'],
  ordered: ['corpus'],
  noAnswer: ['corpus'],
  mayHelp: ['corpus'],
  unclear: [],
  nearest: [],
  missing: ['provision', 'corpus'],
  missingIn: ['provision', 'text'],
  unknownAct: ['corpus'],
  neighbours: [],
  points: ['numbers'],
  referredTo: ['provision', 'count'],
  refersTo: ['provision', 'count'],
  countOf: ['shown', 'all'],
  notReferredTo: ['provision', 'corpus'],
  refersToNothing: ['provision'],
  onlyIn: ['leading', 'layer'],
  inForce: [],
  superseded: [],
  verdict: [],
  listOpen: [],
  listCut: [],
  listCutTo: ['shown', 'of'],
  textCut: [],
  firstProvisions: ['count'],
  editorsWord: [],
  nothingOn: [],
  partMissing: ['question'],
  documents: ['count'],
  outline: ['title', 'count'],
  firstParts: ['count'],
  nothingMore: [],
  leftOut: [],
  unverified: [],
  thesis: [],
  evidence: [],
  limits: [],
  limitsOf: ['sources'],
  point: ['number'],
  partOf: ['part', 'article'],
} as const;

type Fill<Holes extends readonly string[]> = Holes extends readonly []
  ? string
  : (...values: { [Hole in keyof Holes]: string | number }) => string;
type Sentences = { [Name in keyof typeof sentences]: Fill<(typeof sentences)[Name]> };

export interface AnswerPhrases extends Sentences {
  /** Describes the assistant. `description`: the description of the corpus; '' if it has none. */
  meta: (corpus: string, description: string) => string;
  otherLanguage: (other: Language) => string;
  /** The name of a language. */
  language: (other: Language) => string;
  /** A full or partial ISO date. */
  date: (iso: string) => string;
  /** Quotation marks. */
  quote: readonly [before: string, after: string];
  /** The name of a provision with its parents. `chain`: the outermost provision first. */
  provision: (chain: readonly { unit: ReferenceUnit; number: string }[]) => string;
  /** The name of a single provision, and the name of an article. */
  called: (unit: ReferenceUnit, number: string) => string;
  article: (number: string) => string;
}

export const phrases = ofEach((language): AnswerPhrases => {
  const templateOf = (name: string) => textOf(language, `phrases.${name}`).replaceAll('\n', ' ');
  const fixed = Object.fromEntries(
    Object.entries(sentences).map(([name, holes]) => {
      const template = templateOf(name);
      const fill = (...values: (string | number)[]) =>
        filled(template, Object.fromEntries(holes.map((hole, n) => [hole, values[n]!])));
      return [name, holes.length === 0 ? template : fill];
    }),
  ) as unknown as Sentences;
  const [meta, otherLanguage, date, quote] = ['meta', 'otherLanguage', 'date', 'quote'].map(templateOf) as [
    string,
    string,
    string,
    string,
  ];
  const months = formsOf(textOf(language, 'calendar.months'));
  const names = whenAsked(() => new Intl.DisplayNames([language], { type: 'language' }));
  const nameOf = (other: Language) => names().of(other) ?? other;
  const [before = '', after = ''] = quote.split('…');
  return {
    ...fixed,
    meta: (corpus, description) =>
      filled(meta, {
        corpus,
        description: description && ` ${description}`,
        languages: languages.map(nameOf).join(', '),
      }),
    otherLanguage: (other) => filled(otherLanguage, { other: nameOf(other) }),
    language: nameOf,
    date: (iso) => {
      const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso) ?? [];
      return year ? filled(date, { day: Number(day), month: months[Number(month) - 1] ?? '', year }) : iso;
    },
    quote: [before, after],
    provision: (chain) => provisionName(language, chain),
    called: (unit, number) => calledIn(language, unit, number),
    article: (number) => calledIn(language, 'article', number),
  };
});
