/**
 * Cohere's chat, streamed. A stream counts as whole only when its last event has come: one that stops before is broken,
 * whatever the client makes of it. It ends a stream in silence on HTML with status 200, and on "[DONE]" anywhere in an
 * event, be it in the text of a cited document; documents are therefore sent without these letters.
 */
import type { CohereClientV2 } from 'cohere-ai';
import type { Failure } from '../../failures.ts';
import {
  type GeneratedPart,
  type GenerationRequest,
  type Generator,
  type ModelUsage,
  noUsage,
} from '../../ports/models.ts';
import { type Calls, ended, garbled, requestOptions } from './calls.ts';
import { locateCitation } from './citation-location.ts';
import type { CohereSettings, Timing } from './settings.ts';

const name = "Cohere's chat";
/** A stream that could not begin is tried once more, after at most so long. */
const secondTryMs = 2_000;

type Stream = Awaited<ReturnType<CohereClientV2['chatStream']>>;

export function cohereGenerator(
  client: CohereClientV2,
  calls: Calls,
  { chatSilenceMs, citations }: Pick<CohereSettings, 'chatSilenceMs' | 'citations'>,
  model: string,
  timing: Timing,
  onUsage: (usage: ModelUsage) => void,
): Generator {
  /** The stream, once its headers have come. */
  async function begin(
    { system, messages, documents, maxTokens, json }: GenerationRequest,
    signal: AbortSignal,
    failureOf: (error: unknown) => Failure,
  ): Promise<Stream> {
    for (let tries = 1; ; tries++) {
      try {
        return await client.chatStream(
          {
            model,
            messages: [{ role: 'system', content: system }, ...messages],
            ...(json === undefined
              ? {
                  documents: documents.map(({ id, title, text }) => ({
                    id,
                    data: { title: harmless(title), text: harmless(text) },
                  })),
                  citationOptions: { mode: citations === 'fast' ? 'FAST' : 'ACCURATE' },
                }
              : { responseFormat: { type: 'json_object', jsonSchema: { ...json } } }),
            maxTokens,
            temperature: 0,
          },
          requestOptions(signal),
        );
      } catch (error) {
        const failure = failureOf(error);
        const waitMs = (failure.retryAfterS ?? timing.random()) * 1000;
        if (!failure.retryable || failure.code === 'timeout' || tries > 1 || waitMs > secondTryMs)
          throw failure;
        await timing.sleep(waitMs, signal).catch(() => {
          throw failureOf(error);
        });
      }
    }
  }

  return {
    name: `cohere:${model}`,
    async *generate(request, signal) {
      const { passage, failureOf } = calls.enter(signal);
      const stop = new AbortController();
      let isLate = false;
      const late = () => {
        isLate = true;
        stop.abort();
      };
      const silence = setTimeout(late, chatSilenceMs);
      const ending = AbortSignal.any([signal, stop.signal]);
      let isWhole = false;
      let written = 0;
      let isBilled = true;
      const bill = (usage: { input_tokens: number; output_tokens: number } | null) => {
        isBilled = true;
        onUsage({ ...noUsage, ...(usage ?? estimated(request, written)) });
      };
      try {
        const stream = await begin(request, ending, (error) => failureOf(error, isLate));
        isBilled = false;
        const decoder = new EventDecoder();
        for await (const event of stream) {
          silence.refresh();
          for (const part of decoder.take(event)) {
            if (part.type === 'end') {
              isWhole = true;
              bill(part.usage);
            } else if (part.type === 'text') written += part.text.length;
            yield part;
          }
          if (isWhole) break;
        }
        if (!isWhole) throw garbled(name);
        passage.succeeded();
      } catch (error) {
        const failure = failureOf(error, isLate);
        ended(passage, failure);
        throw failure;
      } finally {
        clearTimeout(silence);
        // Whoever read it may have left: nothing more is to be written for nobody.
        passage.left();
        stop.abort();
        if (!isBilled) bill(null);
      }
    },
  };
}

/** Of a text in any of the languages, UTF-16 units a token at least. */
const unitsPerToken = 2.5;

/** What a stream has cost that did not say so. */
function estimated({ system, messages, documents }: GenerationRequest, written: number) {
  const texts = [
    system,
    ...messages.map(({ content }) => content),
    ...documents.flatMap(({ title, text }) => [title, text]),
  ];
  const read = texts.reduce((sum, text) => sum + text.length, 0);
  return {
    input_tokens: Math.ceil(read / unitsPerToken),
    output_tokens: Math.ceil(written / unitsPerToken),
  };
}

/** What the client would take for the end of the stream. */
const harmless = (text: string): string => text.replaceAll('[DONE]', '[DONE ]');

/** An event as the client hands it on: unchecked. */
interface LooseEvent {
  type?: unknown;
  index?: unknown;
  delta?: {
    finishReason?: unknown;
    error?: unknown;
    usage?: { billedUnits?: TokenCounts; tokens?: TokenCounts };
    message?: {
      content?: { text?: unknown };
      citations?: {
        start?: number;
        end?: number;
        text?: string;
        contentIndex?: unknown;
        sources?: { id?: unknown; type?: unknown }[];
      };
    };
  };
}

interface TokenCounts {
  inputTokens?: number;
  outputTokens?: number;
}

/** Events → parts. Failure `unavailable` for what the interface does not promise. */
class EventDecoder {
  #answer = '';
  /** Where each block of content begins in the answer: offsets count within their block. */
  readonly #blocks = new Map<unknown, number>();

  *take(raw: unknown): Iterable<GeneratedPart> {
    if (raw === null || typeof raw !== 'object') throw garbled(name);
    const { type, index, delta } = raw as LooseEvent;
    switch (type) {
      case 'content-start':
        this.#blocks.set(index, this.#answer.length);
        return;
      case 'content-delta': {
        const text = delta?.message?.content?.text;
        // A block in which the model thinks has none.
        if (text === undefined) return;
        if (typeof text !== 'string') throw garbled(name);
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
        const from = this.#blocks.get(cited?.contentIndex) ?? 0;
        const located = cited && locateCitation(this.#answer.slice(from), cited);
        if (located && documents.length > 0)
          yield { type: 'citation', start: located.start + from, end: located.end + from, documents };
        return;
      }
      case 'message-end': {
        const reason = delta?.finishReason;
        if (reason !== 'COMPLETE' && reason !== 'STOP_SEQUENCE' && reason !== 'MAX_TOKENS')
          throw garbled(name);
        yield {
          type: 'end',
          finish: reason === 'MAX_TOKENS' ? 'length' : 'stop',
          usage: tokensOf(delta?.usage?.billedUnits) ?? tokensOf(delta?.usage?.tokens),
        };
      }
    }
  }
}

function tokensOf(counts: TokenCounts | undefined): { input_tokens: number; output_tokens: number } | null {
  const { inputTokens: input_tokens, outputTokens: output_tokens } = counts ?? {};
  return Number.isFinite(input_tokens) && Number.isFinite(output_tokens)
    ? { input_tokens: input_tokens!, output_tokens: output_tokens! }
    : null;
}
