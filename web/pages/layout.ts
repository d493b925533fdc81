/** The layout and style shared by the pages, which need no scripts and no other files. */
import type { Language } from '../../src/domain/events.ts';
import { Html, html } from './html.ts';

/** Embedded in the page; the content security policy includes its hash. */
export const css = `
:root {
  color-scheme: light dark;
  --accent: light-dark(#1d4f7c, #8fbbe8);
  --paper: light-dark(#fff, #1b1c1f);
  --raised: light-dark(#f6f5f2, #25272b);
  --ink: light-dark(#1e1d1b, #e9e7e2);
  --faint: light-dark(#67645e, #a5a29b);
  --line: light-dark(#e3e0da, #383a3f);
  --cited: light-dark(#fdf3d3, #3a3520);
  --cited-edge: light-dark(#d9a514, #c89b2b);
  --sans: -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif;
  --serif: 'PT Serif', Cambria, 'Noto Serif', 'Liberation Serif', 'Times New Roman', serif;
}
* { box-sizing: border-box; }
body {
  min-height: 100dvh; margin: 0 auto; max-width: 46rem; padding: 0 20px; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink); font: 16px/1.55 var(--sans); overflow-wrap: break-word;
}
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
nav { display: flex; flex-wrap: wrap; gap: 6px 18px; font-size: 14px; }
nav a { color: var(--faint); text-decoration: none; padding: 3px 0; }
nav a:hover { color: var(--accent); }
nav a[aria-current] { color: var(--ink); box-shadow: 0 2px var(--accent); }
.top { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 6px 24px; padding: 14px 0; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font: 600 1.75rem/1.25 var(--serif); text-wrap: balance; }
.faint { color: var(--faint); font-size: 14px; }
main { flex: 1; padding: 36px 0 48px; }
main.ask { display: flex; flex-direction: column; padding-bottom: 0; }
.ask p { margin: 10px 0 0; color: var(--faint); }
docent-ask { flex: 1; margin-top: 28px; }
body:has(docent-ask[reading]) { margin-right: calc(min(46vw, 52rem) + 20px); }
.plain { display: grid; gap: 8px; margin-top: 28px; }
docent-ask .plain { margin-top: 0; }
.plain label { font-weight: 600; }
.plain textarea { width: 100%; padding: 10px 14px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); color: inherit; font: inherit; resize: vertical; }
.plain div { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between; padding-bottom: 24px; }
.plain small { flex: 1 1 14em; color: var(--faint); font-size: 13px; }
.plain button { padding: 9px 22px; border: 0; border-radius: 20px; background: var(--accent); color: var(--paper); font: inherit; font-weight: 600; cursor: pointer; }
.examples { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 24px; padding: 0; list-style: none; }
.examples a { display: block; padding: 7px 14px; border: 1px solid var(--line); border-radius: 16px; font-size: 15px; line-height: 1.35; text-decoration: none; }
.turn { scroll-margin-top: 16px; }
.faint + .turn { margin: 24px 0; }
h2.asked { margin: 28px 0 12px auto; width: fit-content; max-width: 88%; padding: 8px 14px; border-radius: 14px 14px 4px 14px; background: var(--raised); font: inherit; overflow-wrap: anywhere; }
.ask p.answer { margin: 0; color: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
.turn h3 { margin: 20px 0 0; font-size: 14px; color: var(--faint); }
.turn sup { margin-left: 2px; line-height: 1; font-size: 12px; }
.turn sup a { padding: 1px 5px; border-radius: 5px; background: var(--raised); text-decoration: none; font-weight: 600; }
.sources { margin: 8px 0 0; padding-left: 1.6em; }
.sources li { padding: 6px 0; }
.sources li:target { background: var(--cited); }
.sources blockquote { margin: 6px 0; padding-left: 12px; border-left: 2px solid var(--line); font: 15px/1.55 var(--serif); white-space: pre-wrap; overflow-wrap: anywhere; }
.layer { margin: 0 0 8px; font-size: 14px; font-weight: 600; color: var(--accent); }
dl { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 14px 0 0; font-size: 14px; }
dl div { display: flex; gap: 6px; min-width: 0; }
dt { color: var(--faint); }
dd { margin: 0; min-width: 0; }
code { font: 13px ui-monospace, 'Liberation Mono', monospace; overflow-wrap: anywhere; }
.notice { margin: 18px 0 0; padding: 10px 16px; border-left: 3px solid var(--cited-edge); border-radius: 0 8px 8px 0; background: var(--raised); font-size: 15px; }
.document { margin-top: 28px; padding-top: 20px; border-top: 1px solid var(--line); font: 17px/1.65 var(--serif); }
.document p, .document h2, .document h3 { margin: 0; padding: .4em 0; white-space: pre-wrap; }
.document h2 { padding-top: 1.4em; font: 600 1.2rem/1.35 var(--sans); }
.document h3 { padding-top: 1.2em; font: 600 1rem/1.4 var(--sans); }
.cited { box-shadow: -13px 0 var(--paper), -16px 0 var(--cited-edge); }
mark { padding: .12em 0; background: var(--cited); color: inherit; scroll-margin-top: 30vh; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
mark:focus { outline: none; }
body.wide { max-width: 60rem; }
.graph h2 { margin: 0 0 8px; font: 600 1rem/1.4 var(--sans); }
.graph > h2 { margin-top: 32px; }
.find { display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; margin: 20px 0 28px; }
.find label { font-size: 14px; color: var(--faint); }
.find div { display: flex; gap: 8px; }
.find input { flex: 1; min-width: 0; padding: 9px 14px; border: 1px solid var(--line); border-radius: 20px; background: var(--raised); color: inherit; font: inherit; }
.find button { flex: none; padding: 9px 20px; border: 0; border-radius: 20px; background: var(--accent); color: var(--paper); font: inherit; font-weight: 600; cursor: pointer; }
.graph .also { font-size: 15px; line-height: 2; }
.nodes { margin: 0; padding: 0; list-style: none; }
.nodes li { padding: 4px 0; overflow-wrap: anywhere; }
.nodes a, .also a { text-decoration: none; }
.nodes a:hover, .also a:hover, .picture a:hover text { text-decoration: underline; }
.dot { display: inline-block; width: 10px; height: 10px; margin-right: 7px; border-radius: 50%; background: var(--kind); }
.nodes .place { display: inline-block; min-width: 24px; padding: 0 7px; border-radius: 6px; background: var(--raised); font-size: 13px; line-height: 24px; text-align: center; }
.picture { position: relative; margin: 22px 0 28px; border: 1px solid var(--line); border-radius: 14px; background: var(--raised); }
.picture svg { display: block; width: 100%; height: auto; touch-action: pan-y pinch-zoom; }
.picture .narrow { display: none; }
.picture figcaption { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 10px 16px; border-top: 1px solid var(--line); font-size: 13px; color: var(--faint); }
.picture circle { fill: var(--kind); stroke: var(--raised); stroke-width: 2; }
.picture .centre circle { stroke: var(--ink); }
.picture text { fill: var(--ink); font: 14px var(--sans); paint-order: stroke; stroke: var(--raised); stroke-width: 4px; stroke-linejoin: round; }
.picture .centre text { font-weight: 700; font-size: 16px; }
.picture a:focus-visible { outline: none; }
.picture a:focus-visible circle { stroke: var(--accent); stroke-width: 4; }
.picture a:focus-visible text { text-decoration: underline; font-weight: 600; }
.picture path { fill: none; stroke: var(--line); }
.picture .own { stroke: var(--faint); stroke-opacity: .55; }
.picture .refers_to { stroke: var(--accent); stroke-opacity: .8; }
.picture .arrow { fill: var(--accent); stroke: none; }
.zoom { position: absolute; top: 10px; right: 10px; display: flex; gap: 6px; }
.zoom button { width: 34px; height: 34px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); font: 600 17px/1 var(--sans); cursor: pointer; }
.joined { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 28px 36px; }
.joined ol { margin: 0; padding-left: 1.6em; }
.joined li { overflow-wrap: anywhere; }
.kind-person { --kind: light-dark(#b3541e, #f0a070); }
.kind-organisation { --kind: light-dark(#1d4f7c, #7fb2e5); }
.kind-place { --kind: light-dark(#2f7d4f, #74c79a); }
.kind-law, .kind-document { --kind: light-dark(#6b4aa0, #b79be6); }
.kind-provision { --kind: light-dark(#8a6d00, #dcb93f); }
.kind-name { --kind: light-dark(#6c6a66, #a9a69f); }
.kind-term { --kind: light-dark(#a8326b, #ec8ebb); }
.parts { justify-content: space-between; align-items: baseline; margin-top: 24px; }
.parts a { color: var(--accent); }
@media (max-width: 640px) { .picture .wide { display: none; } .picture .narrow { display: block; } .picture text { font-size: 13px; } .picture .zoom { top: 6px; right: 6px; } .find button { padding: 9px 14px; } }
@media (max-width: 520px) { main { padding-top: 20px; } docent-ask, .plain { margin-top: 18px; } }
@media print { .top, .parts, .plain { display: none; } body { max-width: none; } }
`;

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#1d4f7c"/>' +
      '<path d="M6 6.5h12V15h-6.5l-3 3v-3H6z" fill="none" stroke="#fff" stroke-width="1.7" stroke-linejoin="round"/></svg>',
  );

/** A complete page; `wide`: for content other than text. */
export function page(lang: Language, title: string, body: Html, width: 'text' | 'wide' = 'text'): string {
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${new Html(css)}</style>
</head>
<body${width === 'wide' && html` class="wide"`}>
${body}
</body>
</html>
`.text;
}
