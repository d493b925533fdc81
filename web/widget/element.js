/**
 * `<docent-ask>`: a conversation over one corpus, in a panel behind a button in the corner, or `inline` in the page.
 * Attributes read when the element is added: `corpus` (absent: the default), `lang` (ru, kk, en; absent: the
 * browser's), `heading`, `styles` (kinds of answer to offer, separated by spaces). Attributes read at any time:
 * `theme` (light or dark; absent: the system's), `inline`. The accent colour is the custom property
 * `--docent-accent`.
 *
 * `share`: URL prefix of recorded answers. `beside`: sources open next to the answer if there is room. `examples`:
 * example questions, one per line. `query`: a question to ask immediately. `remember`: the conversation survives a
 * reload, until the tab is closed.
 */
import { ask, cancel, Refusal } from './answering.js';
import { h, icon } from './dom.js';
import { Memory } from './memory.js';
import { css } from './style.js';
import { pickLanguage, texts } from './texts.js';
import { Turn } from './turn.js';

const historyMax = 20;
const contentMax = 4000;
const queryMax = '2000';
const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

/**
 * @type {CSSStyleSheet | undefined} A constructed style sheet is not subject to the page's content security policy.
 */
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
  /** @type {import('./memory.js').KeptTurn[]} */
  #turns = [];
  #memory = new Memory('', false);
  /** Whether to keep the running answer in view; ends when the reader scrolls. */
  #follows = false;

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
  #welcome = h('div', { class: 'welcome' });
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
  #print = h('button', { class: 'icon', type: 'button', hidden: true, click: () => print() }, icon('print'));
  #style = h('select');
  #source = h('iframe', { load: () => this.#closeOnEscape() });
  #sourceTitle = h('h2');
  #closeSource = h(
    'button',
    { class: 'icon', type: 'button', click: () => this.#read(null, '') },
    icon('close'),
  );
  #aside = h('aside', { hidden: true }, h('header', {}, this.#sourceTitle, this.#closeSource), this.#source);

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
    this.#memory = new Memory(this.getAttribute('corpus') ?? '', this.hasAttribute('remember'));
    void this.#askFirst(this.#restore());
  }

  /**
   * Asks the question that the page was opened with, unless it is already part of the conversation; waits for the
   * restored answer first.
   * @param {Promise<void> | undefined} underWay
   */
  async #askFirst(underWay) {
    await underWay;
    const query = this.getAttribute('query')?.trim();
    if (query && this.isConnected && !this.#turns.some((turn) => turn.query === query)) void this.#ask(query);
  }

  disconnectedCallback() {
    this.#running?.controller.abort();
  }

  open() {
    this.#panel.hidden = false;
    this.#launcher.hidden = true;
    this.#field.focus();
  }

  /** Closes the panel; a running answer continues. */
  close() {
    this.#panel.hidden = true;
    this.#launcher.hidden = false;
    this.#launcher.focus();
  }

  /** Cancels the running answer, here and in the service. */
  stop() {
    if (!this.#running) return;
    const { turn, controller } = this.#running;
    controller.abort();
    if (turn.requestId !== '') cancel(DocentAsk.base, turn.requestId);
    this.#field.focus();
  }

  /** Clears the conversation. */
  restart() {
    this.stop();
    this.#history = [];
    this.#turns = [];
    this.#memory.write([]);
    this.#log.replaceChildren(this.#welcome);
    this.#restart.hidden = true;
    this.#print.hidden = true;
    this.#read(null, '');
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
    // Typing here must not trigger the page's keyboard shortcuts.
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
    name(this.#print, t.print);
    name(this.#closeSource, t.closeSource);
    this.#log.setAttribute('aria-label', t.conversation);
    const examples = (this.getAttribute('examples') ?? '').split('\n').filter((line) => line.trim() !== '');
    this.#welcome.append(h('p', {}, t.welcome));
    if (examples.length > 0)
      this.#welcome.append(
        h(
          'ul',
          { class: 'examples', 'aria-label': t.examples },
          ...examples.map((example) =>
            h(
              'li',
              {},
              h(
                'button',
                { class: 'example', type: 'button', click: () => void this.#ask(example) },
                example,
              ),
            ),
          ),
        ),
      );
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
        h(
          'div',
          { class: 'under' },
          h('small', {}, t.note),
          h('div', { class: 'tools' }, this.#style, ...(inline ? [this.#print, this.#restart] : [])),
        ),
      ),
    );
    if (this.hasAttribute('beside')) this.#panel.append(this.#aside);
    // Browsers do not print closed details.
    addEventListener('beforeprint', () => {
      for (const one of this.#log.querySelectorAll('details')) one.open = true;
    });
    const composer = this.#panel.querySelector('.composer');
    if (composer)
      new ResizeObserver(() =>
        this.#panel.style.setProperty('--composer', `${composer.getBoundingClientRect().height}px`),
      ).observe(composer);
  }

  /**
   * Restores the conversation after a reload. If an answer was running, resumes it and returns a promise that resolves
   * when it ends.
   */
  #restore() {
    for (const { query, parts } of this.#memory.read()) {
      const last = parts.at(-1);
      if (last?.type !== 'done' && last?.type !== 'error') {
        const [first] = parts;
        return first?.type === 'meta' ? this.#ask(query, first.request_id) : undefined;
      }
      const { turn, own } = this.#begin(query);
      for (const part of parts) turn.take(part);
      own.parts = parts;
      this.#turns.push(own);
      if (turn.answer !== null) this.#remember(query, turn.answer);
    }
  }

  /** @param {string} query */
  #begin(query) {
    const turn = new Turn(
      query,
      DocentAsk.base,
      this.#t,
      this.#lang,
      () => {
        if (this.#running) return;
        turn.element.remove();
        this.#turns = this.#turns.filter((kept) => kept !== own);
        void this.#ask(query);
      },
      {
        level: this.hasAttribute('inline') ? 2 : 3,
        share: this.getAttribute('share'),
        read: (address, title) => this.#read(address, title),
      },
    );
    /** @type {import('./memory.js').KeptTurn} */
    const own = { query, parts: [] };
    this.#welcome.remove();
    this.#log.append(turn.element);
    this.#restart.hidden = false;
    this.#print.hidden = false;
    return { turn, own };
  }

  /**
   * Shows a source page beside the conversation (null: none). Returns false if that is not possible: the
   * attribute `beside` is absent, the window is too narrow, or the source page belongs to another site.
   *
   * @param {string | null} address @param {string} title
   */
  #read(address, title) {
    const fits = matchMedia('(min-width: 70rem)').matches;
    if (address !== null && (!this.#aside.isConnected || !fits || !address.startsWith(`${location.origin}/`)))
      return false;
    this.#aside.hidden = address === null;
    this.toggleAttribute('reading', address !== null);
    this.#sourceTitle.textContent = title;
    this.#source.title = title;
    this.#source.src = address ?? 'about:blank';
    if (address !== null) this.#closeSource.focus({ preventScroll: true });
    return true;
  }

  /** The source page has the focus, so this page does not receive key presses. */
  #closeOnEscape() {
    this.#source.contentWindow?.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#read(null, '');
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    const inline = this.hasAttribute('inline');
    if (event.key === 'Escape' && !this.#aside.hidden) this.#read(null, '');
    else if (event.key === 'Escape' && !inline && !event.isComposing) this.close();
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

  /** @param {string} query @param {string} [requestId] of the same question, asked before a reload */
  async #ask(query, requestId) {
    if (this.#running) return;
    const { turn, own } = this.#begin(query);
    this.#turns.push(own);
    const controller = new AbortController();
    this.#running = { turn, controller };
    this.#busy(true);
    this.#news.textContent = this.#t.searching;
    this.#follows = true;
    const listening = new AbortController();
    this.#noteScrolling(listening.signal);
    this.#follow(turn.element);
    const question = {
      query,
      corpus_id: this.getAttribute('corpus'),
      style: this.#style.value || null,
      history: this.#history,
    };
    try {
      const asked = requestId ?? question;
      for await (const part of ask(DocentAsk.base, asked, controller.signal, () => turn.broken())) {
        turn.take(part);
        own.parts.push(part);
        if (part.type === 'meta') this.#memory.write(this.#turns);
        this.#follow(turn.element);
      }
    } catch (error) {
      if (controller.signal.aborted) turn.stopped();
      else turn.refused(error instanceof Refusal ? error : new Refusal('unavailable'));
    }
    this.#news.textContent = '';
    this.#follow(turn.element);
    listening.abort();
    this.#running = null;
    this.#busy(false);
    if (!this.#log.contains(turn.element)) return;
    if (turn.answer !== null) this.#remember(query, turn.answer);
    else this.#turns = this.#turns.filter((kept) => kept !== own);
    this.#memory.write(this.#turns);
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

  /** @param {AbortSignal} signal */
  #noteScrolling(signal) {
    const leave = () => (this.#follows = false);
    for (const type of ['wheel', 'touchmove']) addEventListener(type, leave, { signal, passive: true });
    addEventListener('keydown', ({ key }) => scrollKeys.has(key) && leave(), { signal, capture: true });
  }

  /**
   * Scrolls the question into view, and as much of its turn as fits above the composer.
   *
   * @param {HTMLElement} turn
   */
  #follow(turn) {
    if (this.#follows) turn.scrollIntoView({ block: 'nearest' });
  }
}
