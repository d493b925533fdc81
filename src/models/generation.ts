/**
 * A streamed answer from any provider. It is complete only if the provider says so; a stream that stops earlier is an
 * error. It is cancelled if no data arrives for too long or nobody reads it any more.
 */
import type { Failure } from '../failures.ts';
import {
  type GeneratedPart,
  type GenerationRequest,
  type Generator,
  type ModelUsage,
  noUsage,
} from '../ports/models.ts';
import { type Calls, ended, garbled } from './calls.ts';
import { eventsIn } from './event-stream.ts';
import type { Timing } from './options.ts';

/** A stream that could not start is retried once, after at most this long. */
const secondTryMs = 2_000;

/**
 * Converts the events of an answer to parts, ending with `end`. Fails with `unavailable` if the data does not match the
 * interface.
 */
export interface EventDecoder {
  take(data: string): Iterable<GeneratedPart>;
  /** Called when the stream has ended without an error. */
  close?(): Iterable<GeneratedPart>;
}

export interface GenerationOptions {
  name: string;
  calls: Calls;
  silenceMs: number;
  timing: Timing;
  onUsage(usage: ModelUsage): void;
  /** The response, once its headers have arrived. */
  open(request: GenerationRequest, signal: AbortSignal): Promise<Pick<Response, 'body'>>;
  decoder(request: GenerationRequest): EventDecoder;
}

export function streamingGenerator(options: GenerationOptions): Generator {
  const { calls, silenceMs, timing, onUsage } = options;

  async function begin(
    request: GenerationRequest,
    signal: AbortSignal,
    failureOf: (error: unknown) => Failure,
  ): Promise<ReadableStream<Uint8Array>> {
    for (let tries = 1; ; tries++) {
      try {
        const { body } = await options.open(request, signal);
        if (body === null) throw garbled(calls.name);
        return body;
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
    name: options.name,
    async *generate(request, signal) {
      const { passage, failureOf } = calls.enter(signal);
      const stop = new AbortController();
      let isLate = false;
      const late = () => {
        isLate = true;
        stop.abort();
      };
      const silence = setTimeout(late, silenceMs);
      const ending = AbortSignal.any([signal, stop.signal]);
      let isWhole = false;
      let written = 0;
      let isBilled = true;
      const bill = (usage: { input_tokens: number; output_tokens: number } | null) => {
        isBilled = true;
        onUsage({ ...noUsage, ...(usage ?? estimated(request, written)) });
      };
      const seen = (part: GeneratedPart) => {
        if (part.type === 'end') {
          isWhole = true;
          bill(part.usage);
        } else if (part.type === 'text') written += part.text.length;
        return part;
      };
      try {
        const body = await begin(request, ending, (error) => failureOf(error, isLate));
        isBilled = false;
        const decoder = options.decoder(request);
        reading: for await (const events of eventsIn(body)) {
          silence.refresh();
          for (const data of events) {
            for (const part of decoder.take(data)) yield seen(part);
            if (isWhole) break reading;
          }
        }
        if (!isWhole) for (const part of decoder.close?.() ?? []) yield seen(part);
        if (!isWhole) throw garbled(calls.name);
        passage.succeeded();
      } catch (error) {
        const failure = failureOf(error, isLate);
        ended(passage, failure);
        throw failure;
      } finally {
        clearTimeout(silence);
        // The reader may have left, so stop the generation.
        passage.left();
        stop.abort();
        if (!isBilled) bill(null);
      }
    },
  };
}

/** Minimum number of UTF-16 units per token in any of the languages. */
const unitsPerToken = 2.5;

/** The estimated usage of a stream that did not report it. */
function estimated({ system, messages, documents }: GenerationRequest, written: number) {
  const texts = [
    system,
    ...messages.map(({ content }) => content),
    ...documents.flatMap(({ title, text }) => [title, text]),
  ];
  const read = texts.reduce((sum, text) => sum + text.length, 0);
  return { input_tokens: Math.ceil(read / unitsPerToken), output_tokens: Math.ceil(written / unitsPerToken) };
}
