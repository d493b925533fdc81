/** Runs the columns of a comparison one after another: the service answers one trial at a time. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema, taken } from '../../app/api.ts';
import type { ComparedColumn } from './search.ts';

export interface Asked {
  question: string;
  columns: ComparedColumn[];
}

type Sources = Schema['SourceRefsResponse'];
export type Result =
  | { kind: 'answer'; trial: Schema['Trial'] }
  | { kind: 'past'; past: Sources; present: Sources };
export type Outcome =
  | { state: 'waiting' | 'running' }
  | { state: 'done'; result: Result }
  | { state: 'failed'; error: unknown };

/** The number of sources that an answer is written from. */
const sourcesMax = 10;
export const promptsKey = ['prompts'] as const;
export const readPrompts = ({ signal }: { signal: AbortSignal }) =>
  taken(api.GET('/admin/api/system-prompt/versions', { signal }));

async function resultOf(
  query: string,
  { corpus = '', style, model, text, as_of }: ComparedColumn,
  signal: AbortSignal,
): Promise<Result> {
  if (as_of !== undefined) {
    const body = { query, corpus_id: corpus, limit: sourcesMax };
    const past = await taken(api.POST('/api/source-refs', { body: { ...body, as_of }, signal }));
    return { kind: 'past', past, present: await taken(api.POST('/api/source-refs', { body, signal })) };
  }
  const body: Schema['TrialRequest'] = {
    query,
    corpus_id: corpus,
    history: [],
    model: model === 'configured' ? model : 'none',
    style: (style ?? null) as Schema['TrialRequest']['style'],
    ...(text !== undefined && { system_prompt: text }),
  };
  return { kind: 'answer', trial: await taken(api.POST('/admin/api/trials', { body, signal })) };
}

export function useTrials() {
  const client = useQueryClient();
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const trials = useMutation({
    mutationFn: async ({ question, columns }: Asked) => {
      setOutcomes(columns.map(() => ({ state: 'waiting' })));
      const begun = Date.now();
      for (const [n, column] of columns.entries()) {
        const set = (outcome: Outcome) =>
          setOutcomes((known) => known.map((one, at) => (at === n ? outcome : one)));
        set({ state: 'running' });
        try {
          const text = column.text ?? (await promptOf(column));
          // Handled as a read, so that it is retried while another trial runs.
          const result = await client.fetchQuery({
            queryKey: ['trials', begun, n],
            queryFn: ({ signal }) => resultOf(question, { ...column, text }, signal),
            retry: client.getDefaultOptions().queries?.retry,
            gcTime: 0,
          });
          set({ state: 'done', result });
        } catch (error) {
          set({ state: 'failed', error });
        }
      }
    },
  });

  async function promptOf({ prompt, model }: ComparedColumn): Promise<string | undefined> {
    if (prompt === undefined || model !== 'configured') return undefined;
    const { items } = await client.fetchQuery({ queryKey: promptsKey, queryFn: readPrompts });
    const found = items.find(({ version }) => version === prompt);
    if (found === undefined) throw new Error(`There is no version ${prompt} of the system prompt.`);
    return found.content;
  }

  return { outcomes, run: trials.mutate, isRunning: trials.isPending };
}
