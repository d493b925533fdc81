/**
 * Creates the addresses of the service's source pages; no other module does this.
 *
 * `/source/<corpus>/<document>?revision=2&chunk=23&quote=1042-1101,1200-1250#cited`, where offsets are UTF-16 units in
 * the revision's text. If questions require a key, `expires` (Unix time in seconds) and `signature` follow, because
 * readers send no key. The signature (HMAC-SHA256 over corpus, document, revision, chunk and expiry; its first 128 bits
 * in base64url) permits reading that revision of the document. It does not cover which sentences are marked.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SourceLocation, SourcePages } from '../answering/parts.ts';
import type { Span } from '../domain/span.ts';
import type { Clock } from '../ports/clock.ts';

const daySeconds = 86_400;
/**
 * A signed address is valid for seven to eight days. It expires at the end of a day, so that it stays the same
 * throughout a day.
 */
const openDays = 7;
const signatureBytes = 16;

/** The signature parameters of an address, as received. */
export interface LinkSignature {
  expires: string;
  signature: string;
}

export interface SourceLinksOptions {
  /** The public address of the service, without a trailing slash. If null, addresses begin with the path. */
  publicUrl: string | null;
  /** The secret for signing addresses. If null, addresses are not signed. */
  secret: (() => Buffer) | null;
  clock: Clock;
}

export class SourceLinks implements SourcePages {
  readonly #options: SourceLinksOptions;

  constructor(options: SourceLinksOptions) {
    this.#options = options;
  }

  page(source: SourceLocation, quotes: readonly Span[] = []): string {
    const query = this.#query(source);
    if (quotes.length > 0) query.set('quote', quotes.map(({ start, end }) => `${start}-${end}`).join(','));
    if (this.#options.secret) {
      const today = Math.floor(this.#options.clock.now().getTime() / 1000 / daySeconds);
      const expires = String((today + openDays + 1) * daySeconds);
      query.set('expires', expires);
      query.set('signature', this.#sign(source, expires).toString('base64url'));
    }
    return this.#address(source, query);
  }

  permanent(source: SourceLocation): string | null {
    return this.#options.secret ? null : this.#address(source, this.#query(source));
  }

  /** Whether the signature of an address permits reading the source. */
  check(source: SourceLocation, { expires, signature }: LinkSignature): 'valid' | 'expired' | 'invalid' {
    if (!this.#options.secret || !/^\d{1,12}$/.test(expires)) return 'invalid';
    const sent = Buffer.from(signature, 'base64url');
    if (sent.length !== signatureBytes || !timingSafeEqual(sent, this.#sign(source, expires)))
      return 'invalid';
    return Number(expires) * 1000 > this.#options.clock.now().getTime() ? 'valid' : 'expired';
  }

  #query({ revision, chunk_index }: SourceLocation): URLSearchParams {
    return new URLSearchParams({ revision: String(revision), chunk: chunk_index });
  }

  #address({ corpus_id, doc_id }: SourceLocation, query: URLSearchParams): string {
    const path = `/source/${encodeURIComponent(corpus_id)}/${doc_id}`;
    // Commas need no escaping in a query, and unescaped addresses are easier to read.
    return `${this.#options.publicUrl ?? ''}${path}?${query.toString().replaceAll('%2C', ',')}#cited`;
  }

  #sign({ corpus_id, doc_id, revision, chunk_index }: SourceLocation, expires: string): Buffer {
    const signed = JSON.stringify(['source', corpus_id, doc_id, revision, chunk_index, expires]);
    return createHmac('sha256', this.#options.secret!()).update(signed).digest().subarray(0, signatureBytes);
  }
}
