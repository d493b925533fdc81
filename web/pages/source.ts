/** The source page: part of a revision's text with the quoted sentences marked, or the reason why it is not shown. */

import type { SourceDocument, SourceText } from '../../src/asks/source-document.ts';
import type { Chunk, Language, Mark } from '../../src/domain/events.ts';
import type { Span } from '../../src/domain/span.ts';
import { type Html, html, webAddress } from './html.ts';
import { page } from './layout.ts';
import { localized, readableDate, texts } from './texts.ts';

type Published = Extract<SourceDocument, { status: 'published' }>;

/** Why a source is not shown. */
export type Refused = keyof (typeof texts)['en']['refusals'];

export interface SourceView {
  source: Omit<Published, 'status' | 'read'>;
  text: SourceText;
  /** Index of the cited chunk. */
  chunk: string | undefined;
  /** The quoted ranges; if there are none, the whole chunk is marked. */
  quotes: readonly Span[];
  /** The page's query, for links to other parts of the document. */
  query: URLSearchParams;
  /** Whether the address is signed. A signed address opens only this revision. */
  signed: boolean;
}

export function sourcePage(
  lang: Language,
  { source, text, chunk, quotes, query, signed }: SourceView,
): string {
  const t = texts[lang];
  const { facts, layer, published_at, current_revision, cited_part } = source;
  const cited = text.chunks.find(({ chunk_index }) => chunk_index === chunk) ?? null;
  const url = webAddress(facts.url);
  const original = webAddress(facts.source_url);
  const current = chunk === undefined ? '?' : `?${new URLSearchParams({ chunk })}#cited`;
  const layerTitle = layer.title === null ? '' : localized(layer.title, lang);
  const heading = (cited ?? text.chunks[0])?.heading ?? '';
  const title = facts.title || heading || layerTitle || t.untitled;
  const marks = quotes.length > 0 ? quotes : cited ? [cited] : [];
  const parts = source.parts > 1 && partLinks(lang, source, query);
  return page(
    lang,
    title,
    html`<div class="top"><nav><a target="_top" href="../../?${new URLSearchParams({ corpus: facts.corpus_id, lang }).toString()}">${t.ask}</a></nav></div>
<main>
${layerTitle !== '' && html`<p class="layer">${layerTitle}</p>`}
<h1 lang="${facts.lang}">${title}</h1>
<dl>
${facts.event_date !== null && fact(t.date, html`<time datetime="${facts.event_date}">${readableDate(facts.event_date, lang)}</time>`)}
${fact(t.language, t.languageNames[facts.lang])}
${fact(t.revision(facts.revision), html`<span class="faint">${t.publishedAt} ${readableDate(published_at, lang)}</span>`)}
${url !== null && html`<div><a href="${url}" target="_blank" rel="noopener noreferrer">${t.document}</a></div>`}
${original !== null && html`<div><a href="${original}" target="_blank" rel="noopener noreferrer">${t.original}</a></div>`}
${fact(t.hash, html`<code>${facts.content_hash}</code>`)}
</dl>
${layer.kind === 'superseded' && html`<p class="notice">${t.superseded}</p>`}
${
  current_revision !== facts.revision &&
  html`<p class="notice">${t.outdated(current_revision)}${!signed && html` <a href="${current}">${t.showCurrent}</a>`}</p>`
}
${chunk !== undefined && cited_part === null && html`<p class="notice">${t.noSuchChunk}</p>`}
${
  cited_part !== null &&
  cited_part !== source.part &&
  html`<p class="notice">${t.elsewhere} <a href="${partAddress(query, cited_part)}#cited">${t.showCited}</a></p>`
}
${parts}
<article class="document" lang="${facts.lang}">
${documentText(text, cited, marks, t)}
</article>
${parts}
</main>`,
  );
}

/** The page of a source that is not shown; it contains no text of the source. */
export function refusalPage(lang: Language, refused: Refused): string {
  const t = texts[lang];
  const { title, detail } = t.refusals[refused];
  return page(
    lang,
    title,
    html`<div class="top"><nav><a target="_top" href="../../">${t.ask}</a></nav></div>
<main><h1>${title}</h1><p>${detail}</p></main>`,
  );
}

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function partLinks(
  lang: Language,
  { part, parts }: Pick<Published, 'part' | 'parts'>,
  query: URLSearchParams,
): Html {
  const t = texts[lang];
  return html`<nav class="parts" aria-label="${t.parts}">
${part > 1 && html`<a rel="prev" href="${partAddress(query, part - 1)}">← ${t.before}</a>`}
<span class="faint">${t.part(part, parts)}</span>
${part < parts && html`<a rel="next" href="${partAddress(query, part + 1)}">${t.after} →</a>`}
</nav>`;
}

function partAddress(query: URLSearchParams, part: number): string {
  const other = new URLSearchParams(query);
  other.set('part', String(part));
  return `?${other}`;
}

/**
 * The text as blocks, separated by blank lines. Chunk headings become headings, without skipping a level. The blocks of
 * the cited passage are highlighted, and the quoted ranges are marked. The first mark receives the focus, so that the
 * browser scrolls to it even if the address has no fragment.
 */
export function documentText(
  { start: origin, text, chunks }: SourceText,
  cited: Chunk | null,
  marks: readonly Span[],
  t: (typeof texts)[Language],
): Html[] {
  const levels = new Map<string, number>();
  for (const { path, heading } of chunks) {
    for (const [depth, name] of path.entries()) levels.set(name, depth);
    if (heading !== '' && !levels.has(heading)) levels.set(heading, path.length);
  }
  const here = marks.map(({ start, end }) => ({ start: start - origin, end: end - origin }));
  const placed = chunks.flatMap(({ start, marks: own = [] }) =>
    own.map((mark) => ({ ...mark, start: mark.start + start - origin, end: mark.end + start - origin })),
  );
  const inline = placed.filter(({ kind }) => kind === 'link' || kind === 'struck');
  const printed = placed.filter((mark) => mark.kind === 'page');
  const blocks: Html[] = [];
  let lastPage = 0;
  let isFirst = true;
  let above = 1;
  for (let start = 0, end = 0; start < text.length; start = end) {
    while (text[start] === '\n') start++;
    end = text.indexOf('\n\n', start);
    if (end < 0) end = text.length;
    if (start === end) break;
    const depth = levels.get(text.slice(start, end).trim());
    const level = depth === undefined ? null : Math.min(depth === 0 ? 2 : 3, above + 1);
    if (level !== null) above = level;
    const page = printed.find((mark) => mark.start < end && mark.end > start)?.page;
    if (page !== undefined && page !== lastPage) {
      blocks.push(html`<p class="faint">${t.page(page)}</p>\n`);
      lastPage = page;
    }
    const content: Html[] = [];
    const edges = [...here, ...inline].flatMap((one) => [one.start, one.end]);
    const cuts = [...new Set([start, ...edges.filter((at) => at > start && at < end), end])].sort(
      (a, b) => a - b,
    );
    for (const [n, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[n + 1]!;
      const around = ({ start, end }: Span) => start <= from && end >= to;
      const isQuoted = here.some(around);
      content.push(inlineText(text.slice(from, to), inline.filter(around), isQuoted, isQuoted && isFirst));
      isFirst &&= !isQuoted;
    }
    const inside = cited !== null && cited.start - origin < end && cited.end - origin > start;
    blocks.push(element(level, inside, html`${content}`));
  }
  return blocks;
}

/** A range of text with its marks (links, strikethrough); `isFirst`: the first quoted range. */
function inlineText(text: string, marks: readonly Mark[], isQuoted: boolean, isFirst: boolean): Html {
  const link = marks.find((mark) => mark.kind === 'link');
  const url = link ? webAddress(link.url) : null;
  let content = html`${text}`;
  if (marks.some(({ kind }) => kind === 'struck')) content = html`<del>${content}</del>`;
  if (url !== null)
    content = html`<a href="${url}" target="_blank" rel="noopener noreferrer nofollow">${content}</a>`;
  if (!isQuoted) return content;
  return isFirst
    ? html`<mark id="cited" tabindex="-1" autofocus>${content}</mark>`
    : html`<mark>${content}</mark>`;
}

function element(level: number | null, cited: boolean, content: Html): Html {
  const attributes = cited && html` class="cited"`;
  switch (level) {
    case null:
      return html`<p${attributes}>${content}</p>\n`;
    case 2:
      return html`<h2${attributes}>${content}</h2>\n`;
    default:
      return html`<h3${attributes}>${content}</h3>\n`;
  }
}
