/** A look-up as the search worker takes it. */
import type { CorpusSettings, Language } from '../domain/events.ts';
import type { RetrievalRequest } from '../retrieval/pipeline.ts';
import { asksBefore } from './intent.ts';
import type { LookUp } from './plan.ts';
import { layersOf } from './sources.ts';

/** A look-up in the public layers of one edition; `limit`: passages wanted. */
export function retrievalRequest(
  corpus: { corpus_id: string; settings: CorpusSettings },
  lang: Language,
  limit: number,
  { question, story, from, edition, references, focus }: LookUp,
): RetrievalRequest {
  const layers = layersOf(corpus.settings, edition);
  return {
    corpus_id: corpus.corpus_id,
    question,
    ...(story !== undefined && { story }),
    lang,
    ...(from !== undefined && from !== lang && { from }),
    references: references.map(({ unit, number, of, chain, act }) => ({ unit, number, of, chain, act })),
    about: [corpus.settings.title, ...layers.map(({ title }) => title)].flatMap((title) =>
      typeof title === 'string' ? [title] : Object.values(title ?? {}),
    ),
    layers: layers.map(({ name }) => name),
    limit,
    ...(asksBefore(question) && { past: true }),
    ...(focus !== undefined && { focus }),
  };
}
