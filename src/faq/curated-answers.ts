/** The administrators' view of the FAQ cache: its valid entries, and entries they write, accept, reject and remove. */
import type { AnswerRecord, FaqRecord } from '../../projections/faq.ts';
import type { ProjectionProgress } from '../../projections/progress.ts';
import { retrievalRequest } from '../answering/kinds/tools.ts';
import type { Reads } from '../answering/reads.ts';
import { recordedSource } from '../answering/writing/sources.ts';
import { pages } from '../async/pages.ts';
import type { CorpusState } from '../domain/catalog.ts';
import type { Citation, Language, RecordedSource } from '../domain/events.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Doc } from '../ports/read-models.ts';
import { detectLanguage } from '../text/language.ts';
import { identityOf } from '../text/question-identity.ts';
import { splitSentences } from '../text/sentences.ts';
import { isStopWord, words } from '../text/words.ts';
import { asRecord, type CurrentState, isValid, latest, stateFor } from './validity.ts';

export interface FaqPair {
  corpus_id: string;
  question: string;
  answer: string;
}

export interface FaqEntry extends FaqPair {
  entry_id: number;
  lang: Language;
  /** Whether the entry comes from a FAQ layer, an administrator, or a repeated answer. */
  origin: 'layer' | 'curated' | 'repeated';
  source_refs: string[];
  hits: number;
  last_hit_at: string | null;
  created_at: string;
}

export interface CuratedAnswersDeps {
  reads: Pick<Reads, 'get' | 'getMany' | 'find' | 'retrieve'>;
  commands: Pick<Commands, 'faq' | 'settings' | 'catalog'>;
  progress: Pick<ProjectionProgress, 'waitFor'>;
  clock: Clock;
  /** Resolves when the cache's read model includes everything that this process has appended. */
  waitForOwnWrites(): Promise<void>;
}

interface Page {
  limit: number;
  offset: number;
}

/** Number of entries per read when listing. */
const listSlice = 500;
const shownMs = 3000;
/** Number of passages to search for the sources of a curated answer. */
const lookedThrough = 12;

export class CuratedAnswers {
  readonly #deps: CuratedAnswersDeps;

  constructor(deps: CuratedAnswersDeps) {
    this.#deps = deps;
  }

  /** The valid entries, newest first. */
  async list({ limit, offset }: Page): Promise<{ items: FaqEntry[]; total: number }> {
    await this.#deps.waitForOwnWrites();
    const { corpora } = await this.#deps.commands.catalog.load();
    const held: { entry: FaqRecord; state: CurrentState }[] = [];
    let total = 0;
    const { reads } = this.#deps;
    for await (const items of pages((page) => reads.find('faq', { orderBy: latest, ...page }), listSlice)) {
      const entries = items.map(asRecord);
      const state = await stateFor(this.#deps, entries);
      for (const entry of entries) {
        const corpus = corpora.get(entry.corpus_id);
        if (!corpus || !isValid(entry, corpus, state)) continue;
        if (total >= offset && held.length < limit) held.push({ entry, state });
        total++;
      }
    }
    const hits = await reads.getMany(
      'faq_hits',
      held.map(({ entry }) => String(entry.entry_id)),
    );
    return { items: held.map(({ entry, state }, i) => shown(entry, hits[i] ?? null, state)), total };
  }

  /**
   * Adds a curated entry. Its sources are the passages that contain its sentences verbatim; a new revision of one of
   * these invalidates the entry. If no passage contains any of its sentences, the entry has no sources. `proposal`: the
   * number of the proposal to accept. Throws Failure `not_found` if the corpus or the proposal is unknown or the
   * proposal is already decided, and `invalid` if the pair cannot become an entry.
   */
  async add(
    { corpus_id, question, answer }: FaqPair,
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
      corpus_id,
      lang,
      question,
      answer,
      sources,
      citations,
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
      entry_id: state.lastId,
      corpus_id,
      question,
      answer,
      lang,
      origin: 'curated',
      source_refs: sources.map(({ ref }) => ref),
      hits: 0,
      last_hit_at: null,
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

/** The entry as shown to administrators. `hits`: the record of its use. */
function shown(entry: FaqRecord, hits: Doc | null, state: CurrentState): FaqEntry {
  const { entry_id, corpus_id, question, answer, lang, origin, created_at } = entry;
  const source_refs =
    entry.origin === 'layer'
      ? [`${state.documents.get(String(entry.doc_id))?.doc_key}#${entry.chunk_index}`]
      : entry.sources.map(({ ref }) => ref);
  return {
    entry_id,
    corpus_id,
    question,
    answer,
    lang,
    origin,
    source_refs,
    created_at,
    hits: Number(hits?.hits ?? 0),
    last_hit_at: hits === null ? null : String(hits.last_hit_at),
  };
}
