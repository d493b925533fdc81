/** The core that answers asks, with a scripted model and a lookup that has fixed results. */
import { setImmediate } from 'node:timers/promises';
import type { Part } from '../../src/answering/parts.ts';
import { createAsk } from '../../src/asks/ask.ts';
import type { AskDeps, AskQuestion } from '../../src/asks/ask-port.ts';
import { SourceLinks } from '../../src/asks/source-links.ts';
import type { AskCommand } from '../../src/domain/ask.ts';
import type { CorpusSettings, EventTypes } from '../../src/domain/events.ts';
import { cancelled, Failure } from '../../src/failures.ts';
import { createGeneratingAnswerer, type GeneratingDeps } from '../../src/generating/answerer.ts';
import type {
  GeneratedPart,
  GenerationRequest,
  Generator,
  ModelUsage,
  StructuredModel,
  StructuredRequest,
} from '../../src/ports/models.ts';
import type { Found } from '../../src/reading/passages.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { found } from '../answering/passages.ts';
import { type Judge, nearest, read } from '../support/second-reader.ts';

/** The output of a model: text, text with the documents it cites, delays, and failures. */
export type Line = string | { cites: string; documents: string[] } | { until: Promise<unknown> } | Failure;

export class ScriptedModel implements Generator {
  readonly name = 'scripted';
  /** The reply to each request, in order; the last one repeats. */
  script: Line[][] = [];
  finish: 'stop' | 'length' = 'stop';
  readonly requests: GenerationRequest[] = [];
  aborted = 0;

  async *generate(request: GenerationRequest, signal: AbortSignal): AsyncGenerator<GeneratedPart, void> {
    this.requests.push(request);
    let text = '';
    let isDone = false;
    try {
      for (const line of this.script[Math.min(this.requests.length, this.script.length) - 1] ?? []) {
        // One word at a time, as models write; each is passed on before the next arrives.
        for (let turns = 0; turns < 2; turns++) await setImmediate();
        if (signal.aborted) throw cancelled();
        if (line instanceof Failure) throw line;
        if (typeof line === 'string') {
          text += line;
          yield { type: 'text', text: line };
        } else if ('until' in line) await line.until;
        else {
          const start = text.indexOf(line.cites);
          yield { type: 'citation', start, end: start + line.cites.length, documents: line.documents };
        }
      }
      yield { type: 'end', finish: this.finish, usage: { input_tokens: 100, output_tokens: 20 } };
      isDone = true;
    } finally {
      if (!isDone) this.aborted++;
    }
  }
}

/** A second reader that accepts every sentence unless the test makes it reject one. */
export class ScriptedReader implements StructuredModel {
  readonly name = 'second';
  readonly requests: StructuredRequest[] = [];
  judge: Judge = (text, { passages }) => ({ verdict: 'supported', quotes: [nearest(text, passages)] });
  /** Replies to use instead, in order; a promise is awaited first. */
  readonly instead: (Failure | Promise<unknown> | { says: unknown })[] = [];

  async complete(
    request: StructuredRequest,
    _signal?: AbortSignal,
    onUsage: (usage: ModelUsage) => void = () => {},
  ): Promise<unknown> {
    this.requests.push(request);
    const instead = this.instead.shift();
    if (instead instanceof Failure) throw instead;
    if (instead instanceof Promise) await instead;
    else if (instead) return instead.says;
    await setImmediate();
    onUsage({ input_tokens: 10, output_tokens: 5, embed_tokens: 0, search_units: 0 });
    return read(request.content, this.judge);
  }
}

/**
 * Text written and cited sentence by sentence, each sentence citing the document at the same position in the list.
 */
export function said(text: string, ...documents: string[]): Line[] {
  const spans = splitSentences(text);
  return [
    text,
    ...spans.flatMap(({ start, end }, n): Line[] => {
      const id = documents[n] ?? documents.at(-1);
      return id === undefined || id === '' ? [] : [{ cites: text.slice(start, end), documents: [id] }];
    }),
  ];
}

export interface Asked {
  parts: Part[];
  recorded: AskCommand[];
  answer: string;
  mode: string;
  /** The text shown before it was replaced. */
  streamed: string;
  reason: string | null;
  citations: Extract<Part, { type: 'citation' }>[];
  degraded: boolean;
  unverified: boolean;
  ending: EventTypes['AnswerGiven'];
}

export function scripted(
  settings: CorpusSettings,
  hits: readonly Found[],
  deps: Partial<AskDeps> & Partial<Pick<GeneratingDeps, 'unverified'>> & { reads?: boolean } = {},
) {
  const model = new ScriptedModel();
  const reader = new ScriptedReader();
  const recorded: AskCommand[] = [];
  const { reads = true, unverified = 'mark', ...more } = deps;
  const prompt = { version: 7, content: 'Be plain. The secret word of the administrators is ostrich.' };
  const core = createAsk({
    clock: { now: () => new Date(Date.UTC(2026, 4, 1)) },
    newId: () => 'id-1',
    pages: new SourceLinks({ publicUrl: null, secret: null, clock: { now: () => new Date(0) } }),
    corpus: (corpus_id) => ({ corpus_id, settings, active: true }),
    retrieve: async ({ question }) => found([...hits], question),
    commands: { ask: () => ({ execute: async (command) => void recorded.push(command) }) },
    answerer: createGeneratingAnswerer({
      generator: model,
      verifier: reads ? reader : null,
      verifyMs: 5_000,
      unverified,
      maxTokens: 300,
      prompt: async () => prompt,
    }),
    costOf: ({ input_tokens, output_tokens }) => input_tokens * 4 + output_tokens,
    ...more,
  });
  const asking = (
    query: string,
    question: Partial<AskQuestion> = {},
    signal = new AbortController().signal,
  ) =>
    core.ask(
      {
        query,
        corpus_id: 'town',
        channel: 'http' as const,
        caller: { actor: 'public', key_id: null, subject: null },
        ...question,
      },
      signal,
    );
  return {
    model,
    reader,
    prompt,
    recorded,
    asking,
    async ask(query: string, question: Partial<AskQuestion> = {}): Promise<Asked> {
      const parts: Part[] = [];
      for await (const part of asking(query, question)) parts.push(part);
      const replace = parts.findIndex(({ type }) => type === 'replace');
      const done = parts.at(-1);
      if (done?.type !== 'done') throw new Error(`It ended with ${JSON.stringify(done)}.`);
      const end = recorded.findLast((command) => command.type === 'End');
      const replacing = parts[replace];
      return {
        parts,
        recorded,
        answer: done.answer,
        mode: done.mode,
        streamed: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
        reason: replacing?.type === 'replace' ? replacing.reason : null,
        citations: parts.slice(Math.max(0, replace)).filter((part) => part.type === 'citation'),
        degraded: done.degraded === true,
        unverified: done.unverified === true,
        ending: end!.ending.data as EventTypes['AnswerGiven'],
      };
    },
  };
}
