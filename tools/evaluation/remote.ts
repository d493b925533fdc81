/** A running server, called over HTTP like any client. */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../src/failures.ts';
import type { EvaluatedService, StreamedPart } from './running.ts';

export interface RemoteOptions {
  base: string;
  /** An API key; null: asks without a key. */
  key: string | null;
  /** `name:password` of an administrator, for reading the cost of an ask; null: the cost is unknown. */
  admin: string | null;
  /** Called once when the server limits questions and the run waits. */
  onLimited(seconds: number): void;
  fetch?: typeof fetch;
}

/** Number of sources to request, the maximum per request. */
export const sourcesWanted = 20;
/** Maximum number of rate-limit waits per question. */
const waitsMax = 100;

export function remoteService({
  base,
  key,
  admin,
  onLimited,
  fetch: send = fetch,
}: RemoteOptions): EvaluatedService {
  const root = base.replace(/\/+$/, '');

  async function post(path: string, body: object, signal: AbortSignal): Promise<Response> {
    for (let waits = 0; ; waits++) {
      const response = await send(`${root}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key !== null && { 'x-api-key': key }) },
        body: JSON.stringify(body),
        signal,
      }).catch(() => {
        signal.throwIfAborted();
        throw new Failure('unavailable', `${root} cannot be reached.`);
      });
      if (response.ok) return response;
      const seconds = Number(response.headers.get('retry-after'));
      const detail = await detailOf(response);
      if (response.status !== 429 || !(seconds > 0) || waits >= waitsMax)
        throw new Failure('unavailable', `${root} responded with status ${response.status}: ${detail}`);
      onLimited(seconds);
      await delay(seconds * 1000, undefined, { signal });
    }
  }

  return {
    async *ask({ query, history, style }, corpus, signal) {
      const body = {
        query,
        ...(corpus !== null && { corpus_id: corpus }),
        ...(style !== null && { style }),
        history,
      };
      const { body: stream } = await post('/api/ask/stream', body, signal);
      if (stream) yield* eventsOf(stream);
    },
    async documents({ query }, corpus, signal) {
      const body = { query, ...(corpus !== null && { corpus_id: corpus }), limit: sourcesWanted };
      const { sources } = (await (await post('/api/source-refs', body, signal)).json()) as {
        sources: { doc_key: string }[];
      };
      return sources.map(({ doc_key }) => doc_key);
    },
    async record(requestId) {
      if (admin === null) return null;
      const authorization = `Basic ${Buffer.from(admin).toString('base64')}`;
      const response = await send(`${root}/admin/api/asks/${requestId}`, { headers: { authorization } });
      if (!response.ok)
        throw new Failure('forbidden', `Reading the record of an ask failed with status ${response.status}.`);
      return recordOf((await response.json()) as { answer: RecordedAnswer | null });
    },
  };
}

async function detailOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return String((JSON.parse(text) as { detail: unknown }).detail).slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}

interface RecordedAnswer {
  evidence?: unknown;
  usage?: unknown;
}

/** The evidence and the cost in a dossier. */
export function recordOf({ answer }: { answer: RecordedAnswer | null }): {
  evidence: number | null;
  cost_micro_usd: number | null;
} {
  const { score } = (answer?.evidence ?? {}) as { score?: number };
  const { cost_micro_usd: cost } = (answer?.usage ?? {}) as { cost_micro_usd?: number };
  return { evidence: score ?? null, cost_micro_usd: cost ?? null };
}

/** Parses the events of the service's stream: each has one name and one line of data; comments are pings. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamedPart, void> {
  let text = '';
  for await (const piece of stream.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>) {
    text += piece;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const frame = text.slice(0, end);
      text = text.slice(end + 2);
      const type = /^event: (.*)$/m.exec(frame)?.[1];
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (type !== undefined && data !== undefined) yield { ...JSON.parse(data), type } as StreamedPart;
    }
  }
}
