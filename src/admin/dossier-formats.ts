/** Formats of a dossier: a JSON record, and Markdown and a self-contained page for printing. */
import MarkdownIt from 'markdown-it';
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
    Type.Record(Type.String(), Type.Unknown(), { description: 'The settings of the corpus at that moment.' }),
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

const said = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

/** Joins the lines of a text and escapes Markdown's special characters. */
const line = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&');

const heading = (text: string) => `## ${line(text)}`;

const facts = (of: Record<string, unknown>, unit = '') =>
  Object.entries(of)
    .map(([name, value]) => `- ${line(name.replaceAll('_', ' '))}: ${line(said(value))}${unit}`)
    .join('\n');

/** People's text, verbatim. The fence is longer than any in the text. */
function verbatim(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** The paragraphs of a dossier in Markdown. */
function* paragraphsOf(dossier: Dossier): Generator<string> {
  const { asked, answer, prompt, corpus } = dossier;
  yield `# ${line(`Dossier of ${dossier.request_id}`)}`;
  yield line(dossier.note);
  if (asked) {
    const { query, history, forgotten, ...rest } = asked;
    yield heading('Question');
    yield verbatim(forgotten ? 'The question was erased.' : query);
    yield facts(rest);
    for (const turn of history) yield verbatim(said(turn));
  }
  yield heading(`Outcome: ${dossier.outcome}`);
  if (answer) {
    const { text, timings, writing, ...rest } = answer;
    yield verbatim(text);
    yield `${facts(rest)}\n${facts(timings, ' ms')}`;
    if (writing) yield* writingParagraphs(writing);
  }
  if (dossier.citations.length > 0) yield heading('Citations');
  for (const { ref, revision, quote, verdict } of dossier.citations) {
    yield line(`${verdict}: ${ref}, revision ${revision}`);
    yield verbatim(quote);
  }
  yield heading(`Passages: ${dossier.passages.length} of ${dossier.passages_considered} considered`);
  for (const { ref, revision, shown, text, doc_id, chunk_index, ...rest } of dossier.passages) {
    yield line(`${ref}, revision ${revision}${shown ? ', shown as a source' : ''}`);
    yield facts(rest);
    yield verbatim(text ?? 'The history no longer contains this text.');
  }
  if (prompt) {
    yield heading(`System prompt, version ${prompt.version}`);
    yield verbatim(prompt.text ?? '–');
  }
  if (corpus) {
    yield heading('Settings of the corpus at that moment');
    yield verbatim(JSON.stringify(corpus, null, 2));
  }
  if (dossier.ratings.length > 0) yield heading('Ratings');
  for (const { at, rating, comment } of dossier.ratings) {
    yield line(`${at}: ${rating}`);
    if (comment !== null) yield verbatim(comment);
  }
  yield heading('Events');
  for (const { time, type, id, stream, revision, causation_id } of dossier.events)
    yield line(
      `${said(time)} ${type} ${id}, revision ${revision} of ${stream}, caused by ${said(causation_id)}`,
    );
}

function* writingParagraphs({ verifier, sentences, calls }: Static<typeof Writing>): Generator<string> {
  yield heading('Sentences that a model wrote');
  yield facts({ checked_by: verifier });
  for (const { text, start, verdict, reason, repaired_from, quotes } of sentences) {
    yield line(`${verdict}${start === null ? ', left out' : ''}`);
    yield verbatim(text);
    yield facts({ reason, repaired_from });
    for (const { ref, quote } of quotes) {
      yield line(`supported by ${ref}`);
      yield verbatim(quote);
    }
  }
  for (const { purpose, model, ...used } of calls) yield facts({ [`${purpose} by ${model}`]: used });
}

export const dossierMarkdown = (dossier: Dossier): string => `${[...paragraphsOf(dossier)].join('\n\n')}\n`;

export const dossierStyle =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid;padding-left:1rem}' +
  'li{overflow-wrap:anywhere}';

/** HTML in a text is escaped, because the parser does not allow it. */
const markdown = new MarkdownIt({ html: false });

export function dossierHtml(dossier: Dossier): string {
  const title = markdown.utils.escapeHtml(`Dossier of ${dossier.request_id}`);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${dossierStyle}</style></head>\n<body>\n${markdown.render(dossierMarkdown(dossier))}</body></html>\n`;
}
