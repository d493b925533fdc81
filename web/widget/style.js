/** The widget's style. The properties at the top define its colours; a page may set `--docent-accent`. */
export const css = `
:host {
  all: initial;
  color-scheme: light dark;
  --accent: var(--docent-accent, light-dark(#1d4f7c, #8fbbe8));
  --on-accent: light-dark(#fff, #10202f);
  --paper: light-dark(#fff, #1b1c1f);
  --raised: light-dark(#f6f5f2, #25272b);
  --ink: light-dark(#1e1d1b, #e9e7e2);
  --faint: light-dark(#67645e, #a5a29b);
  --line: light-dark(#e3e0da, #383a3f);
  --tint: color-mix(in srgb, var(--accent) 11%, var(--paper));
  --fault: light-dark(#8f2d20, #f0a193);
  font: 16px/1.55 -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif;
  color: var(--ink);
}
:host([theme='light']) { color-scheme: light; }
:host([theme='dark']) { color-scheme: dark; }
:host([inline]) { display: block; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, textarea, input, select { font: inherit; color: inherit; margin: 0; }
button { cursor: pointer; border: 0; background: none; padding: 0; }
button:disabled { cursor: default; opacity: .5; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
svg {
  width: 20px; height: 20px; flex: none;
  fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round;
}
h2, h3, h4, p, ol, ul, blockquote { margin: 0; padding: 0; font: inherit; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.launcher {
  position: fixed; z-index: 2147483000;
  right: max(20px, env(safe-area-inset-right)); bottom: max(20px, env(safe-area-inset-bottom));
  display: flex; align-items: center; gap: 10px; padding: 12px 20px 12px 16px; border-radius: 28px;
  background: var(--accent); color: var(--on-accent); font-weight: 500;
  box-shadow: 0 2px 6px #0003, 0 8px 24px #0002;
}
.panel { display: flex; flex-direction: column; background: var(--paper); }
:host(:not([inline])) .panel {
  position: fixed; z-index: 2147483000; right: 20px; bottom: 20px;
  width: min(420px, calc(100vw - 40px)); height: min(680px, calc(100dvh - 40px)); overflow: clip;
  border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 4px 12px #0002, 0 16px 48px #0003;
}
header { display: flex; align-items: center; gap: 4px; padding: 10px 10px 10px 18px; border-bottom: 1px solid var(--line); }
header h2 { flex: 1; font-size: 16px; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.icon {
  display: grid; place-items: center; width: 36px; height: 36px; border-radius: 8px; color: var(--faint);
}
.icon:hover, .icon[aria-pressed='true'] { background: var(--tint); color: var(--accent); }

.log { flex: 1; min-height: 0; overflow-y: auto; padding: 18px; overscroll-behavior: contain; }
.log:focus-visible { outline-offset: -3px; border-radius: 6px; }
.welcome { color: var(--faint); }
.welcome p { max-width: 34em; }
.examples { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 14px; list-style: none; }
.example { padding: 7px 14px; border: 1px solid var(--line); border-radius: 16px; color: var(--accent); font-size: 15px; line-height: 1.35; text-align: left; overflow-wrap: anywhere; }
.example:hover { border-color: var(--accent); background: var(--tint); }
.turn + .turn { margin-top: 28px; }
.question {
  margin: 0 0 16px auto; width: fit-content; max-width: 88%; padding: 8px 14px;
  border-radius: 14px 14px 4px 14px; background: var(--tint); overflow-wrap: anywhere; white-space: pre-wrap;
}
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.marker {
  vertical-align: .32em; margin: 0 1px 0 3px; padding: 1px 6px; border-radius: 5px; cursor: pointer; user-select: none;
  background: var(--tint); color: var(--accent); font-size: 11px; line-height: 1; font-weight: 600;
}
.marker:hover, .marker:focus-visible { background: var(--accent); color: var(--on-accent); }
.status, .remark { color: var(--faint); }
.remark, .text:not(:empty) + .status { margin-top: 8px; font-size: 14px; }
.fault { margin-top: 8px; padding: 10px 14px; border-left: 3px solid var(--fault); background: var(--raised); border-radius: 0 8px 8px 0; }
.fault button { margin-top: 8px; }
.plain { padding: 5px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); font-size: 14px; }
.plain:not(:disabled):hover { border-color: var(--accent); color: var(--accent); }

.subhead, .more > summary { margin-top: 18px; font-size: 13px; font-weight: 600; color: var(--faint); }
summary { cursor: pointer; border-radius: 6px; }
.sources { list-style: none; margin-top: 6px; border-top: 1px solid var(--line); }
.sources > li { border-bottom: 1px solid var(--line); }
.sources summary { display: flex; gap: 10px; padding: 9px 2px; list-style: none; font-size: 14px; line-height: 1.4; }
.sources summary::-webkit-details-marker { display: none; }
.sources summary::after {
  content: ''; flex: none; width: 7px; height: 7px; margin: 5px 4px 0 auto;
  border: solid var(--faint); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg);
}
.sources [open] > summary::after { margin-top: 9px; transform: rotate(225deg); }
.sources summary:hover .title { color: var(--accent); }
.number { flex: none; min-width: 20px; height: 20px; border-radius: 5px; background: var(--tint); color: var(--accent); font-size: 12px; line-height: 20px; font-weight: 600; text-align: center; }
.name { min-width: 0; overflow-wrap: anywhere; }
.name > span { display: block; }
.title { font-weight: 500; }
.heading, .facts { color: var(--faint); }
.facts { font-size: 13px; }
.facts:empty { display: none; }
.quotes, .links { padding-left: 32px; }
blockquote {
  margin: 2px 0 10px; padding-left: 12px; border-left: 2px solid var(--line);
  font: 15px/1.55 'PT Serif', Cambria, 'Noto Serif', 'Liberation Serif', 'Times New Roman', serif;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
.links { display: flex; flex-wrap: wrap; gap: 4px 16px; padding-bottom: 10px; font-size: 14px; }
a { display: inline-flex; align-items: center; gap: 5px; color: var(--accent); text-underline-offset: 3px; border-radius: 4px; }
a svg { width: 14px; height: 14px; }
.more > summary { width: fit-content; }

.rating { display: flex; flex-wrap: wrap; align-items: center; margin: 10px 0 0 -8px; }
.rating svg { width: 18px; height: 18px; }
.rating .icon:nth-child(2) svg { transform: rotate(180deg); }
.said { margin-left: 8px; color: var(--faint); font-size: 13px; }
.comment { display: flex; gap: 8px; width: calc(100% - 8px); margin: 6px 0 0 8px; }
.comment input { flex: 1; min-width: 0; padding: 5px 10px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); font-size: 14px; }

.composer { padding: 10px 14px max(10px, env(safe-area-inset-bottom)); border-top: 1px solid var(--line); background: var(--paper); }
.field { display: flex; align-items: flex-end; gap: 6px; padding: 5px; border: 1px solid var(--line); border-radius: 20px; background: var(--raised); }
.field:focus-within { border-color: var(--accent); outline: 1px solid var(--accent); }
textarea {
  flex: 1; min-width: 0; max-height: 9em; padding: 4px 4px 4px 11px; border: 0; background: none; resize: none;
  field-sizing: content; line-height: 26px;
}
textarea:focus { outline: none; }
::placeholder { color: var(--faint); opacity: 1; }
.round { flex: none; display: grid; place-items: center; width: 34px; height: 34px; border-radius: 50%; background: var(--accent); color: var(--on-accent); }
.round svg { stroke-width: 2; }
.under { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; margin: 7px 6px 0; min-height: 26px; }
small { flex: 1 1 11em; }
.tools { display: flex; align-items: center; gap: 4px; margin-left: auto; }
small { font-size: 12px; line-height: 1.35; color: var(--faint); }
select { padding: 2px 6px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); font-size: 13px; }

:host([inline]) .log { flex: none; overflow: visible; padding: 0 0 24px; }
:host([inline]) .composer { position: sticky; bottom: 0; padding: 10px 0 max(14px, env(safe-area-inset-bottom)); border: 0; }
.turn, .sources > li { scroll-margin: 12px 0; }
/* Focused or opened elements must not be hidden behind the composer. */
:host([inline]) :is(.turn, .sources > li, summary, a, .marker, .log button, .log input) {
  scroll-margin: 16px 0 calc(var(--composer, 0px) + 12px);
}

aside { position: fixed; inset: 0 0 0 auto; width: min(46vw, 52rem); display: flex; flex-direction: column; background: var(--paper); border-left: 1px solid var(--line); }
aside header { padding: 8px 10px 8px 20px; }
aside iframe { flex: 1; width: 100%; border: 0; }

@media print {
  .composer, .rating, .links, .examples, aside { display: none !important; }
  .sources summary::after { display: none; }
  .turn { break-inside: auto; }
  blockquote, .sources > li { break-inside: avoid; }
}
@media (max-width: 520px) {
  .comment input { font-size: 16px; }
  :host([inline]) .welcome p { display: none; }
  :host([inline]) .examples { margin-top: 0; }
  :host(:not([inline])) .panel { inset: 0; width: auto; height: 100dvh; border: 0; border-radius: 0; }
}
@media (prefers-reduced-motion: no-preference) {
  :host(:not([inline])) .panel { animation: rise .18s ease-out; }
  .status { animation: breathe 1.6s ease-in-out infinite; }
  .marker, .icon, .plain, .title { transition: color .12s, background-color .12s, border-color .12s; }
}
@keyframes rise { from { opacity: 0; transform: translateY(12px); } }
@keyframes breathe { 50% { opacity: .55; } }
@media (forced-colors: active) { .launcher, .round, .marker, .number { border: 1px solid; } }
`;
