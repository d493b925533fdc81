/**
 * `<docent-ask>`: a conversation over one corpus, as a panel behind a button in the corner, or `inline` in the page.
 * Attributes, read when the element enters the page: `corpus` (absent: the default one), `lang` (ru, kk, en; absent:
 * the browser's), `heading`, `styles` (kinds of answer to choose from, separated by spaces); at any time: `theme`
 * (light or dark; absent: the reader's own), `inline`. The accent colour is the custom property `--docent-accent`.
 * The conversation lives in memory and ends with the page.
 */
import { ask, cancel, Refusal } from './answering.js';
import { h, icon } from './dom.js';
import { css } from './style.js';
import { pickLanguage, texts } from './texts.js';
import { Turn } from './turn.js';

const historyMax = 20;
const contentMax = 4000;
const queryMax = '2000';

/** @type {CSSStyleSheet | undefined} A sheet made by script needs no leave of the page's content security policy. */
let sheet;

export class DocentAsk extends HTMLElement {
  /** Address of the service, ending in a slash. */
  static base = new URL('/', location.href).href;

  #lang = pickLanguage([]);
  #t = texts.en;
  /** @type {{ role: 'user' | 'assistant', content: string }[]} */
  #history = [];
  /** @type {{ turn: Turn, controller: AbortController } | null} */
  #running = null;
  /** Where the log was last scrolled to by itself. */
  #scrolledTo = 0;

  #root = this.attachShadow({ mode: 'open' });
  #launcher = h('button', {
    class: 'launcher',
    type: 'button',
    'aria-haspopup': 'dialog',
    click: () => this.open(),
  });
  #panel = h('div', { class: 'panel' });
  #log = h('div', { class: 'log', role: 'log', 'aria-live': 'polite', tabindex: '0' });
  #news = h('p', { class: 'unseen', role: 'status' });
  #welcome = h('p', { class: 'welcome' });
  #field = h('textarea', { rows: '1', maxlength: queryMax });
  #send = h('button', { class: 'round', type: 'submit' }, icon('send'));
  #stop = h(
    'button',
    { class: 'round', type: 'button', hidden: true, click: () => this.stop() },
    icon('stop'),
  );
  #restart = h(
    'button',
    { class: 'icon', type: 'button', hidden: true, click: () => this.restart() },
    icon('restart'),
  );
  #close = h('button', { class: 'icon', type: 'button', click: () => this.close() }, icon('close'));
  #style = h('select');

  connectedCallback() {
    if (this.#panel.isConnected) return;
    const own = this.closest('[lang]')?.getAttribute('lang') ?? null;
    this.#lang = pickLanguage([this.getAttribute('lang'), own, ...navigator.languages]);
    this.#t = texts[this.#lang];
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    this.#root.adoptedStyleSheets = [sheet];
    this.#build();
  }

  disconnectedCallback() {
    this.#running?.controller.abort();
  }

  open() {
    this.#panel.hidden = false;
    this.#launcher.hidden = true;
    this.#log.scrollTop = this.#scrolledTo;
    this.#field.focus();
  }

  /** Back to the button; an answer under way goes on. */
  close() {
    this.#panel.hidden = true;
    this.#launcher.hidden = false;
    this.#launcher.focus();
  }

  /** Ends the answer under way, here and in the service. */
  stop() {
    if (!this.#running) return;
    const { turn, controller } = this.#running;
    controller.abort();
    if (turn.requestId !== '') cancel(DocentAsk.base, turn.requestId);
    this.#field.focus();
  }

  /** Forgets the conversation. */
  restart() {
    this.stop();
    this.#history = [];
    this.#log.replaceChildren(this.#welcome);
    this.#restart.hidden = true;
    this.#field.focus();
  }

  #build() {
    const t = this.#t;
    const inline = this.hasAttribute('inline');
    const name = (/** @type {Element} */ element, /** @type {string} */ text) => {
      element.setAttribute('aria-label', text);
      element.setAttribute('title', text);
    };
    const heading = this.getAttribute('heading') || t.heading;
    this.#root.append(this.#launcher, this.#panel);
    this.#root.addEventListener('keydown', (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
    // The page's own keyboard shortcuts must not fire while somebody types here.
    for (const type of ['keyup', 'keypress'])
      this.#root.addEventListener(type, (event) => event.stopPropagation());

    this.#launcher.append(icon('ask'), t.launch);
    this.#launcher.hidden = inline;
    this.#panel.hidden = !inline;
    this.#panel.lang = this.#lang;
    this.#panel.setAttribute('role', inline ? 'region' : 'dialog');
    this.#panel.setAttribute('aria-label', heading);
    if (!inline) this.#panel.setAttribute('aria-modal', 'true');
    name(this.#close, t.close);
    name(this.#restart, t.restart);
    name(this.#send, t.send);
    name(this.#stop, t.stop);
    this.#log.setAttribute('aria-label', t.conversation);
    this.#welcome.append(t.welcome);
    this.#log.append(this.#welcome);
    this.#field.placeholder = t.placeholder;
    this.#field.setAttribute('aria-label', t.placeholder);

    const styles = (this.getAttribute('styles') ?? '').split(/\s+/).filter((style) => style in t.styles);
    this.#style.setAttribute('aria-label', t.style);
    this.#style.hidden = styles.length < 2;
    for (const style of ['', ...styles.filter(Boolean)])
      this.#style.append(h('option', { value: style }, t.styles[style] ?? style));

    this.#panel.append(
      inline ? '' : h('header', {}, h('h2', {}, heading), this.#restart, this.#close),
      this.#log,
      this.#news,
      h(
        'form',
        {
          class: 'composer',
          submit: (event) => {
            event.preventDefault();
            this.#submit();
          },
        },
        h('div', { class: 'field' }, this.#field, this.#send, this.#stop),
        h('div', { class: 'under' }, h('small', {}, t.note), this.#style, inline ? this.#restart : ''),
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    const inline = this.hasAttribute('inline');
    if (event.key === 'Escape' && !inline && !event.isComposing) this.close();
    else if (event.key === 'Enter' && event.target === this.#field && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === 'Tab' && !inline) {
      const stops = [
        ...this.#panel.querySelectorAll('button, textarea, select, input, summary, a, [tabindex]'),
      ].filter((element) => element.checkVisibility() && !element.matches(':disabled'));
      const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
      if (this.#root.activeElement !== from) return;
      event.preventDefault();
      /** @type {HTMLElement | undefined} */ (to)?.focus();
    }
  }

  #submit() {
    const query = this.#field.value.trim();
    if (query === '' || this.#running) return;
    this.#field.value = '';
    void this.#ask(query);
  }

  /** @param {string} query */
  async #ask(query) {
    if (this.#running) return;
    const t = this.#t;
    const turn = new Turn(query, DocentAsk.base, t, this.#lang, () => {
      if (this.#running) return;
      turn.element.remove();
      void this.#ask(query);
    });
    const controller = new AbortController();
    this.#running = { turn, controller };
    this.#busy(true);
    this.#welcome.remove();
    this.#log.append(turn.element);
    this.#restart.hidden = false;
    this.#news.textContent = t.searching;
    if (this.hasAttribute('inline')) turn.element.scrollIntoView();
    else this.#follow(turn.element, true);
    const question = {
      query,
      corpus_id: this.getAttribute('corpus'),
      style: this.#style.value || null,
      history: this.#history,
    };
    try {
      for await (const part of ask(DocentAsk.base, question, controller.signal, () => turn.broken())) {
        turn.take(part);
        this.#follow(turn.element);
      }
    } catch (error) {
      if (controller.signal.aborted) turn.stopped();
      else turn.refused(error instanceof Refusal ? error : new Refusal('unavailable'));
    }
    this.#news.textContent = '';
    this.#follow(turn.element);
    this.#running = null;
    this.#busy(false);
    if (turn.answer !== null && this.#log.contains(turn.element)) this.#remember(query, turn.answer);
  }

  /** @param {string} query @param {string} answer */
  #remember(query, answer) {
    const cut = (/** @type {string} */ text) => [...text].slice(0, contentMax).join('');
    this.#history = [
      ...this.#history,
      { role: /** @type {const} */ ('user'), content: cut(query) },
      { role: /** @type {const} */ ('assistant'), content: cut(answer) },
    ].slice(-historyMax);
  }

  /** @param {boolean} busy */
  #busy(busy) {
    this.#send.hidden = busy;
    this.#stop.hidden = !busy;
  }

  /**
   * In the panel: shows as much of the turn as there is room for, its question always; until the reader scrolls.
   *
   * @param {HTMLElement} turn
   * @param {boolean} [again] whether the reader has scrolled or not
   */
  #follow(turn, again = false) {
    const log = this.#log;
    if (this.hasAttribute('inline') || (!again && log.scrollTop !== this.#scrolledTo)) return;
    log.scrollTop = turn.offsetTop - log.offsetTop - 12;
    this.#scrolledTo = log.scrollTop;
  }
}
