/**
 * The entry point. `<script src="https://host/widget/docent.js" data-corpus="krk_2026" data-lang="ru" async></script>`
 * defines `<docent-ask>` and, if a corpus is named, adds one to the corner of the page. The other data attributes
 * (data-theme, data-heading, data-styles, data-examples, data-remember) are passed on to that element.
 */
import { DocentAsk } from './element.js';

/** Warns the page's author that the tag has no effect. @param {string} sentence */
// biome-ignore lint/suspicious/noConsole: the console is the only place to report it.
const warn = (sentence) => console.warn(`Docent: ${sentence}`);

const script = document.currentScript;
if (!(script instanceof HTMLScriptElement))
  warn('the widget is a classic script; load it without type="module".');
else if (customElements.get('docent-ask'))
  warn('the widget is already on this page, so this tag is ignored; use <docent-ask> for another one.');
else {
  DocentAsk.base = new URL('../', script.src).href;
  customElements.define('docent-ask', DocentAsk);
  if (script.dataset.corpus !== undefined) {
    const element = document.createElement('docent-ask');
    for (const name of ['corpus', 'lang', 'theme', 'heading', 'styles', 'examples', 'remember'])
      if (script.dataset[name] !== undefined) element.setAttribute(name, script.dataset[name]);
    // An async script may run before there is a body.
    if (document.body) document.body.append(element);
    else addEventListener('DOMContentLoaded', () => document.body.append(element), { once: true });
  }
}
