/** A dossier to be printed, as Markdown and as a page that loads nothing. */
import type { Dossier } from '../api/dossier.ts';

/** What a printed dossier is made of, in order. `text` stands as it is, whatever it holds. */
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
    yield { kind: 'text', text: asked.forgotten ? 'It was forgotten.' : asked.query };
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
    yield { kind: 'text', text: text ?? 'The history has this text no more.' };
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
      yield { kind: 'line', text: `proved by ${ref}` };
      yield { kind: 'text', text: quote };
    }
  }
  for (const { purpose, model, ...used } of calls)
    yield { kind: 'facts', facts: [[`${purpose} by ${model}`, JSON.stringify(used)]] };
}

const facts = (of: Record<string, unknown>, unit = ''): [string, string][] =>
  Object.entries(of).map(([name, value]) => [name.replaceAll('_', ' '), `${said(value)}${unit}`]);

/** Of two line breaks and more one is left in a line; what Markdown reads as its own is taken from it. */
const line = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');

/** A fence longer than any in the text: what people wrote stays what it is. */
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
