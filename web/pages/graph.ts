/**
 * The page of the knowledge graph: the neighbours of a name, as a drawing and as lists with their sources. It
 * consists of links and a form; a script adds zooming.
 */
import type { GraphEdge, GraphNode, GraphQueryResponse } from '../../src/asks/graph-schema.ts';
import type { Corpus } from '../../src/asks/public-corpora.ts';
import { type Language, languages } from '../../src/domain/events.ts';
import { chosenCorpus } from './ask.ts';
import { type Drawn, picture, sheets } from './graph-picture.ts';
import { texts as graphTexts } from './graph-texts.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { texts } from './texts.ts';

/** The content: the neighbours of a name, the most mentioned names, or why there is neither. */
export type Shown =
  | { asked: string; answer: GraphQueryResponse; also: readonly GraphNode[] }
  | { top: readonly GraphNode[] }
  | { asked: string; failed: keyof (typeof graphTexts)['en']['failed'] };

export interface GraphView {
  corpora: readonly Corpus[];
  wanted: string | undefined;
  keyNeeded: boolean;
  shown: Shown;
}

/** Maximum number of links to sources, for one edge and for the node itself. */
const edgePlaces = 3;
const nodePlaces = 12;

export function graphPage(lang: Language, { corpora, wanted, keyNeeded, shown }: GraphView): string {
  const [t, own] = [texts[lang], graphTexts[lang]];
  const corpus = chosenCorpus(corpora, wanted);
  const asked = 'asked' in shown ? shown.asked : '';
  const address = (of: Record<string, string>) => `?${new URLSearchParams(of)}`;
  const link = (corpus_id: string | undefined, language: Language, entity = '') =>
    address({
      ...(corpus_id !== undefined && { corpus: corpus_id }),
      lang: language,
      ...(entity !== '' && { entity }),
    });
  const top = html`<div class="top">
<nav aria-label="${t.corpora}"><a href="./${address({ ...(corpus && { corpus: corpus.corpus_id }), lang })}">${t.ask}</a>${corpora.map(
    ({ corpus_id, title }) =>
      html`<a href="${link(corpus_id, lang)}"${corpus_id === corpus?.corpus_id && html` aria-current="page"`}>${title}</a>`,
  )}</nav>
<nav aria-label="${t.languages}">${languages.map(
    (other) =>
      html`<a href="${link(corpus?.corpus_id, other, asked)}" lang="${other}" hreflang="${other}"${other === lang && html` aria-current="true"`}>${texts[other].name}</a>`,
  )}</nav>
</div>`;
  const found = 'answer' in shown ? shown.answer.nodes[0] : undefined;
  const content = corpus
    ? html`
<form class="find" role="search">
<input type="hidden" name="corpus" value="${corpus.corpus_id}"><input type="hidden" name="lang" value="${lang}">
<label for="entity">${own.search}</label>
<div><input id="entity" name="entity" type="search" maxlength="200" required value="${asked.includes(':') && found ? found.name : asked}"><button>${own.find}</button></div>
</form>
${body(lang, corpus, shown, (id) => link(corpus.corpus_id, lang, id))}`
    : html`<p>${keyNeeded ? own.failed.denied : t.noCorpora}</p>`;
  const title = found ? found.name : own.title;
  return page(
    lang,
    title,
    html`${top}
<main class="graph">
${found ? html`<p class="layer">${own.title}</p>` : html`<h1>${own.title}</h1>`}${content}
</main>
${found !== undefined && html`<script src="graph/picture.js" async></script>`}`,
    'wide',
  );
}

function body(lang: Language, corpus: Corpus, shown: Shown, link: (id: string) => string): Html {
  const own = graphTexts[lang];
  if ('failed' in shown)
    return html`<p class="notice" role="${shown.failed === 'unavailable' ? 'status' : 'alert'}">${own.failed[shown.failed]}</p>`;
  if ('top' in shown)
    return html`<h2>${own.most}</h2>
<ul class="nodes">${shown.top.map((node) => html`<li>${chip(node, lang, link)} <span class="faint">${own.mentions(node.count)}</span></li>`)}</ul>`;
  const { answer, also, asked } = shown;
  const [centre, ...others] = answer.nodes;
  if (centre === undefined) return html`<p class="notice" role="status">${own.nothing(asked)}</p>`;
  const drawn = (node: GraphNode): Drawn => ({
    node,
    name: node.name,
    label: labelOf(node),
    address: link(node.id),
  });
  const edges = answer.edges.filter(({ from, to }) => from === centre.id || to === centre.id);
  const { name } = centre;
  const picturing = { centre: drawn(centre), others: others.map(drawn), edges: answer.edges };
  const kinds = [...new Set(answer.nodes.map(({ kind }) => kind))];
  return html`
<h1>${name}</h1>
<p class="faint"><span class="dot kind-${centre.kind}"></span>${own.kinds[centre.kind]} · ${own.mentions(centre.count)}</p>
${also.length > 0 && html`<p class="also">${own.also}: ${also.map((node) => html`${chip(node, lang, link)} `)}</p>`}
${!answer.up_to_date && html`<p class="notice" role="status">${own.late}</p>`}
${
  others.length > 0 &&
  html`<figure class="picture" data-zoom="${own.zoom.join('\n')}" data-help="${own.help}">
<div class="wide">${picture(picturing, sheets.wide, own.picture(name))}</div>
<div class="narrow">${picture(picturing, sheets.narrow, own.picture(name))}</div>
<figcaption>${kinds.map((kind) => html`<span><span class="dot kind-${kind}"></span>${own.kinds[kind]}</span> `)}</figcaption>
</figure>`
}
<div class="joined">${joined(lang, corpus.corpus_id, centre, answer, edges, link)}
<section><h2>${own.said}</h2><ol>${centre.places
    .slice(0, nodePlaces)
    .map(
      (place) => html`<li><a href="${sourceAddress(corpus.corpus_id, place)}">${place.ref}</a></li>`,
    )}</ol></section></div>
${answer.cut && html`<p class="faint">${own.cut}</p>`}`;
}

/** The edges of a node, listed by relation. */
function joined(
  lang: Language,
  corpusId: string,
  centre: GraphNode,
  { nodes }: GraphQueryResponse,
  edges: readonly GraphEdge[],
  link: (id: string) => string,
): Html[] {
  const own = graphTexts[lang];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const groups = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    const heading = (edge.from === centre.id ? own.out : own.in)[edge.relation];
    groups.set(heading, [...(groups.get(heading) ?? []), edge]);
  }
  return [...groups].map(
    ([heading, all]) =>
      html`<section><h2>${heading}</h2><ul class="nodes">${all.map(({ from, to, count, places }) => {
        const other = byId.get(from === centre.id ? to : from);
        return (
          other !== undefined &&
          html`<li>${chip(other, lang, link)}${count > 1 && html` <span class="faint">×${count}</span>`} ${places
            .slice(0, edgePlaces)
            .map(
              (place, n) =>
                html`<a class="place" href="${sourceAddress(corpusId, place)}" title="${place.ref}" aria-label="${own.place(n + 1)}: ${place.ref}">${n + 1}</a>`,
            )}</li>`
        );
      })}</ul></section>`,
  );
}

const chip = (node: GraphNode, lang: Language, link: (id: string) => string): Html =>
  html`<a href="${link(node.id)}"><span class="dot kind-${node.kind}" title="${graphTexts[lang].kinds[node.kind]}"></span>${node.name}</a>`;

/** The label of a node in the picture; for a provision, its unit first, then its document. */
function labelOf({ kind, name }: GraphNode): string {
  const behind = kind === 'provision' ? name.lastIndexOf(': ') : -1;
  return behind < 0 ? name : `${name.slice(behind + 2)}, ${name.slice(0, behind)}`;
}

/** Address of a position on the source page. */
function sourceAddress(
  corpusId: string,
  { doc_id, revision, ref, start, end }: GraphNode['places'][number],
): string {
  const query = new URLSearchParams({
    revision: String(revision),
    chunk: ref.slice(ref.lastIndexOf('#') + 1),
    ...(end > start && { quote: `${start}-${end}` }),
  });
  return `source/${encodeURIComponent(corpusId)}/${doc_id}?${query}#cited`;
}
