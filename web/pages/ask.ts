/** The plain ask page: the widget inside a page, with links to choose the corpus and the language. */
import type { Corpus } from '../../src/api/corpora.ts';
import { type Language, languages } from '../../src/domain/events.ts';
import { html } from './html.ts';
import { page } from './layout.ts';
import { texts } from './texts.ts';

/** `wanted`: the corpus to show; where there is none of this name, the default one, else the first. */
export function askPage(lang: Language, corpora: readonly Corpus[], wanted: string | undefined): string {
  const t = texts[lang];
  const corpus =
    corpora.find(({ corpus_id }) => corpus_id === wanted) ??
    corpora.find(({ is_default }) => is_default) ??
    corpora[0];
  const link = (corpusId: string | undefined, language: Language) =>
    `?${new URLSearchParams({ ...(corpusId !== undefined && { corpus: corpusId }), lang: language })}`;
  const choice = html`<div class="top">
<nav aria-label="${t.corpora}">${corpora.map(
    ({ corpus_id, title }) =>
      html`<a href="${link(corpus_id, lang)}"${corpus_id === corpus?.corpus_id && html` aria-current="page"`}>${title}</a>`,
  )}</nav>
<nav aria-label="${t.languages}">${languages.map(
    (other) =>
      html`<a href="${link(corpus?.corpus_id, other)}" lang="${other}" hreflang="${other}"${other === lang && html` aria-current="true"`}>${texts[other].name}</a>`,
  )}</nav>
</div>`;
  if (!corpus) return page(lang, t.ask, html`${choice}<main class="ask"><p>${t.noCorpora}</p></main>`);
  return page(
    lang,
    corpus.title,
    html`${choice}
<main class="ask">
<h1>${corpus.title}</h1>
<p>${corpus.description} <span class="faint">${t.documents(corpus.document_count)}</span></p>
<noscript><p>${t.noScript}</p></noscript>
<docent-ask inline corpus="${corpus.corpus_id}" lang="${lang}" heading="${corpus.title}" styles="${corpus.styles.join(' ')}"></docent-ask>
</main>
<script src="widget/docent.js" async></script>`,
  );
}
