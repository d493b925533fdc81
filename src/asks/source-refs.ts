/** Looks up sources without an answer: the passages on which an answer would be based, best first. */

import { fixedReply } from '../answering/fixed-reply.ts';
import { unique } from '../answering/kinds/findings.ts';
import type { Findings, Side } from '../answering/kinds/kind.ts';
import { publicSources } from '../answering/parts.ts';
import { firstFound } from '../answering/pipeline.ts';
import { recordedSource } from '../answering/writing/sources.ts';
import { orAborted } from '../async/until-aborted.ts';
import type { CorpusSettings } from '../domain/events.ts';
import { cancelled } from '../failures.ts';
import type { Found, RetrievalResult } from '../reading/passages.ts';
import type { AskDeps, SourceRefsQuestion, SourceRefsResult } from './ask-port.ts';
import { activeCorpus, askerOf, toolsIn, understandIn } from './look-ups.ts';

/** Waits for the asker's turn, then finds and records the sources for a question (see Ask.sourceRefs). */
export async function lookUpSources(
  deps: AskDeps,
  question: SourceRefsQuestion,
  signal: AbortSignal,
): Promise<SourceRefsResult> {
  const corpus = activeCorpus(deps, question.corpus_id);
  if (signal.aborted) throw cancelled();
  const started = deps.clock.now();
  const request_id = question.request_id ?? deps.newId();
  const subject = question.caller.subject ?? request_id;
  const leave = await deps.enter?.(askerOf(subject, question.query, []), signal);
  try {
    return await lookUp(deps, { ...question, request_id, subject, corpus, started }, signal);
  } finally {
    leave?.();
  }
}

async function lookUp(
  deps: AskDeps,
  question: SourceRefsQuestion & {
    request_id: string;
    subject: string;
    corpus: CorpusSettings;
    started: Date;
  },
  signal: AbortSignal,
): Promise<SourceRefsResult> {
  const { request_id, subject, corpus, started, corpus_id, query, limit = 5, caller } = question;
  const understood = await understandIn(deps, corpus_id, { query, history: [], settings: corpus }, signal);
  const reply = fixedReply(understood, corpus);
  const search = async () => {
    const tools = toolsIn(deps, { corpus_id, corpus, question: understood, limit }, (request) =>
      deps.retrieve(request, signal),
    );
    const findings = await firstFound(understood, corpus, tools);
    // A passage may cover both subjects of a comparison.
    const isNamed = findings.sides.some(({ label }) => label !== null);
    const whole = isNamed
      ? await tools.lookUp({ question: understood.text, edition: 'current', references: [] })
      : null;
    return { mode: findings.mode, found: sourcesOf(findings, limit, whole) };
  };
  const { mode, found } = reply ? { mode: reply.mode, found: [] } : await orAborted(search(), signal);
  const sources = found.map(recordedSource);
  const latency_ms = Math.max(0, deps.clock.now().getTime() - started.getTime());
  const { lang } = understood;
  await deps.commands
    .ask(request_id)
    .execute(
      {
        type: 'LookUpSources',
        lookup: {
          request_id,
          corpus_id,
          channel: 'source-refs',
          lang,
          style: null,
          key_id: caller.key_id,
          subject,
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
  return { request_id, query, mode, lang, latency_ms, sources: shown, texts: found.map(({ text }) => text) };
}

/** Provisions requested by number, then the best passages. `whole`: the result for a comparison as a whole. */
function sourcesOf({ sides, sources }: Findings, limit: number, whole: RetrievalResult | null): Found[] {
  if (sources) return sources.slice(0, limit);
  const lists = sides.map((side) => [...listed(side), ...side.found.hits]);
  if (whole) {
    const [first, ...rest] = whole.hits;
    const best = [first, ...lists.map(([one]) => one)].filter((one) => one !== undefined);
    return unique([...best, ...rest, ...lists.flat()]).slice(0, limit);
  }
  // Each side of a comparison gets an equal share. The remainder goes to the first sides.
  const share = Math.ceil(limit / lists.length);
  const inTurn = [
    ...lists.flatMap((list) => list.slice(0, share)),
    ...lists.flatMap((list) => list.slice(share)),
  ];
  return unique(inTurn).slice(0, limit);
}

const listed = ({ found: { exact } }: Side): Found[] => [
  ...exact.flatMap(({ provisions }) => provisions.map(({ passage }) => passage)),
  ...exact.flatMap(({ neighbours }) => neighbours),
];
