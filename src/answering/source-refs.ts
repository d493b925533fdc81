/** Sources without an answer: provisions asked for by number first, then the best passages. */
import type { Mode, RecordedSource } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { Found } from '../retrieval/pipeline.ts';
import { recorded } from './answer-builder.ts';
import { layersOf } from './context.ts';
import {
  type AskDeps,
  activeCorpus,
  type LookedUp,
  type LookUpQuestion,
  orAborted,
  requestOf,
  unique,
} from './deps.ts';
import { publicSources } from './parts.ts';
import { isTold } from './provisions.ts';
import { read } from './understanding.ts';

/** Recorded as one event, SourcesLookedUp. Rejects with Failure `not_found`, `unavailable`, `cancelled`. */
export async function lookUpSources(
  deps: AskDeps,
  question: LookUpQuestion,
  signal: AbortSignal,
): Promise<LookedUp> {
  const { settings } = activeCorpus(deps, question.corpus_id);
  if (signal.aborted) throw new Failure('cancelled', 'The question was cancelled.');
  const started = deps.clock.now();
  const request_id = question.request_id ?? deps.newId();
  const { corpus_id, query, limit = 5, caller } = question;
  const { intent, lang } = read(query, [], settings);
  let mode: Mode = 'ordinary';
  let found: Found[] = [];
  if (intent.kind === 'greeting' || intent.kind === 'farewell' || intent.kind === 'thanks') mode = 'greeting';
  else if (intent.kind === 'meta') mode = 'meta';
  else {
    const search = (generation: 'current' | 'superseded', text: string) =>
      orAborted(
        deps.research(
          requestOf(corpus_id, settings, lang, limit, {
            question: text,
            generation,
            references: intent.references,
          }),
        ),
        signal,
      );
    const former = intent.kind === 'historical' ? await search('superseded', intent.subject) : null;
    const past = former !== null && (former.answerable || !intent.tentative);
    const first = past ? former : await search('current', intent.question);
    const provisions = first.exact.flatMap((one) => one.provisions.map(({ passage }) => passage));
    const neighbours = first.exact.flatMap((one) => one.neighbours);
    found = [...provisions, ...neighbours, ...first.hits];
    if (intent.kind === 'comparison' && layersOf(settings, 'superseded').length > 0) {
      const { hits } = await search('superseded', intent.subject);
      found = found.slice(0, Math.ceil(limit / 2)).concat(hits, found.slice(Math.ceil(limit / 2)));
    }
    mode =
      provisions.length > 0 && intent.kind === 'exact'
        ? 'exact'
        : (intent.kind === 'exact' && first.exact.some(isTold)) ||
            (provisions.length === 0 && !first.answerable)
          ? 'no_answer'
          : intent.kind === 'exact'
            ? 'ordinary'
            : intent.kind === 'historical' && !past
              ? 'ordinary'
              : intent.kind;
  }
  const sources: RecordedSource[] = unique(found).slice(0, limit).map(recorded);
  const latency_ms = Math.max(0, deps.clock.now().getTime() - started.getTime());
  const { key_id } = caller;
  await deps.commands.ask(request_id).execute(
    {
      type: 'LookUp',
      lookup: {
        request_id,
        corpus_id,
        channel: 'source-refs',
        lang,
        style: null,
        key_id,
        subject: caller.subject ?? request_id,
        asked_at: started.toISOString(),
        latency_ms,
        query,
        mode,
        sources,
      },
    },
    { actor: caller.actor, correlation_id: request_id },
    { assumeCurrent: true },
  );
  const shown = publicSources(sources, { corpus_id, citations: [], pages: deps.pages });
  return { request_id, query, mode, lang, latency_ms, sources: shown };
}
