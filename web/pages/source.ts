/** The source page: the text of one revision with the cited place marked, or why it is not shown. */

import type { SourceDocument } from '../../src/asks/source-document.ts';
import type { Chunk, Language } from '../../src/domain/events.ts';
import { type Html, html, webAddress } from './html.ts';
import { page } from './layout.ts';
import { localized, readableDate, texts } from './texts.ts';

type Published = Extract<SourceDocument, { status: 'published' }>;

/** Why a source is not shown. */
export type Refused = keyof (typeof texts)['en']['refusals'];

/** `chunk`: the index of the chunk that was cited. */
export function sourcePage(lang: Language, source: Published, chunk: string | undefined): string {
  const t = texts[lang];
  const { facts, published_at, current_revision } = source;
  const cited = source.chunks.find(({ chunk_index }) => chunk_index === chunk) ?? null;
  const url = webAddress(facts.url);
  const original = webAddress(facts.source_url);
  const current = chunk === undefined ? '?' : `?${new URLSearchParams({ chunk })}#cited`;
  return page(
    lang,
    facts.title,
    html`<div class="top"><nav><a href="../../?${new URLSearchParams({ corpus: facts.corpus_id, lang }).toString()}">${t.ask}</a></nav></div>
<main>
${facts.layer.title !== null && html`<p class="layer">${localized(facts.layer.title, lang)}</p>`}
<h1 lang="${facts.lang}">${facts.title}</h1>
<dl>
${facts.event_date !== null && fact(t.date, html`<time datetime="${facts.event_date}">${readableDate(facts.event_date, lang)}</time>`)}
${fact(t.language, t.languageNames[facts.lang])}
${fact(t.revision(facts.revision), html`<span class="faint">${t.publishedAt} ${readableDate(published_at, lang)}</span>`)}
${url !== null && html`<div><a href="${url}" rel="noopener noreferrer">${t.document}</a></div>`}
${original !== null && html`<div><a href="${original}" rel="noopener noreferrer">${t.original}</a></div>`}
${fact(t.hash, html`<code>${facts.content_hash}</code>`)}
</dl>
${facts.layer.kind === 'superseded' && html`<p class="notice">${t.superseded}</p>`}
${
  current_revision !== facts.revision &&
  html`<p class="notice">${t.outdated(current_revision)} <a href="${current}">${t.showCurrent}</a></p>`
}
${chunk !== undefined && cited === null && html`<p class="notice">${t.noSuchChunk}</p>`}
<article class="document" lang="${facts.lang}">
${documentText(source.text, source.chunks, cited)}
</article>
</main>`,
  );
}

/** The page of a source that is not shown; nothing of it stands there. */
export function refusalPage(lang: Language, refused: Refused): string {
  const t = texts[lang];
  const { title, detail } = t.refusals[refused];
  return page(
    lang,
    title,
    html`<div class="top"><nav><a href="/">${t.ask}</a></nav></div>
<main><h1>${title}</h1><p>${detail}</p></main>`,
  );
}

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/**
 * Blocks of text stand apart by blank lines; one that is a heading of a chunk is shown as a heading. The first piece
 * of the cited place takes the focus, so that the browser scrolls to it even where the address has no fragment.
 */
function documentText(text: string, chunks: readonly Chunk[], cited: Chunk | null): Html[] {
  const levels = new Map<string, number>();
  for (const { path, heading } of chunks) {
    for (const [depth, name] of path.entries()) levels.set(name, depth);
    if (heading !== '' && !levels.has(heading)) levels.set(heading, path.length);
  }
  const blocks: Html[] = [];
  let isFirst = true;
  for (let start = 0, end = 0; start < text.length; start = end) {
    while (text[start] === '\n') start++;
    end = text.indexOf('\n\n', start);
    if (end < 0) end = text.length;
    if (start === end) break;
    const level = levels.get(text.slice(start, end).trim());
    const tag = level === undefined ? 'p' : level === 0 ? 'h2' : 'h3';
    const from = Math.max(start, Math.min(end, cited?.start ?? end));
    const to = Math.max(from, Math.min(end, cited?.end ?? end));
    if (from === to) {
      blocks.push(element(tag, false, html`${text.slice(start, end)}`));
      continue;
    }
    const marked = isFirst
      ? html`<mark id="cited" tabindex="-1" autofocus>${text.slice(from, to)}</mark>`
      : html`<mark>${text.slice(from, to)}</mark>`;
    isFirst = false;
    const content = html`${text.slice(start, from)}${marked}${text.slice(to, end)}`;
    blocks.push(element(tag, from === start && to === end, content));
  }
  return blocks;
}

function element(tag: 'p' | 'h2' | 'h3', cited: boolean, content: Html): Html {
  const attributes = cited && html` class="cited"`;
  switch (tag) {
    case 'p':
      return html`<p${attributes}>${content}</p>\n`;
    case 'h2':
      return html`<h2${attributes}>${content}</h2>\n`;
    case 'h3':
      return html`<h3${attributes}>${content}</h3>\n`;
  }
}
