/**
 * The ask page: the widget in a page, with links to choose the corpus and the language. Without scripts, a form
 * replaces the widget, and the answer is a separate page.
 */
import type { Part } from '../../src/answering/parts.ts';
import type { Corpus } from '../../src/asks/public-corpora.ts';
import type { RecordedAsk } from '../../src/asks/replay-parts.ts';
import { type HistoryMessage, type Language, languages, questionMax } from '../../src/domain/events.ts';
import { texts as graphTexts } from './graph-texts.ts';
import { type Html, html, webAddress } from './html.ts';
import { page } from './layout.ts';
import { readableDate, texts } from './texts.ts';

export interface AskView {
  /** The corpora that the reader may search. */
  corpora: readonly Corpus[];
  /** The corpus to show; if it does not exist, the default one, or else the first. */
  wanted: string | undefined;
  /** A question to ask immediately; empty: none. */
  query: string;
  /** Whether questions require a key and the request had none. */
  keyNeeded: boolean;
}

/** The result of a question submitted with the form: all parts of the answer, or why there is none. */
export type Outcome = { parts: readonly Part[] } | { failed: keyof (typeof texts)['en']['failed'] };

export function chosenCorpus(corpora: readonly Corpus[], wanted: string | undefined): Corpus | undefined {
  return (
    corpora.find(({ corpus_id }) => corpus_id === wanted) ??
    corpora.find(({ is_default }) => is_default) ??
    corpora[0]
  );
}

/** The page with the widget. */
export function askPage(lang: Language, view: AskView): string {
  const corpus = chosenCorpus(view.corpora, view.wanted);
  const { query } = view;
  return framed(
    lang,
    view,
    corpus &&
      html`
<docent-ask inline remember beside share="answer/" corpus="${corpus.corpus_id}" lang="${lang}" heading="${corpus.title}" styles="${corpus.styles.join(' ')}" examples="${corpus.examples.join('\n')}" query="${query}">
${form(lang, corpus, query, [])}
${query === '' && examples(lang, corpus)}
</docent-ask>
</main>
<script src="widget/docent.js" async></script>`,
  );
}

/** The page returned when the form is submitted: the conversation so far, then the answer. */
export function answerPage(
  lang: Language,
  view: AskView,
  history: readonly HistoryMessage[],
  outcome: Outcome,
): string {
  const corpus = chosenCorpus(view.corpora, view.wanted);
  const { query } = view;
  const done = 'parts' in outcome ? outcome.parts.find((part) => part.type === 'done') : undefined;
  const said: HistoryMessage[] = done
    ? [...history, { role: 'user', content: query }, { role: 'assistant', content: done.answer }]
    : [...history];
  const answered = 'parts' in outcome && done;
  return framed(
    lang,
    view,
    corpus &&
      html`
${history.map(({ role, content }) => (role === 'user' ? html`<h2 class="asked">${content}</h2>` : html`<p class="answer">${content}</p>`))}
<section id="answer" class="turn">
<h2 class="asked">${query}</h2>
${answered ? answer(lang, outcome.parts, done.answer) : html`<p class="notice" role="alert">${texts[lang].failed['failed' in outcome ? outcome.failed : 'unavailable']}</p>`}
</section>
${form(lang, corpus, answered ? '' : query, said)}
</main>`,
  );
}

/** The page of a recorded answer; `parts` are complete. */
export function recordedPage(
  lang: Language,
  {
    query,
    corpus_id,
    asked_at,
    parts,
  }: Pick<RecordedAsk, 'query' | 'corpus_id' | 'asked_at'> & { parts: readonly Part[] },
): string {
  const t = texts[lang];
  const done = parts.find((part) => part.type === 'done');
  const again = new URLSearchParams({ corpus: corpus_id, lang, q: query });
  return page(
    lang,
    query,
    html`<div class="top"><nav><a href="../?${again.toString()}">${t.askAgain}</a></nav></div>
<main class="ask">
<h1>${query}</h1>
<p class="faint">${t.answered(readableDate(asked_at.slice(0, 10), lang))}</p>
<section class="turn">${answer(lang, parts, done?.answer ?? '')}</section>
<p class="faint">${t.note}</p>
</main>`,
  );
}

/** The page that explains why an answer is not shown. */
export function noAnswerPage(lang: Language, why: 'noAnswer' | 'erased'): string {
  const { title, detail } = texts[lang][why];
  return page(
    lang,
    title,
    html`<div class="top"><nav><a href="../">${texts[lang].ask}</a></nav></div>
<main><h1>${title}</h1><p>${detail}</p></main>`,
  );
}

/** The page with navigation and heading; `content` undefined: there is nothing to ask. */
function framed(lang: Language, { corpora, wanted, keyNeeded }: AskView, content: Html | undefined): string {
  const t = texts[lang];
  const corpus = chosenCorpus(corpora, wanted);
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
  if (!corpus || !content)
    return page(
      lang,
      t.ask,
      html`${choice}<main class="ask"><h1>${t.ask}</h1><p>${keyNeeded ? t.keyNeeded : t.noCorpora}</p></main>`,
    );
  return page(
    lang,
    corpus.title,
    html`${choice}
<main class="ask">
<h1>${corpus.title}</h1>
<p>${corpus.description} <span class="faint">${t.documents(corpus.document_count)} · <a href="graph?${new URLSearchParams({ corpus: corpus.corpus_id, lang }).toString()}">${graphTexts[lang].title}</a></span></p>${content}`,
  );
}

function form(lang: Language, corpus: Corpus, query: string, history: readonly HistoryMessage[]): Html {
  const t = texts[lang];
  return html`<form class="plain" method="post" action="?#answer">
<input type="hidden" name="corpus" value="${corpus.corpus_id}"><input type="hidden" name="lang" value="${lang}">
${history.length > 0 && html`<input type="hidden" name="history" value="${JSON.stringify(history)}">`}
<label for="q">${t.question}</label>
<textarea id="q" name="q" rows="2" maxlength="${questionMax}" required>${query}</textarea>
<div><small>${t.note}</small> <button>${t.send}</button></div>
</form>`;
}

function examples(lang: Language, corpus: Corpus): Html | false {
  if (corpus.examples.length === 0) return false;
  const link = (q: string) => `?${new URLSearchParams({ corpus: corpus.corpus_id, lang, q })}`;
  return html`<ul class="examples" aria-label="${texts[lang].examples}">${corpus.examples.map(
    (example) => html`<li><a href="${link(example)}">${example}</a></li>`,
  )}</ul>`;
}

/** The answer's text with numbered citations, and the list of its sources. */
function answer(lang: Language, parts: readonly Part[], text: string): Html {
  const t = texts[lang];
  const sources = parts.flatMap((part) => (part.type === 'sources' ? part.sources : []));
  const replaced = parts.some(({ type }) => type === 'replace');
  const content: (Html | string)[] = replaced ? [text] : [];
  const quotes = new Map<string, Set<string>>();
  for (const part of parts) {
    if (part.type === 'text' && !part.label && !replaced) content.push(part.text);
    if (part.type !== 'citation') continue;
    const number = sources.findIndex(({ ref }) => ref === part.ref) + 1;
    if (!replaced) content.push(html`<sup><a href="#source-${number}">${number}</a></sup>`);
    quotes.set(part.ref, (quotes.get(part.ref) ?? new Set()).add(part.quote));
  }
  return html`<p class="answer">${content}</p>
${
  sources.length > 0 &&
  html`<h3>${t.sources}</h3>
<ol class="sources">${sources.map(
    (
      { ref, title, heading, layer_title, page: number, page_url, url, lang: of },
      n,
    ) => html`<li id="source-${n + 1}">
<span lang="${of}">${[...new Set([title, heading].filter(Boolean))].join('. ') || layer_title || t.openSource}</span>${number !== undefined && html` <span class="faint">${t.page(number)}</span>`}
${[...(quotes.get(ref) ?? [])].map((quote) => html`<blockquote lang="${of}">${quote}</blockquote>`)}
<a href="${page_url}">${t.openSource}</a>${url !== page_url && webAddress(url) !== null && html` · <a href="${url}" rel="noopener noreferrer">${t.document}</a>`}
</li>`,
  )}</ol>`
}`;
}
