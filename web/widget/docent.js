/**
 * The entry: `<script src="https://host/widget/docent.js" data-corpus="krk_2026" data-lang="ru" async></script>`
 * defines `<docent-ask>` and, where it names a corpus, puts one into the corner of the page. Its other data
 * attributes (data-theme, data-heading, data-styles, data-examples, data-remember) go over to that element.
 */
import { DocentAsk } from './element.js';

/** Whoever put the tag on the page sees that it does nothing. @param {string} sentence */
// biome-ignore lint/suspicious/noConsole: there is nobody else to tell.
const warn = (sentence) => console.warn(`Docent: ${sentence}`);

const script = document.currentScript;
if (!(script instanceof HTMLScriptElement))
  warn('the widget is a classic script; load it without type="module".');
else if (customElements.get('docent-ask'))
  warn('the widget is on this page already and this tag is ignored; use <docent-ask> for another one.');
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
