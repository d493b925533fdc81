/** Formats of a dossier: a JSON record, and Markdown and a self-contained page for printing. */
import { type Static, Type } from 'typebox';
import { Count, NullableText, orNull, record, Time } from '../schema.ts';
import { HistoryEvent } from './history.ts';

const Passage = Type.Object({
  ref: Type.String(),
  doc_id: Type.Integer(),
  revision: Type.Integer(),
  chunk_index: Type.String(),
  score: orNull(Type.Number()),
  shown: Type.Boolean({ description: 'Whether it was shown as a source.' }),
  title: NullableText,
  heading: NullableText,
  layer: NullableText,
  text: orNull(
    Type.String({ description: 'Text of that revision; null if it is no longer in the history.' }),
  ),
  content_hash: Type.String(),
  hash_holds: orNull(
    Type.Boolean({
      description: 'Whether the revision was published with that hash; null if there is no such revision.',
    }),
  ),
});

const Verdict = Type.Object({
  ref: Type.String(),
  revision: Type.Integer(),
  quote: Type.String(),
  start: Count,
  end: Count,
  verdict: Type.Enum(['exact', 'missing', 'unknown'], {
    description:
      'exact: found verbatim in the text; missing: not in the text; unknown: the text is unavailable.',
  }),
});

const Writing = Type.Object(
  {
    verifier: orNull(
      Type.String({ description: 'The model of the second reading; null: none was configured.' }),
    ),
    sentences: Type.Array(
      Type.Object({
        text: Type.String(),
        start: orNull(
          Type.Integer({ description: 'Offset in the answer; null: the sentence was left out.' }),
        ),
        verdict: Type.Enum(['supported', 'partly', 'not', 'contradicts', 'silent', 'code', 'unverified']),
        reason: NullableText,
        repaired_from: NullableText,
        quotes: Type.Array(Type.Object({ ref: Type.String(), quote: Type.String() })),
      }),
    ),
    calls: Type.Array(
      Type.Object({
        purpose: Type.Enum(['write', 'check', 'repair', 'search']),
        model: Type.String(),
        count: Count,
        input_tokens: Count,
        output_tokens: Count,
        cost_micro_usd: Type.Optional(Type.Number()),
      }),
    ),
  },
  { description: 'How a model wrote the answer, and how each sentence was verified.' },
);

export const Dossier = record('Dossier', {
  request_id: Type.String(),
  note: Type.String({ description: 'An explanation of the dossier.' }),
  asked: orNull(
    Type.Object({
      at: Time,
      channel: Type.String(),
      corpus_id: Type.String(),
      style: NullableText,
      key_id: orNull(Type.Integer()),
      subject: Type.String({ description: 'Opaque name of the asker.' }),
      query: Type.String(),
      rewritten: orNull(
        Type.String({
          description: 'The rewritten question used for retrieval; null: it was not rewritten.',
        }),
      ),
      history: Type.Array(Type.Unknown(), { description: 'The turns that were taken into account.' }),
      forgotten: Type.Boolean({ description: 'Whether question and answer were erased and are blank.' }),
    }),
  ),
  outcome: Type.String({ description: 'The event that ended the ask; `pending` while there is none.' }),
  answer: orNull(
    Type.Object({
      mode: Type.String(),
      lang: NullableText,
      text: Type.String(),
      model: orNull(Type.String({ description: 'null: the extractive answerer.' })),
      cached: Type.Boolean(),
      degraded: Type.Boolean(),
      unverified: Type.Boolean({
        description: 'Whether a model wrote the answer and part of it had no second reading.',
      }),
      searches: Type.Array(Type.String(), { description: 'Additional search queries.' }),
      writing: orNull(Writing),
      replaced: NullableText,
      evidence: Type.Unknown(),
      usage: Type.Unknown(),
      timings: Type.Record(Type.String(), Type.Number()),
      latency_ms: Type.Number(),
    }),
  ),
  prompt: orNull(
    Type.Object({
      version: Type.Integer(),
      text: NullableText,
      sha256: orNull(Type.String({ description: 'SHA-256 of the whole prompt except the passages.' })),
    }),
  ),
  corpus: orNull(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'The settings of the corpus at that moment.',
    }),
  ),
  passages: Type.Array(Passage, {
    description: 'The passages considered, best first, with their text at that time.',
  }),
  passages_considered: Count,
  citations: Type.Array(Verdict),
  ratings: Type.Array(Type.Object({ at: Time, rating: Type.String(), comment: NullableText })),
  events: Type.Array(HistoryEvent, { description: 'The recorded events, linked by causation.' }),
});
export type Dossier = Static<typeof Dossier>;

/** The parts of a printed dossier, in order. `text` is printed verbatim. */
type Block =
  | { kind: 'title' | 'heading' | 'line'; text: string }
  | { kind: 'facts'; facts: [name: string, value: string][] }
  | { kind: 'text'; text: string };

const said = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

function* blocksOf(dossier: Dossier): Generator<Block> {
  const { asked, answer, prompt, corpus } = dossier;
  yield { kind: 'title', text: `Dossier of ${dossier.request_id}` };
  yield { kind: 'line', text: dossier.note };
  if (asked) {
    yield { kind: 'heading', text: 'Question' };
    yield { kind: 'text', text: asked.forgotten ? 'The question was erased.' : asked.query };
    const { at, channel, corpus_id, style, key_id, subject, rewritten } = asked;
    yield { kind: 'facts', facts: facts({ at, channel, corpus_id, style, key_id, subject, rewritten }) };
    for (const turn of asked.history) yield { kind: 'text', text: said(turn) };
  }
  yield { kind: 'heading', text: `Outcome: ${dossier.outcome}` };
  if (answer) {
    const { text, timings, writing, ...rest } = answer;
    yield { kind: 'text', text };
    yield { kind: 'facts', facts: [...facts(rest), ...facts(timings, ' ms')] };
    if (writing) yield* writingBlocks(writing);
  }
  if (dossier.citations.length > 0) {
    yield { kind: 'heading', text: 'Citations' };
    for (const { ref, revision, quote, verdict } of dossier.citations) {
      yield { kind: 'line', text: `${verdict}: ${ref}, revision ${revision}` };
      yield { kind: 'text', text: quote };
    }
  }
  yield {
    kind: 'heading',
    text: `Passages: ${dossier.passages.length} of ${dossier.passages_considered} considered`,
  };
  for (const {
    ref,
    text,
    title,
    heading,
    layer,
    score,
    shown,
    revision,
    content_hash,
    hash_holds,
  } of dossier.passages) {
    yield { kind: 'line', text: `${ref}, revision ${revision}${shown ? ', shown as a source' : ''}` };
    yield { kind: 'facts', facts: facts({ title, heading, layer, score, content_hash, hash_holds }) };
    yield { kind: 'text', text: text ?? 'The history no longer contains this text.' };
  }
  if (prompt) {
    yield { kind: 'heading', text: `System prompt, version ${prompt.version}` };
    yield { kind: 'text', text: prompt.text ?? '–' };
  }
  if (corpus) {
    yield { kind: 'heading', text: 'Settings of the corpus at that moment' };
    yield { kind: 'text', text: JSON.stringify(corpus, null, 2) };
  }
  if (dossier.ratings.length > 0) {
    yield { kind: 'heading', text: 'Ratings' };
    for (const { at, rating, comment } of dossier.ratings) {
      yield { kind: 'line', text: `${at}: ${rating}` };
      if (comment !== null) yield { kind: 'text', text: comment };
    }
  }
  yield { kind: 'heading', text: 'Events' };
  for (const { time, type, id, stream, revision, causation_id } of dossier.events)
    yield {
      kind: 'line',
      text: `${said(time)} ${type} ${id}, revision ${revision} of ${stream}, caused by ${said(causation_id)}`,
    };
}

function* writingBlocks({
  verifier,
  sentences,
  calls,
}: NonNullable<NonNullable<Dossier['answer']>['writing']>): Generator<Block> {
  yield { kind: 'heading', text: 'Sentences that a model wrote' };
  yield { kind: 'facts', facts: facts({ checked_by: verifier }) };
  for (const { text, start, verdict, reason, repaired_from, quotes } of sentences) {
    yield { kind: 'line', text: `${verdict}${start === null ? ', left out' : ''}` };
    yield { kind: 'text', text };
    yield { kind: 'facts', facts: facts({ reason, repaired_from }) };
    for (const { ref, quote } of quotes) {
      yield { kind: 'line', text: `supported by ${ref}` };
      yield { kind: 'text', text: quote };
    }
  }
  for (const { purpose, model, ...used } of calls)
    yield { kind: 'facts', facts: [[`${purpose} by ${model}`, JSON.stringify(used)]] };
}

const facts = (of: Record<string, unknown>, unit = ''): [string, string][] =>
  Object.entries(of).map(([name, value]) => [name.replaceAll('_', ' '), `${said(value)}${unit}`]);

/** Joins the lines of a text and escapes Markdown's special characters. */
const line = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');

/** A fence longer than any in the text, so that people's text stays verbatim. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'title':
      return `# ${line(block.text)}`;
    case 'heading':
      return `## ${line(block.text)}`;
    case 'line':
      return line(block.text);
    case 'facts':
      return block.facts.map(([name, value]) => `- ${line(name)}: ${line(value)}`).join('\n');
    case 'text':
      return fenced(block.text);
  }
}

export function dossierMarkdown(dossier: Dossier): string {
  const parts = [...blocksOf(dossier)].map(markdownOf);
  return `${parts.join('\n\n')}\n`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (found) => entities[found]!);

export const dossierStyle =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid;padding-left:1rem}' +
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0;overflow-wrap:anywhere}';

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'title':
      return `<h1>${escaped(block.text)}</h1>`;
    case 'heading':
      return `<h2>${escaped(block.text)}</h2>`;
    case 'line':
      return `<p>${escaped(block.text)}</p>`;
    case 'facts':
      return `<dl>${block.facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`;
    case 'text':
      return `<pre>${escaped(block.text)}</pre>`;
  }
}

export function dossierHtml(dossier: Dossier): string {
  const parts = [...blocksOf(dossier)].map(htmlOf);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Dossier of ${escaped(dossier.request_id)}</title><style>${dossierStyle}</style></head>\n<body>\n${parts.join('\n')}\n</body></html>\n`;
}
