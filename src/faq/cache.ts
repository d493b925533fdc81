/**
 * The FAQ cache. For a question that has been asked before, it finds a recorded answer or a question–answer pair from a
 * FAQ layer, either by identical words (text/question-identity.ts) or by a model's vectors (meanings.ts). An entry is
 * used only as long as all its sources are visible and unchanged.
 */
import { createHash } from 'node:crypto';
import {
  type AnswerRecord,
  answerKeys,
  askedKey,
  countsOn,
  downs,
  type FaqRecord,
  type GivenAnswer,
  givenTo,
} from '../../projections/faq.ts';
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { FaqHit, FaqLookup, FaqQuestion } from '../answering/faq-port.ts';
import { retrievalRequest } from '../answering/kinds/tools.ts';
import type { Reads } from '../answering/reads.ts';
import { recordedSource } from '../answering/writing/sources.ts';
import { pages } from '../async/pages.ts';
import { StampedCache } from '../async/stamped-cache.ts';
import type { CorpusState } from '../domain/catalog.ts';
import type { Citation, RecordedSource, RepeatableAnswer } from '../domain/events.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Doc, Query } from '../ports/read-models.ts';
import { detectLanguage } from '../text/language.ts';
import { identityOf } from '../text/question-identity.ts';
import { splitSentences } from '../text/sentences.ts';
import { isStopWord, words } from '../text/words.ts';
import type { CuratedAnswers, FaqEntry } from './curated-answers.ts';
import { Meanings, type QuestionVectors } from './meanings.ts';

export interface FaqCacheDeps {
  reads: Pick<Reads, 'get' | 'getMany' | 'find' | 'retrieve'>;
  commands: Pick<Commands, 'faq' | 'settings' | 'catalog' | 'prompt'>;
  progress: Pick<ProjectionProgress, 'waitFor' | 'changes'>;
  clock: Clock;
  /** Computes vectors of questions with a model. If absent, questions are recognised only by their words. */
  vectors?: QuestionVectors | null;
  /** Resolves when the cache's read model includes everything that this process has appended. */
  waitForOwnWrites(): Promise<void>;
}

/** Number of askers who must have received an answer, without any negative rating, before it enters the cache. */
const entersWith = 3;
/** Number of negative ratings that disable an entry. A single person must not be able to disable it for everyone. */
const downsMax = 2;
/** Maximum number of other answers to the same question to check, latest first. */
const othersMax = 5;
/** Maximum number of entries to compare with a question, latest first. */
const comparedMax = 1_000;
const latest = { field: 'created_at', descending: true };
/** Number of entries per read when listing. */
const listSlice = 500;
const shownMs = 3000;
/** Number of recent answers whose askers this process remembers, because the read model may lag behind. */
const givenMax = 1_000;
/** Number of passages to search for the sources of a curated answer. */
const lookedThrough = 12;

const order: Record<FaqRecord['origin'], number> = { curated: 0, layer: 1, repeated: 2 };

const digest = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export class FaqCache implements FaqLookup, CuratedAnswers {
  readonly #deps: FaqCacheDeps;
  readonly #meanings: Meanings | null;
  /** The entries to compare questions with, by corpus and language. */
  readonly #compared: StampedCache<string, readonly FaqRecord[]>;
  /** The askers to whom this process gave each answer, oldest answer first. */
  readonly #given = new Map<string, Set<string>>();

  constructor(deps: FaqCacheDeps) {
    this.#deps = deps;
    this.#meanings = deps.vectors ? new Meanings(deps.vectors) : null;
    this.#compared = new StampedCache(
      () => deps.progress.changes('faq'),
      (where) => this.#entries(JSON.parse(where)),
    );
  }

  /** Returns the best valid entry for a question, or null if there is none. Rejects with Failure `unavailable`. */
  async find({ corpus_id, lang, style, query }: FaqQuestion): Promise<FaqHit | null> {
    const corpus = this.#deps.commands.catalog.state.corpora.get(corpus_id);
    if (!corpus) return null;
    const inStyle = (one: FaqRecord) => (one.origin === 'layer' ? null : one.style) === style;
    const exact = (await this.#entries({ corpus_id, lang, asked: askedKey(query) })).filter(inStyle);
    const others = async () =>
      (await this.#compared.get(JSON.stringify({ corpus_id, lang }))).filter(inStyle);
    const found =
      exact.length > 0 || !this.#meanings ? exact : await this.#meanings.same(query, lang, await others());
    const now = await this.#nowFor(found);
    const entry = found
      .sort((a, b) => order[a.origin] - order[b.origin])
      .find((one) => holds(one, corpus, now));
    if (!entry) return null;
    if (entry.origin === 'layer') {
      const { entry_id, doc_id, revision, chunk_index } = entry;
      return { kind: 'pair', entry_id, doc_id, revision, chunk_index };
    }
    const { entry_id, answer, sources, citations, labels, finish_reason, answer_key } = entry;
    return { kind: 'answer', entry_id, answer, sources, citations, labels, finish_reason, answer_key };
  }

  /** Reads the latest entries that match, without checking whether they are valid. */
  async #entries(where: Query['where']): Promise<FaqRecord[]> {
    const wanted: Query = { where, orderBy: latest, limit: comparedMax };
    return (await this.#deps.reads.find('faq', wanted)).items.map(asRecord);
  }

  /**
   * Returns the data to record with an answer so that the cache can repeat it. An answer enters the cache once three
   * askers have received it.
   */
  async repeatable(
    { corpus_id, lang, style, query }: FaqQuestion,
    given: { answer: string; sources: readonly RecordedSource[]; subject: string },
  ): Promise<RepeatableAnswer> {
    // Answers recorded under an older prompt are never repeated.
    const { version: prompt_version } = await this.#deps.commands.prompt();
    const question_key = digest([corpus_id, lang, style, identityOf(query)]);
    const sources = given.sources.map((one) => [one.doc_id, one.revision, one.content_hash, one.chunk_index]);
    const answer_key = digest([question_key, prompt_version, given.answer, sources]);
    // One after the other, because a concurrent read could start another reader thread, which takes 30 MB.
    const before = await this.#deps.reads.get('faq_answers', answer_key);
    const asked = await this.#deps.reads.get('faq_questions', question_key);
    const day = this.#deps.clock.now().toISOString().slice(0, 10);
    const subjects = new Set(
      [...Object.keys(before ?? {}), ...this.#givenHere(answer_key, givenTo(given.subject, day))].filter(
        (field) => countsOn(field, day),
      ),
    );
    const others = answerKeys(asked ?? {}).filter((key) => key !== answer_key);
    const contested = await this.#anyHolds(corpus_id, others.slice(-othersMax));
    const enters =
      !contested && subjects.size >= entersWith && downs(before ?? {}) === 0 && before?.removed !== true;
    return { question_key, answer_key, question: query, style, prompt_version, enters, contested };
  }

  /** Whether at least one of these answers is still based on current sources. */
  async #anyHolds(corpusId: string, answers: readonly string[]): Promise<boolean> {
    const corpus = this.#deps.commands.catalog.state.corpora.get(corpusId);
    if (!corpus || answers.length === 0) return false;
    const given = (await this.#deps.reads.getMany('faq_answers', answers)).filter((one) => one !== null);
    const now = await this.#nowFor(given as (Doc & GivenAnswer)[]);
    return given.some((one) => restsOn(one as Doc & GivenAnswer, corpus, now));
  }

  /** Records that an asker receives an answer. Returns all its recent askers known to this process. */
  #givenHere(answerKey: string, to: string): ReadonlySet<string> {
    const all = this.#given.get(answerKey) ?? new Set();
    all.add(to);
    this.#given.delete(answerKey);
    this.#given.set(answerKey, all);
    const [oldest] = this.#given.keys();
    if (this.#given.size > givenMax && oldest !== undefined) this.#given.delete(oldest);
    return all;
  }

  async caughtUp(): Promise<void> {
    await this.#deps.waitForOwnWrites();
  }

  async list({
    limit,
    offset,
  }: {
    limit: number;
    offset: number;
  }): Promise<{ items: FaqEntry[]; total: number }> {
    await this.#deps.waitForOwnWrites();
    const { corpora } = await this.#deps.commands.catalog.load();
    const held: { entry: FaqRecord; now: Now }[] = [];
    let total = 0;
    const { reads } = this.#deps;
    for await (const items of pages((page) => reads.find('faq', { orderBy: latest, ...page }), listSlice)) {
      const entries = items.map(asRecord);
      const now = await this.#nowFor(entries);
      for (const entry of entries) {
        const corpus = corpora.get(entry.corpus_id);
        if (!corpus || !holds(entry, corpus, now)) continue;
        if (total >= offset && held.length < limit) held.push({ entry, now });
        total++;
      }
    }
    const hits = await reads.getMany(
      'faq_hits',
      held.map(({ entry }) => String(entry.entry_id)),
    );
    return { items: held.map(({ entry, now }, i) => shown(entry, hits[i] ?? null, now)), total };
  }

  /**
   * Adds a curated entry. Its sources are the passages that contain its sentences verbatim; a new revision of one of
   * these invalidates the entry. If no passage contains any of its sentences, the entry has no sources.
   */
  async add(
    { corpus_id, question, answer }: { corpus_id: string; question: string; answer: string },
    cause: Cause,
    proposal: number | null = null,
  ): Promise<FaqEntry> {
    const { commands, progress, clock } = this.#deps;
    const corpus = (await commands.catalog.load()).corpora.get(corpus_id);
    if (!corpus) throw new Failure('not_found', `There is no corpus "${corpus_id}".`);
    const lang = detectLanguage(question, undefined, corpus.settings.languages[0]);
    if (words(identityOf(question)).every(isStopWord))
      throw new Failure('invalid', 'The question is too general: it contains no specific word.');
    const { sources, citations } = await this.#foundation(corpus, lang, question, answer);
    const entry = {
      ...{ corpus_id, lang, question, answer, sources, citations },
      added_at: clock.now().toISOString(),
      added_by: cause.actor.replace(/^admin:/, ''),
    };
    const command =
      proposal === null
        ? ({ type: 'Add', entry } as const)
        : ({ type: 'Accept', proposal_id: proposal, entry } as const);
    const { position, state } = await commands.faq.execute(command, cause);
    await progress.waitFor('faq', position, shownMs).catch(() => {});
    return {
      ...{ entry_id: state.lastId, corpus_id, question, answer, lang, origin: 'curated' },
      ...{ source_refs: sources.map(({ ref }) => ref), hits: 0, last_hit_at: null },
      created_at: entry.added_at,
    };
  }

  /** Rejects a proposal. Throws Failure `not_found` if it is unknown or already decided. */
  async reject(proposal: number, cause: Cause): Promise<void> {
    const { commands, progress, clock } = this.#deps;
    const at = clock.now().toISOString();
    const by = cause.actor.replace(/^admin:/, '');
    const { position } = await commands.faq.execute({ type: 'Reject', proposal_id: proposal, at, by }, cause);
    await progress.waitFor('faq', position, shownMs).catch(() => {});
  }

  /**
   * Removes an entry of any origin. A repeated answer that was removed never enters the cache again. Throws Failure
   * `not_found` if the entry is unknown.
   */
  async remove(entryId: number, cause: Cause): Promise<void> {
    const { reads, commands, progress, clock } = this.#deps;
    const doc = await reads.get('faq', String(entryId));
    if (doc === null) throw new Failure('not_found', `There is no FAQ entry ${entryId}.`);
    const entry = asRecord(doc);
    const { position } = await commands.faq.execute(
      {
        type: 'Remove',
        entry: {
          entry_id: entryId,
          answer_key: entry.origin === 'layer' ? null : entry.answer_key,
          removed_at: clock.now().toISOString(),
          removed_by: cause.actor.replace(/^admin:/, ''),
        },
      },
      cause,
    );
    await progress.waitFor('faq', position, shownMs).catch(() => {});
  }

  /** Reads the current state needed to check entries, with a fixed number of calls for any number of entries. */
  async #nowFor(entries: readonly (FaqRecord | GivenAnswer)[]): Promise<Now> {
    const { reads, commands } = this.#deps;
    const ids = new Set<number>();
    const keys = new Set<string>();
    for (const entry of entries) {
      if ('doc_id' in entry) ids.add(entry.doc_id);
      else for (const { doc_id } of entry.sources) ids.add(doc_id);
      if ('answer_key' in entry && entry.answer_key !== null) keys.add(entry.answer_key);
    }
    const read = async (collection: string, wanted: readonly string[]) => {
      const found = wanted.length === 0 ? [] : await reads.getMany(collection, wanted);
      return new Map(wanted.map((key, n) => [key, found[n] ?? null]));
    };
    // One after the other; see `repeatable`.
    const records = async () => ({
      documents: await read('documents', [...ids].map(String)),
      answers: await read('faq_answers', [...keys]),
    });
    const [found, settings] = await Promise.all([
      records(),
      entries.length === 0 ? commands.settings.state : commands.settings.load(),
    ]);
    return { ...found, prompt: settings.prompt.version };
  }

  /**
   * Finds the passages that contain sentences of the answer verbatim, and the citations. Other passages retrieved for
   * the question are not used as sources, because they may contradict the answer.
   */
  async #foundation(
    { corpus_id, settings }: CorpusState,
    lang: FaqRecord['lang'],
    question: string,
    answer: string,
  ): Promise<Pick<AnswerRecord, 'sources' | 'citations'>> {
    const retrieved = (text: string) =>
      this.#deps.reads.retrieve(
        retrievalRequest({ corpus_id, settings }, lang, lookedThrough, {
          question: text,
          edition: 'current',
          references: [],
        }),
      );
    const asked = await retrieved(question);
    const passages = [...asked.hits, ...(await retrieved(answer.slice(0, 500))).hits];
    const sources = new Map<string, RecordedSource>();
    const citations: Citation[] = [];
    for (const { start, end } of splitSentences(answer)) {
      const quote = answer.slice(start, end);
      const passage = passages.find(({ text }) => text.includes(quote));
      if (!passage) continue;
      const source = recordedSource(passage);
      const { ref, revision, content_hash } = source;
      sources.set(ref, source);
      const source_start = passage.chunk.start + passage.text.indexOf(quote);
      citations.push({ start, end, ref, quote, revision, content_hash, source_start });
    }
    return { sources: [...sources.values()], citations };
  }
}

/** The current records by key, and the current version of the prompt. */
interface Now {
  documents: ReadonlyMap<string, Doc | null>;
  answers: ReadonlyMap<string, Doc | null>;
  prompt: number;
}

/** Whether an entry is valid: its sources are visible and unchanged, and its answer has not been removed. */
function holds(entry: FaqRecord, corpus: CorpusState, now: Now): boolean {
  if (entry.origin === 'layer') {
    const document = now.documents.get(String(entry.doc_id));
    return document?.revision === entry.revision && isVisible(document, entry.corpus_id, corpus, ['faq']);
  }
  if (!restsOn(entry, corpus, now)) return false;
  const answer = entry.answer_key === null ? null : now.answers.get(entry.answer_key);
  return !answer || (downs(answer) < downsMax && answer.removed !== true);
}

/** Whether the sources of an answer are visible and unchanged, and its prompt is the current one. */
function restsOn(
  { corpus_id, sources, prompt_version }: Pick<AnswerRecord, 'corpus_id' | 'sources' | 'prompt_version'>,
  corpus: CorpusState,
  now: Now,
): boolean {
  const isSame = ({ doc_id, revision, content_hash }: RecordedSource): boolean => {
    const document = now.documents.get(String(doc_id));
    return (
      document?.revision === revision &&
      document.content_hash === content_hash &&
      isVisible(document, corpus_id, corpus, ['text', 'faq'])
    );
  };
  return sources.every(isSame) && (prompt_version === null || prompt_version === now.prompt);
}

/** Whether a document of this corpus is published in a public layer of one of these kinds. */
function isVisible(document: Doc, corpusId: string, corpus: CorpusState, kinds: readonly string[]): boolean {
  const layer = corpus.settings.layers.find(({ name }) => name === document.layer);
  return (
    document.status === 'published' &&
    document.corpus_id === corpusId &&
    layer?.visibility === 'public' &&
    kinds.includes(layer.kind)
  );
}

/** The entry as shown to administrators. `hits`: the record of its use. */
function shown(entry: FaqRecord, hits: Doc | null, now: Now): FaqEntry {
  const { entry_id, corpus_id, question, answer, lang, origin, created_at } = entry;
  const source_refs =
    entry.origin === 'layer'
      ? [`${now.documents.get(String(entry.doc_id))?.doc_key}#${entry.chunk_index}`]
      : entry.sources.map(({ ref }) => ref);
  return {
    ...{ entry_id, corpus_id, question, answer, lang, origin, source_refs, created_at },
    hits: Number(hits?.hits ?? 0),
    last_hit_at: hits === null ? null : String(hits.last_hit_at),
  };
}

/** The projection guarantees that the fields exist. */
const asRecord = (doc: Doc): FaqRecord => doc as FaqRecord & Doc;
