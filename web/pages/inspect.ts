/** A page with the text that was read from a file, for comparison with the original. */
import type { Chunk, Language } from '../../src/domain/events.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import { documentText } from './source.ts';
import { texts } from './texts.ts';

/** A parsed document. */
export interface Inspected {
  title: string;
  lang: Language;
  event_date: string | null;
  text: string;
  chunks: Chunk[];
  /** Remarks about the parsed text: clauses that do not begin with a capital letter or end with a full stop. */
  notes: readonly string[];
  /** Content of the file that was left out of the text, with its location. */
  left: readonly { where: string; text: string }[];
}

export function inspectionPage(documents: readonly Inspected[]): string {
  const [first] = documents;
  const lang: Language = 'en';
  return page(
    lang,
    first?.title ?? '',
    html`<main>${documents.map(
      ({ title, lang: of, event_date, text, chunks, notes, left }) => html`
<h1 lang="${of}">${title}</h1>
<p class="faint">${texts[lang].languageNames[of]}${event_date !== null && `, ${event_date}`}, ${text.length} characters, ${chunks.length} chunks</p>
${notes.map((note) => html`<p class="notice">${note}</p>`)}
${left.length > 0 && html`<details><summary>Omitted as hidden: ${left.length}</summary>${left.map(({ where, text }) => html`<p>${where !== '' && html`<b>${where}: </b>`}${text}</p>`)}</details>`}
<article class="document" lang="${of}">${documentText({ start: 0, text, chunks }, null, [], texts[lang])}</article>`,
    )}</main>`,
  );
}
