/** Streamed chat of an OpenAI-compatible server. The model is asked to write citations as markers in the text. */
import type OpenAI from 'openai';
import type { GeneratedPart, Generator, ModelUsage } from '../../ports/models.ts';
import { type Calls, garbled } from '../calls.ts';
import { type EventDecoder, streamingGenerator } from '../generation.ts';
import { parsed } from '../json.ts';
import type { Timing } from '../options.ts';
import { CitationMarkers } from './citation-markers.ts';
import { RequestForms } from './forms.ts';
import { chatMessages } from './prompt.ts';
import type { OpenAiSettings } from './settings.ts';

export function openAiGenerator(
  client: OpenAI,
  calls: Calls,
  { silenceMs }: Pick<OpenAiSettings, 'silenceMs'>,
  model: string,
  timing: Timing,
  onUsage: (usage: ModelUsage) => void,
): Generator {
  const forms = new RequestForms([{ stream_options: { include_usage: true } }, {}]);
  return streamingGenerator({
    name: `openai:${model}`,
    calls,
    silenceMs,
    timing,
    onUsage,
    open: (request, signal) =>
      forms.send((form) => {
        const { maxTokens: max_tokens } = request;
        const messages = chatMessages(request);
        return client.chat.completions
          .create({ model, messages, max_tokens, temperature: 0, stream: true, ...form }, { signal })
          .asResponse();
      }),
    decoder: ({ documents }) =>
      new ChunkDecoder(
        calls.name,
        documents.map(({ id }) => id),
      ),
  });
}

/** A chunk as received, not validated. */
interface LooseChunk {
  choices?: unknown;
  usage?: unknown;
}

interface LooseChoice {
  delta?: { content?: unknown } | null;
  finish_reason?: unknown;
}

/** Decodes the text, then the finish reason, then the usage if the server reports it. */
class ChunkDecoder implements EventDecoder {
  readonly #name: string;
  readonly #markers: CitationMarkers;
  #finish: 'stop' | 'length' | null = null;
  #usage: { input_tokens: number; output_tokens: number } | null = null;
  #hasEnded = false;

  constructor(name: string, ids: readonly string[]) {
    this.#name = name;
    this.#markers = new CitationMarkers(ids);
  }

  *take(data: string): Iterable<GeneratedPart> {
    if (data.trim() === '[DONE]') {
      if (this.#finish === null) throw garbled(this.#name);
      yield* this.close();
      return;
    }
    const chunk = parsed(this.#name, data);
    if (chunk === null || typeof chunk !== 'object') throw garbled(this.#name);
    const { choices, usage } = chunk as LooseChunk;
    this.#usage = tokensOf(usage) ?? this.#usage;
    // An error response has no choices.
    if (!Array.isArray(choices)) throw garbled(this.#name);
    const choice: LooseChoice | undefined = choices[0];
    const content = choice?.delta?.content ?? '';
    if (typeof content !== 'string') throw garbled(this.#name);
    if (content !== '' && this.#finish === null) yield* this.#markers.take(content);
    const reason = choice?.finish_reason || null;
    if (reason === null || this.#finish !== null) return;
    if (reason !== 'stop' && reason !== 'length') throw garbled(this.#name);
    this.#finish = reason;
    yield* this.#markers.end();
  }

  *close(): Iterable<GeneratedPart> {
    if (this.#finish === null || this.#hasEnded) return;
    this.#hasEnded = true;
    yield { type: 'end', finish: this.#finish, usage: this.#usage };
  }
}

export function tokensOf(usage: unknown): { input_tokens: number; output_tokens: number } | null {
  const { prompt_tokens, completion_tokens } = (usage ?? {}) as Record<string, unknown>;
  return Number.isFinite(prompt_tokens) && Number.isFinite(completion_tokens)
    ? { input_tokens: prompt_tokens as number, output_tokens: completion_tokens as number }
    : null;
}
