/** Asks a service a question, and returns the content of the answer. */
import type { Part } from '../../src/answering/parts.ts';
import type { App } from '../../src/app-port.ts';

type AskInput = Parameters<App['ask']>[0];

/** The caller and other fields. Default: the command line, without a key. */
export type Asking = Partial<Omit<AskInput, 'query' | 'caller'>> & { subject?: string | null };

export const callerOf = (subject: string | null) => ({ actor: 'public', key_id: null, subject });

export async function partsOf(
  app: { ask(input: AskInput, signal: AbortSignal): AsyncIterable<Part> },
  query: string,
  { subject = null, ...more }: Asking = {},
): Promise<Part[]> {
  const parts: Part[] = [];
  const input: AskInput = { query, channel: 'cli', caller: callerOf(subject), ...more };
  for await (const part of app.ask(input, new AbortController().signal)) parts.push(part);
  return parts;
}

/** Rejects if the question is not answered. */
export async function answerOf(...asked: Parameters<typeof partsOf>) {
  const parts = await partsOf(...asked);
  const one = <T extends Part['type']>(type: T) =>
    parts.find((part): part is Extract<Part, { type: T }> => part.type === type);
  const done = one('done');
  if (!done) throw new Error(`It was not answered: ${JSON.stringify(parts.at(-1))}`);
  const citations = parts.filter((part) => part.type === 'citation');
  return {
    parts,
    done,
    request_id: done.request_id,
    cached: done.cached,
    degraded: done.degraded ?? false,
    mode: done.mode,
    lang: one('meta')?.lang,
    answer: done.answer,
    citations,
    refs: one('sources')?.source_refs ?? [],
    sources: one('sources')?.sources ?? [],
    quotes: citations.map(({ quote }) => quote),
  };
}
