/** Combines the parts of an answer into a single reply. */
import type { Part, SourceRef } from '../answering/parts.ts';
import { Failure } from '../failures.ts';
import type { AskResponse } from './ask-schemas.ts';

/** Collects all parts into an answer. Throws an `error` part as its Failure. */
export async function wholeAnswer(query: string, parts: AsyncIterable<Part>): Promise<AskResponse> {
  let meta: Extract<Part, { type: 'meta' }> | undefined;
  let sources: SourceRef[] = [];
  let citations: Omit<Extract<Part, { type: 'citation' }>, 'type'>[] = [];
  for await (const part of parts) {
    switch (part.type) {
      case 'meta':
        meta = part;
        break;
      case 'sources':
        sources = part.sources;
        break;
      case 'citation': {
        const { type: _, ...citation } = part;
        citations.push(citation);
        break;
      }
      case 'replace':
        citations = [];
        break;
      case 'error':
        throw new Failure(part.code, part.detail);
      case 'done':
        if (meta === undefined) throw new Failure('internal', 'The answer never started.');
        return {
          request_id: part.request_id,
          query,
          mode: part.mode,
          lang: meta.lang,
          answer: part.answer,
          latency_ms: part.latency_ms,
          source_refs: sources.map((source) => source.ref),
          sources,
          citations,
          ...(part.degraded && { degraded: true }),
          ...(part.unverified && { unverified: true }),
        };
    }
  }
  throw new Failure('cancelled', 'The connection was closed.');
}
