/**
 * The FAQ cache. For a question that has been asked before, it finds a recorded answer or a question–answer pair from a
 * FAQ layer, either by identical words (text/question-identity.ts) or by a model's vectors (meanings.ts). An entry is
 * used only as long as all its sources are visible and unchanged.
 */
import { createHash } from 'node:crypto';
import {
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
import type { Reads } from '../answering/reads.ts';
import { StampedCache } from '../async/stamped-cache.ts';
import type { RecordedSource, RepeatableAnswer } from '../domain/events.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import type { Clock } from '../ports/clock.ts';
import type { Doc, Query } from '../ports/read-models.ts';
import { identityOf } from '../text/question-identity.ts';
import { Meanings, type QuestionVectors } from './meanings.ts';
import { asRecord, isValid, latest, restsOn, stateFor } from './validity.ts';

export interface FaqCacheDeps {
  reads: Pick<Reads, 'get' | 'getMany' | 'find'>;
  commands: Pick<Commands, 'settings' | 'catalog' | 'prompt'>;
  progress: Pick<ProjectionProgress, 'changes'>;
  clock: Clock;
  /** Computes vectors of questions with a model. If absent, questions are recognised only by their words. */
  vectors?: QuestionVectors | null;
  /** Resolves when the cache's read model includes everything that this process has appended. */
  waitForOwnWrites(): Promise<void>;
}

/** Number of askers who must have received an answer, without any negative rating, before it enters the cache. */
const entersWith = 3;
/** Maximum number of other answers to the same question to check, latest first. */
const othersMax = 5;
/** Maximum number of entries to compare with a question, latest first. */
const comparedMax = 1_000;
/** Number of recent answers whose askers this process remembers, because the read model may lag behind. */
const givenMax = 1_000;

const order: Record<FaqRecord['origin'], number> = { curated: 0, layer: 1, repeated: 2 };

const digest = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export class FaqCache implements FaqLookup {
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
    const state = await stateFor(this.#deps, found);
    const entry = found
      .sort((a, b) => order[a.origin] - order[b.origin])
      .find((one) => isValid(one, corpus, state));
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
    const contested = await this.#anyValid(corpus_id, others.slice(-othersMax));
    const enters =
      !contested && subjects.size >= entersWith && downs(before ?? {}) === 0 && before?.removed !== true;
    return { question_key, answer_key, question: query, style, prompt_version, enters, contested };
  }

  /** Whether at least one of these answers is still based on current sources. */
  async #anyValid(corpusId: string, answers: readonly string[]): Promise<boolean> {
    const corpus = this.#deps.commands.catalog.state.corpora.get(corpusId);
    if (!corpus || answers.length === 0) return false;
    const given = (await this.#deps.reads.getMany('faq_answers', answers)).filter((one) => one !== null);
    const state = await stateFor(this.#deps, given as (Doc & GivenAnswer)[]);
    return given.some((one) => restsOn(one as Doc & GivenAnswer, corpus, state));
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
}
