/**
 * Decides who may ask what, and how often. Questions are public, so a key is optional unless the configuration requires
 * one. If there is a key, it must be scoped to the corpus. The question then counts against the limits of the key or of
 * the client's address.
 */
import type { ApiKey } from '../domain/api-keys.ts';
import { activeCorpora, type CatalogState, defaultCorpus } from '../domain/catalog.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Limiter, RateLimits, RateLimitVerdict } from '../ports/limiter.ts';
import type { KeyRing } from './keys.ts';
import { blockOf, blockShare, networkOf, subjectOf } from './networks.ts';

export interface AccessDeps {
  clock: Clock;
  /** Key for deriving subjects, shared by all instances. */
  secret(): Buffer;
  keys: Pick<KeyRing, 'find'>;
  limiter: Limiter;
  /** The current catalog. */
  catalog: () => Promise<CatalogState>;
  /** The configured default, which may not exist. */
  defaultCorpus: string;
  /** Whether questions without a key are answered. */
  isPublic: boolean;
  /** Limits for each client address without a key. */
  publicLimits: RateLimits;
}

/** Maximum number of corpora listed in a sentence. */
const listedMax = 20;

/** Number of actions allowed per allowed question: opening source pages, and resuming or rating answers. */
const timesAQuestion = { ask: 1, rate: 1, resume: 4, source: 4 };
/** A key with this limit of questions per minute counts as one client; twice the limit counts as two. */
const clientRpm = 60;
/**
 * Resuming after a broken connection does not count as a question. This many resumes are allowed even if the question
 * limit is lower.
 */
const resumedAtLeast = 60;

/**
 * Limit on requests to be forgotten, because destroying keys and rebuilding read models slows down the whole service.
 */
const forgettings: RateLimits = { perMinute: 2, perHour: 10 };

export class Access {
  readonly #deps: AccessDeps;

  constructor(deps: AccessDeps) {
    this.#deps = deps;
  }

  /** Whether questions without a key are answered. */
  get isPublic(): boolean {
    return this.#deps.isPublic;
  }

  /**
   * Returns the key that a caller sent; null if none was sent (undefined). Fails with `unauthorized` if the key is
   * malformed, empty, unknown or revoked, or if it is missing and questions require one.
   */
  authenticate(sent: string | undefined): ApiKey | null {
    if (sent === undefined) {
      if (this.#deps.isPublic) return null;
      throw new Failure('unauthorized', 'An API key is required: send it as x-api-key.');
    }
    const key = this.#deps.keys.find(sent);
    if (key === null) throw new Failure('unauthorized', 'The API key is not valid.');
    return key;
  }

  /**
   * The corpus of a question. If none is specified, it is the default corpus, or the only one to which the key is
   * scoped. Fails with `forbidden` if the key is not scoped to it, and with `not_found` if there is no active corpus
   * with this name, or if none is specified and there are several. The message lists those available to this key.
   */
  async corpusFor(key: ApiKey | null, wanted: string | null): Promise<string> {
    const catalog = await this.#deps.catalog();
    const scope = key?.corpus_ids ?? [];
    const corpusId = this.#chosen(catalog, scope, wanted);
    if (catalog.corpora.get(corpusId)?.active) return corpusId;
    const choices = activeCorpora(catalog).filter((other) => scope.length === 0 || scope.includes(other));
    throw new Failure(
      'not_found',
      choices.length === 0
        ? `There is no active corpus "${corpusId}", and there are no others.`
        : `There is no active corpus "${corpusId}": specify an existing one (${listed(choices)}).`,
    );
  }

  #chosen(catalog: CatalogState, scope: readonly string[], wanted: string | null): string {
    const allowed = (corpusId: string) => scope.length === 0 || scope.includes(corpusId);
    if (wanted !== null) {
      if (allowed(wanted)) return wanted;
      throw new Failure('forbidden', 'The API key is not scoped to this corpus.');
    }
    const configured = this.#deps.defaultCorpus;
    const active = activeCorpora(catalog);
    const byDefault = defaultCorpus(active, configured);
    if (byDefault !== null && allowed(byDefault)) return byDefault;
    if (scope.length === 1) return scope[0]!;
    if (byDefault !== null)
      throw new Failure(
        'forbidden',
        `The API key is not scoped to the default corpus "${byDefault}": set corpus_id to one of the key's corpora.`,
      );
    const choices = active.filter(allowed);
    if (choices.length < 2) return choices[0] ?? configured;
    throw new Failure(
      'not_found',
      `The default corpus "${configured}" is not active: set corpus_id to one of these (${listed(choices)}).`,
    );
  }

  /**
   * The asker's subject in the history: the key or, without one, the network on that day. Repeated questions keep the
   * same subject.
   */
  subject(key: ApiKey | null, address: string): string {
    const { clock, secret } = this.#deps;
    return key === null ? subjectOf(networkOf(address), clock.now(), secret()) : `key:${key.key_id}`;
  }

  /**
   * Whether a corpus and its documents may be shown: to everyone if questions do not require a key, otherwise to
   * callers with a key for it.
   */
  mayRead(key: ApiKey | null, corpusId: string): boolean {
    if (this.#deps.isPublic) return true;
    return key !== null && (key.corpus_ids.length === 0 || key.corpus_ids.includes(corpusId));
  }

  /**
   * Counts a request by the key or, without one, the address. Null if there is no limit. `purpose` is the group of
   * requests that are counted together. If the verdict is not `allowed`, the caller must fail with `rate_limited`.
   */
  async count(
    purpose: keyof typeof timesAQuestion,
    key: ApiKey | null,
    address: string,
  ): Promise<RateLimitVerdict | null> {
    const limits = this.#limitsOf(key);
    if (limits.perMinute === 0 && limits.perHour === 0) return null;
    const { name, block } = this.clientOf(key, address);
    const most = (limit: number) =>
      limit === 0 ? 0 : Math.max(limit * timesAQuestion[purpose], purpose === 'resume' ? resumedAtLeast : 0);
    const take = (caller: string, share: number) =>
      this.#deps.limiter.take(`${purpose}:${caller}`, {
        perMinute: share * most(limits.perMinute),
        perHour: share * most(limits.perHour),
      });
    const own = await take(name, 1);
    if (block === null || !own.allowed) return own;
    const all = await take(block, blockShare);
    return all.allowed ? own : all;
  }

  #limitsOf(key: ApiKey | null): RateLimits {
    if (key === null) return this.#deps.publicLimits;
    return { perMinute: key.rate_limit_rpm, perHour: key.rate_limit_rph };
  }

  /**
   * The client whose requests are counted together: the key or, without one, the network. `share` is the number of
   * ordinary clients that it counts as, based on its limit of questions per minute; Infinity if there is no limit.
   */
  clientOf(key: ApiKey | null, address: string): { name: string; block: string | null; share: number } {
    const { perMinute } = this.#limitsOf(key);
    const share = perMinute === 0 ? Number.POSITIVE_INFINITY : Math.max(1, perMinute / clientRpm);
    if (key !== null) return { name: `key:${key.key_id}`, block: null, share };
    const network = networkOf(address);
    const block = blockOf(network);
    return { name: `address:${network}`, block: block && `address:${block}`, share };
  }

  /** Counts a request to be forgotten. As with `count`, the caller turns a refusal into `rate_limited`. */
  countForgetting(subject: string): Promise<RateLimitVerdict> {
    return this.#deps.limiter.take(`forget:${subject}`, forgettings);
  }
}

function listed(names: readonly string[]): string {
  const more = names.length - listedMax;
  return [...names.slice(0, listedMax), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
