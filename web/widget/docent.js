/**
 * The entry: `<script src="https://host/widget/docent.js" data-corpus="krk_2026" data-lang="ru" async></script>`
 * defines `<docent-ask>` and, where it names a corpus, puts one into the corner of the page. Its other data
 * attributes (data-theme, data-heading, data-styles) go over to that element.
 */
import { DocentAsk } from './element.js';

const script = document.currentScript;
if (script instanceof HTMLScriptElement && !customElements.get('docent-ask')) {
  DocentAsk.base = new URL('../', script.src).href;
  customElements.define('docent-ask', DocentAsk);
  if (script.dataset.corpus !== undefined) {
    const element = document.createElement('docent-ask');
    for (const name of ['corpus', 'lang', 'theme', 'heading', 'styles'])
      if (script.dataset[name]) element.setAttribute(name, script.dataset[name]);
    // An async script may run before there is a body.
    if (document.body) document.body.append(element);
    else addEventListener('DOMContentLoaded', () => document.body.append(element), { once: true });
  }
}
