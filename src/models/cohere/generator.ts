/**
 * Cohere's chat, streamed. The client builds and sends the request. The response is parsed here, because the client
 * takes three times as long for each word. The client also silently ends a stream on HTML with status 200, and on
 * "[DONE]" anywhere in an event, even in the text of a cited document. Documents are still sent without that marker,
 * because proxies may interpret it too.
 */
import type { CohereClientV2 } from 'cohere-ai';
import type {
  GeneratedPart,
  GenerationRequest,
  Generator,
  ModelDocument,
  ModelUsage,
} from '../../ports/models.ts';
import { type Calls, checkedFetch, garbled } from '../calls.ts';
import { type EventDecoder, streamingGenerator } from '../generation.ts';
import { parsed } from '../json.ts';
import type { Timing } from '../options.ts';
import { locateCitation } from './citation-location.ts';
import { harmless, requestOptions } from './client.ts';
import type { CohereSettings } from './settings.ts';

export function cohereGenerator(
  clientOver: (way: typeof fetch) => CohereClientV2,
  calls: Calls,
  { silenceMs }: Pick<CohereSettings, 'silenceMs'>,
  model: string,
  timing: Timing,
  onUsage: (usage: ModelUsage) => void,
): Generator {
  /** The response; the client sees only its head. */
  async function open({ system, messages, documents, maxTokens }: GenerationRequest, signal: AbortSignal) {
    let response: Response | null = null;
    const client = clientOver(async (input, init) => {
      response = await checkedFetch(input, init);
      const { status, headers } = response;
      return new Response('', { status, headers });
    });
    await client.chatStream(
      {
        model,
        messages: [{ role: 'system', content: system }, ...messages],
        documents: documents.map(({ id, ...data }) => ({ id, data: fieldsOf(data) })),
        citationOptions: { mode: 'FAST' },
        maxTokens,
        temperature: 0,
      },
      requestOptions(signal),
    );
    return response ?? { body: null };
  }
  return streamingGenerator({
    name: `cohere:${model}`,
    calls,
    silenceMs,
    timing,
    onUsage,
    open,
    decoder: () => new CohereDecoder(calls.name),
  });
}

/** Omits absent fields. */
function fieldsOf({ title, text, date, layer, status, language, links }: Omit<ModelDocument, 'id'>) {
  const given = Object.entries({ title, text, date, layer, status, language, links: links?.join('; ') });
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, harmless(value)]])),
  );
}

/** An event as received, not validated. */
interface LooseEvent {
  type?: unknown;
  index?: unknown;
  delta?: {
    finish_reason?: unknown;
    usage?: { billed_units?: TokenCounts; tokens?: TokenCounts };
    message?: {
      content?: { text?: unknown };
      citations?: {
        start?: number;
        end?: number;
        text?: string;
        content_index?: unknown;
        sources?: { id?: unknown }[];
      };
    };
  };
}

interface TokenCounts {
  input_tokens?: number;
  output_tokens?: number;
}

class CohereDecoder implements EventDecoder {
  readonly #name: string;
  #answer = '';
  /** Offset of each content block in the answer, because citation offsets are relative to their block. */
  readonly #blocks = new Map<unknown, number>();

  constructor(name: string) {
    this.#name = name;
  }

  *take(data: string): Iterable<GeneratedPart> {
    const event = parsed(this.#name, data);
    if (event === null || typeof event !== 'object') throw garbled(this.#name);
    const { type, index, delta } = event as LooseEvent;
    switch (type) {
      case 'content-start':
        this.#blocks.set(index, this.#answer.length);
        return;
      case 'content-delta': {
        const text = delta?.message?.content?.text;
        // A thinking block has no text.
        if (text === undefined) return;
        if (typeof text !== 'string') throw garbled(this.#name);
        if (text === '') return;
        this.#answer += text;
        yield { type: 'text', text };
        return;
      }
      case 'citation-start': {
        const cited = delta?.message?.citations;
        const documents = (Array.isArray(cited?.sources) ? cited.sources : []).flatMap((source) =>
          typeof source?.id === 'string' ? [source.id] : [],
        );
        const from = this.#blocks.get(cited?.content_index) ?? 0;
        const located = cited && locateCitation(this.#answer.slice(from), cited);
        if (located && documents.length > 0)
          yield { type: 'citation', start: located.start + from, end: located.end + from, documents };
        return;
      }
      case 'message-end': {
        const reason = delta?.finish_reason;
        if (reason !== 'COMPLETE' && reason !== 'STOP_SEQUENCE' && reason !== 'MAX_TOKENS')
          throw garbled(this.#name);
        yield {
          type: 'end',
          finish: reason === 'MAX_TOKENS' ? 'length' : 'stop',
          usage: tokensOf(delta?.usage?.billed_units) ?? tokensOf(delta?.usage?.tokens),
        };
      }
    }
  }
}

function tokensOf({ input_tokens, output_tokens }: TokenCounts = {}) {
  return Number.isFinite(input_tokens) && Number.isFinite(output_tokens)
    ? { input_tokens: input_tokens!, output_tokens: output_tokens! }
    : null;
}
