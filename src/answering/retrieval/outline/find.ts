/**
 * Finds the structure of a document for questions such as "what sections does the charter have?", "сколько статей в
 * законе?" and "outline of the guide". The answer comes from the headings, because no sentence states it.
 */

import {
  isSo,
  languages,
  ownWords,
  type ReferenceUnit,
  rowsOf,
  type UnitRow,
  WordTable,
  wholeWords,
  wordsOfAll,
} from '../../../language/index.ts';
import { whenAsked } from '../../../language/when-asked.ts';
import type { ChunkSearch, Passage } from '../../../ports/chunk-search.ts';
import { questionWordsOf } from '../../../reading/answer-kinds.ts';
import { covers } from '../../../reading/matching.ts';
import type { Found, Outline, RetrievalRequest } from '../../../reading/passages.ts';
import { parseReferences } from '../../../text/references/parse.ts';
import { foldText, isStopWord, stem, words } from '../../../text/words.ts';

/** Maximum number of chunks to read per document, and maximum number of documents. */
const chunksAtMost = 2_000;
const documentsAtMost = 6;
/** Maximum number of words between the question word and the unit, as in "what are the main chapters". */
const reach = 3;

const own = ownWords(import.meta.url);
const structure = wholeWords(own.phrasesOfAll('asks'));
const divided: readonly ReferenceUnit[] = ['article', 'chapter', 'section', 'part', 'annex'];
const units = new WordTable<ReferenceUnit>();
for (const language of languages)
  for (const [unit, forms, count] of rowsOf<UnitRow>(language, 'provisions.units')) {
    // In languages that put the number first, counted nouns are singular.
    const isAsked = count === 'many' || (count === 'one' && isSo(language, 'provisions.numberFirst'));
    if (isAsked && divided.includes(unit)) units.add(forms, unit);
  }
const many = new Set([...questionWordsOf(['many']), ...wordsOfAll('questionWords.counting')]);
const asking = new Set([...many, ...questionWordsOf(['which', 'what', 'how'])]);
/** Generic words for a document, and other words in these questions. */
const general = whenAsked(() => new Set(own.phrasesOfAll('besides').flatMap(words).map(stem)));

interface AskedOutline {
  /** Null if the question does not name a unit. */
  unit: ReferenceUnit | null;
  counts: boolean;
  /** The stems of the remaining words, which name the document. */
  of: string[];
}

/** Reads a question about the structure of a document; returns null for other questions. */
export function askedOutline(question: string): AskedOutline | null {
  const low = foldText(question).trim();
  const list = words(low);
  const at = list.findIndex(
    (word, n) => units.has(word) && list.slice(Math.max(0, n - reach), n).some((one) => asking.has(one)),
  );
  const isNamed = structure.test(low);
  if (at < 0 && !isNamed) return null;
  const rest = words(low.replace(structure, ' '));
  const of = rest
    .filter((word) => !isStopWord(word) && !units.has(word) && !asking.has(word))
    .map(stem)
    .filter((one) => !general().has(one));
  return { unit: at < 0 ? null : units.get(list[at]!)!, counts: list.some((word) => many.has(word)), of };
}

/** Returns the outline of the requested document, or null if no candidate has the right name and headings. */
export async function outlineOf(
  search: ChunkSearch,
  request: RetrievalRequest,
  hits: readonly Found[],
): Promise<Outline | null> {
  const asked = request.references.length > 0 ? null : askedOutline(request.question);
  if (!asked) return null;
  const [first = null] = await search.numbers(request, 'article');
  const numbered = first === null ? [] : await search.byNumber(request, first, 'article');
  const candidates = new Map<number, Passage>(
    [...numbered, ...hits].map((passage) => [passage.facts.doc_id, passage]),
  );
  const place = ({ facts, chunk }: Passage) =>
    request.layers.indexOf(facts.layer.name) * 2 + (chunk.lang === request.lang ? 0 : 1);
  const called = [...candidates.values()].filter((one) => isCalled(one, asked.of));
  for (const { facts } of called.toSorted((a, b) => place(a) - place(b)).slice(0, documentsAtMost)) {
    const { items } = await search.list(facts.doc_id, chunksAtMost, 0);
    const outline = asked.unit === null ? divisions(items) : (ofUnit(items, asked.unit) ?? divisions(items));
    if (outline.length > 1)
      return {
        counts: asked.counts,
        parts: outline.map(({ heading, passage }) => ({ heading, passage: { ...passage, score: 1 } })),
      };
  }
  return null;
}

/** Whether the title of a document contains all the words that name it. */
function isCalled({ facts }: Passage, names: readonly string[]): boolean {
  const title = words(`${facts.title} ${facts.doc_key}`).map(stem);
  return names.every((name) => title.some((word) => covers(name, word) || covers(word, name)));
}

interface Part {
  heading: string;
  passage: Passage;
}

/** The headings that name a unit, in order; null if there are fewer than two. */
function ofUnit(items: readonly Passage[], unit: ReferenceUnit): Part[] | null {
  const found = distinct(
    items.flatMap((passage) =>
      [...passage.chunk.path, passage.chunk.heading]
        .filter((heading) => {
          const [reference] = parseReferences(heading.slice(0, 60));
          return reference?.unit === unit && reference.start < 3;
        })
        .map((heading) => ({ heading, passage })),
    ),
  );
  return found.length > 1 ? found : null;
}

/** The headings at the highest level with more than one heading. */
function divisions(items: readonly Passage[]): Part[] {
  for (let level = 0; level < 3; level++) {
    const found = distinct(
      items.flatMap((passage) => {
        const { path, heading } = passage.chunk;
        const above = path.at(-1) === heading || heading === '' ? path : [...path, heading];
        const own = above[level];
        return own === undefined || own === passage.facts.title ? [] : [{ heading: own, passage }];
      }),
    );
    if (found.length > 1) return found;
  }
  return [];
}

const distinct = (parts: readonly Part[]): Part[] =>
  [...new Map(parts.map((part) => [part.heading, part] as const).toReversed()).values()].toReversed();
