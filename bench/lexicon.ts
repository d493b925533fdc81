/**
 * `npm run bench -- lexicon`: what the bilingual lexicon is worth on text it has not seen, over the sample constitution.
 *
 * Two measures. Sections: of each pair of twins a fifth of the sections is held out, the lexicon learned from the others
 * translates the words of each held-out section, and the twin's sections are ranked by how many of them they hold. Five
 * rounds; "by chance" is what ranking at random gives. Questions: the constitution of 1994 in three languages, a corpus
 * of its own, teaches the lexicon; the one of 2026 is taken in in one language alone and asked the frequent questions
 * of another language, whose answers name the article that is wanted.
 */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import type { App } from '../src/app-port.ts';
import type { Passage } from '../src/ports/chunk-search.ts';
import { learnPairs, unitsOf } from '../src/retrieval/lexicon/learn.ts';
import { Lexicon } from '../src/retrieval/lexicon/lexicon.ts';
import { type Section, type SectionedDocument, sectionsOf } from '../src/retrieval/lexicon/sections.ts';
import { findTwins, type Twins } from '../src/retrieval/lexicon/twins.ts';
import { isLanguage, type Language } from '../src/text/languages/index.ts';
import { parseReferences } from '../src/text/references/parse.ts';
import { isStopWord, stemIn, words } from '../src/text/words.ts';
import { adapterConfig } from '../src/workers/adapter-config.ts';
import { openStores, type Stores } from '../src/workers/stores.ts';
import { configFor } from './asks.ts';
import { withFolder } from './speed.ts';

type Row = Record<string, unknown>;

const sample = join(import.meta.dirname, '..', 'samples', 'krk_2026');
const folds = 5;
const never = new AbortController().signal;
const caller = { actor: 'public', key_id: null, subject: null };

export async function lexicon(): Promise<Row[]> {
  const { documents, questions } = await withFolder(async (folder) => {
    await takeIn(folder, [['krk_2026', sample]]);
    return withStores(folder, async (stores) => ({
      documents: await documentsOf(stores),
      questions: await questionsOf(stores),
    }));
  });
  return [...heldOutSections(documents), ...(await heldOutQuestions(questions))];
}

/** Takes folders in, each as a corpus, and has the lexicon learned. */
async function takeIn(
  data: string,
  corpora: readonly (readonly [id: string, folder: string])[],
): Promise<void> {
  const app = await openApp(configFor(data));
  const options = { layer: null, prune: false, yes: false, actor: 'system' } as const;
  for (const [corpus_id, path] of corpora) await app.ingest({ ...options, path, corpus_id });
  await app.close();
  await withStores(data, (stores) => stores.learned());
}

async function withStores<T>(data: string, use: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await openStores(adapterConfig({ folder: data }));
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

interface DocumentRecord {
  doc_id: number;
  doc_key: string;
  revision: number;
  lang: Language;
  layer: string;
}

async function passagesOf(
  { reads }: Stores,
  layers: readonly string[],
): Promise<[DocumentRecord, Passage[]][]> {
  const { items } = await reads.find('documents', { limit: 1_000 });
  const wanted = (items as unknown as DocumentRecord[]).filter(({ layer }) => layers.includes(layer));
  return Promise.all(
    wanted.map(async (one): Promise<[DocumentRecord, Passage[]]> => {
      const { items: passages } = await reads.chunks(one.doc_id, 10_000, 0, null);
      return [one, passages];
    }),
  );
}

const documentsOf = async (stores: Stores): Promise<SectionedDocument[]> =>
  (await passagesOf(stores, ['norm', 'old'])).map(
    ([{ doc_id, doc_key, revision, lang, layer }, passages]) => ({
      doc_id,
      doc_key,
      revision,
      lang,
      layer,
      sections: sectionsOf(passages),
    }),
  );

/** A frequent question and the articles its answer names. */
interface Asked {
  lang: Language;
  text: string;
  articles: string[];
}

const questionsOf = async (stores: Stores): Promise<Asked[]> =>
  (await passagesOf(stores, ['faq'])).flatMap(([{ lang }, passages]) =>
    passages.flatMap(({ chunk, text }): Asked[] => {
      const articles = parseReferences(text).map(({ number, of }) => of?.number ?? number);
      return chunk.question === null || articles.length === 0
        ? []
        : [{ lang, text: chunk.question, articles }];
    }),
  );

function whole<T>(making: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = making.next();
    if (done) return value;
  }
}

const stemsOf = ({ heading, text }: Section, lang: Language): string[] =>
  words(`${heading} ${text}`)
    .filter((word) => !/^\d/.test(word) && !isStopWord(word))
    .map((word) => stemIn(word, lang));

/** Places from 1 of the section that says the same, for every held-out section. */
function ranksOf(twins: Twins): number[] {
  const ranks: number[] = [];
  const languages = [twins.a.lang, twins.b.lang].sort() as [Language, Language];
  for (let fold = 0; fold < folds; fold++) {
    const kept = twins.pairs.filter((_, n) => n % folds !== fold);
    const held = twins.pairs.filter((_, n) => n % folds === fold);
    const { links, seen } = whole(learnPairs(languages, unitsOf({ ...twins, pairs: kept })));
    const learned = new Lexicon();
    learned.put('bench', [{ corpus_id: 'bench', languages, links, seen }]);
    const there = twins.b.sections.map((section) => new Set(stemsOf(section, twins.b.lang)));
    const rarity = (stem: string) =>
      Math.log((1 + there.length) / (1 + there.filter((stems) => stems.has(stem)).length));
    for (const [from, to] of held) {
      const meant = new Map<string, number>();
      for (const stem of new Set(stemsOf(twins.a.sections[from]!, twins.a.lang)))
        for (const one of learned.translations('bench', stem, twins.a.lang, twins.b.lang))
          meant.set(one.stem, Math.max(meant.get(one.stem) ?? 0, one.probability * rarity(one.stem)));
      const scores = there.map(
        (stems) =>
          [...meant].reduce((sum, [stem, much]) => sum + (stems.has(stem) ? much : 0), 0) /
          Math.sqrt(stems.size),
      );
      ranks.push(1 + scores.filter((score, n) => n !== to && score >= scores[to]!).length);
    }
  }
  return ranks;
}

function heldOutSections(documents: readonly SectionedDocument[]): Row[] {
  return whole(findTwins(documents)).map((twins) => {
    const ranks = ranksOf(twins);
    const share = (most: number) => ranks.filter((rank) => rank <= most).length / ranks.length;
    return {
      measure: 'sections',
      from: `${twins.a.lang} ${twins.a.layer}`,
      to: twins.b.lang,
      asked: ranks.length,
      first: share(1),
      'of three': share(3),
      'first by chance': 1 / twins.b.sections.length,
    };
  });
}

/** The corpora of one target language: the act to be asked, and the one that teaches. */
function library(folder: string, to: Language): (readonly [string, string])[] {
  const [asked, taught] = [join(folder, 'asked'), join(folder, 'taught')];
  for (const one of [asked, taught]) mkdirSync(one, { recursive: true });
  const norm = join(sample, 'norm');
  for (const name of readdirSync(norm).filter((one) => one.includes(`-${to}.`)))
    cpSync(join(norm, name), join(asked, name));
  cpSync(join(sample, 'old'), taught, { recursive: true });
  const manifest = (id: string) => `id: ${id}\ntitle: ${id}\nlanguages: [ru, kk, en]\n`;
  writeFileSync(join(asked, 'corpus.yaml'), manifest('asked'));
  writeFileSync(join(taught, 'corpus.yaml'), manifest('taught'));
  return [
    ['asked', asked],
    ['taught', taught],
  ];
}

async function heldOutQuestions(questions: readonly Asked[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const to of ['ru', 'kk', 'en'].filter(isLanguage)) {
    const asked = questions.filter(({ lang }) => lang !== to);
    const with_ = await asksOf(to, asked, 2);
    const without = await asksOf(to, asked, 1);
    for (const from of new Set(asked.map(({ lang }) => lang))) {
      const of = (outcomes: readonly Outcome[]) => outcomes.filter(({ lang }) => lang === from);
      const share = (outcomes: readonly Outcome[], which: (one: Outcome) => boolean) =>
        of(outcomes).filter(which).length / of(outcomes).length;
      rows.push({
        measure: 'questions',
        from,
        to,
        asked: of(with_).length,
        first: share(with_, ({ place }) => place === 1),
        'of three': share(with_, ({ place }) => place <= 3),
        'first without': share(without, ({ place }) => place === 1),
        'answered by it': share(with_, ({ byTwin }) => byTwin),
        'answered otherwise': share(with_, ({ byTwin, answered }) => answered && !byTwin),
        'answered by it without': share(without, ({ byTwin }) => byTwin),
      });
    }
  }
  return rows;
}

interface Outcome {
  lang: Language;
  /** Place of the first source that is a wanted article, from 1. */
  place: number;
  answered: boolean;
  /** The first quotation is from a wanted article. */
  byTwin: boolean;
}

/** Asks the act in one language; `corpora` 1: without the one that teaches. */
async function asksOf(to: Language, questions: readonly Asked[], corpora: number): Promise<Outcome[]> {
  return withFolder(async (folder) => {
    const data = join(folder, 'data');
    await takeIn(data, library(folder, to).slice(0, corpora));
    const app = await openApp(configFor(data));
    try {
      const outcomes: Outcome[] = [];
      for (const question of questions) outcomes.push(await outcomeOf(app, question));
      return outcomes;
    } finally {
      await app.close();
    }
  });
}

async function outcomeOf(app: App, { lang, text, articles }: Asked): Promise<Outcome> {
  const isWanted = (chunk: string | undefined) => articles.includes(chunk?.split('~')[0] ?? '');
  const { sources } = await app.sourceRefs({ query: text, corpus_id: 'asked', limit: 10, caller }, never);
  const at = sources.findIndex(({ chunk_index }) => isWanted(chunk_index));
  const outcome: Outcome = {
    lang,
    place: at < 0 ? Number.POSITIVE_INFINITY : at + 1,
    answered: false,
    byTwin: false,
  };
  let first: string | undefined;
  const chunks = new Map<string, string>();
  for await (const part of app.ask({ query: text, corpus_id: 'asked', channel: 'cli', caller }, never)) {
    if (part.type === 'sources') for (const one of part.sources) chunks.set(one.ref, one.chunk_index);
    if (part.type === 'citation') first ??= part.ref;
    if (part.type === 'error') throw new Error(part.detail);
    if (part.type === 'done') outcome.answered = part.mode !== 'no_answer';
  }
  outcome.byTwin = outcome.answered && isWanted(chunks.get(first ?? ''));
  return outcome;
}
