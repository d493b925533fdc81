/** One question with its answer: text, numbered sources, and rating buttons. */
/** @import { Part, SourceRef } from '../../src/answering/parts.ts' */
/** @import { Refusal } from './answering.js' */
/** @import { Texts } from './texts.js' */
import { AnswerText } from './answer-text.js';
import { rate } from './answering.js';
import { h, icon } from './dom.js';
import { readableDate } from './texts.js';

/** The layer name of a corpus with a single layer; not shown, because it is not informative. */
const onlyLayer = 'main';

/** A numbered source, with its quotations if it is cited. */
class SourceItem {
  element;
  #details;
  #quotes = h('div', { class: 'quotes' });
  /** @type {Set<string>} */
  #shown = new Set();

  /**
   * @param {SourceRef} source @param {number} number @param {string} base
   * @param {Texts} t @param {'ru' | 'kk' | 'en'} lang @param {string} answerLang
   * @param {(address: string, title: string) => boolean} read see Turn
   */
  constructor(source, number, base, t, lang, answerLang, read) {
    const layer = source.layer_title ?? (source.layer !== onlyLayer && source.layer);
    const title = source.title || source.heading || layer || t.source;
    const facts = [
      source.event_date && readableDate(source.event_date, lang),
      source.page && t.page.replace('%', String(source.page)),
      layer !== title && layer,
      source.lang !== answerLang && t.languages[source.lang],
    ].filter(Boolean);
    this.#details = h(
      'details',
      // Scrolls an opened source into view.
      { toggle: () => this.#details.open && this.element.scrollIntoView({ block: 'nearest' }) },
      h(
        'summary',
        {},
        h('span', { class: 'number' }, String(number)),
        h(
          'span',
          { class: 'name' },
          h('span', { class: 'title' }, title),
          source.heading && source.heading !== title ? h('span', { class: 'heading' }, source.heading) : null,
          h('span', { class: 'facts' }, facts.join(' · ')),
        ),
      ),
      this.#quotes,
      h(
        'p',
        { class: 'links' },
        link(source.page_url, base, t.open, t, (address) => read(address, title)),
        source.url === source.page_url ? null : link(source.url, base, t.document, t),
        link(source.source_url, base, t.original, t),
      ),
    );
    this.element = h('li', {}, this.#details);
  }

  /** @param {string} quote */
  cite(quote) {
    if (this.#shown.has(quote)) return;
    this.#shown.add(quote);
    this.#quotes.append(h('blockquote', {}, quote));
  }

  forget() {
    this.#shown.clear();
    this.#quotes.replaceChildren();
  }

  get isCited() {
    return this.#shown.size > 0;
  }

  show() {
    const group = this.element.closest('details.more');
    if (group) group.setAttribute('open', '');
    this.#details.open = true;
    this.#details.querySelector('summary')?.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: 'nearest' });
  }
}

/**
 * A link to a web address; null for other addresses, because documents may contain anything.
 * @param {string | null} url @param {string} base @param {string} text @param {Texts} t
 * @param {(address: string) => boolean} read whether the address is shown without the link being followed
 */
function link(url, base, text, t, read = () => false) {
  const address = url === null ? null : URL.parse(url, base);
  if (!address || !/^https?:$/.test(address.protocol)) return null;
  return h(
    'a',
    {
      href: address.href,
      target: '_blank',
      rel: 'noopener noreferrer',
      'aria-label': `${text} (${t.newTab})`,
      click: (event) => read(address.href) && event.preventDefault(),
    },
    text,
    icon('open'),
  );
}

export class Turn {
  element;
  requestId = '';
  /** The complete answer; null until it is complete. @type {string | null} */
  answer = null;
  #base;
  #t;
  #lang;
  #retry;
  #level;
  #read;
  #share;
  #text = new AnswerText();
  #status = h('p', { class: 'status' });
  #article;
  /** @type {SourceItem[]} */
  #items = [];
  /** @type {Map<string, number>} */
  #numbers = new Map();
  #answerLang = '';

  /**
   * @param {string} question @param {string} base @param {Texts} t @param {'ru' | 'kk' | 'en'} lang
   * @param {() => void} retry asks the question again
   * @param {object} place
   * @param {2 | 3} place.level of the question as a heading
   * @param {string | null} place.share prefix of the addresses of recorded answers, relative to the page; null: none
   * @param {(address: string, title: string) => boolean} place.read shows a source beside the answer; false: it
   * cannot
   */
  constructor(question, base, t, lang, retry, { level, share, read }) {
    this.#base = base;
    this.#t = t;
    this.#lang = lang;
    this.#retry = retry;
    this.#level = level;
    this.#share = share;
    this.#read = read;
    this.#status.append(t.searching);
    this.#article = h(
      'article',
      { 'aria-label': t.answer, 'aria-busy': 'true' },
      this.#text.element,
      this.#status,
    );
    this.element = h(
      'section',
      { class: 'turn' },
      h(`h${level}`, { class: 'question' }, h('span', { class: 'unseen' }, `${t.you} `), question),
      this.#article,
    );
  }

  /** @param {Part} part */
  take(part) {
    switch (part.type) {
      case 'meta':
        this.requestId = part.request_id;
        this.#answerLang = part.lang;
        this.#text.element.lang = part.lang;
        return;
      case 'sources':
        for (const [i, source] of part.sources.entries()) {
          this.#numbers.set(source.ref, i);
          this.#items.push(
            new SourceItem(source, i + 1, this.#base, this.#t, this.#lang, this.#answerLang, this.#read),
          );
        }
        return;
      case 'text':
        this.#say('');
        // The sources are listed below.
        if (part.label) this.#text.skip(part.text);
        else this.#text.append(part.text);
        return;
      case 'citation': {
        const index = this.#numbers.get(part.ref);
        const item = this.#items[index ?? -1];
        if (index === undefined || !item) return;
        item.cite(part.quote);
        this.#text.mark(part.end, part.ref, () => this.#marker(index + 1, item, part.quote));
        return;
      }
      case 'replace':
        this.#text.clear();
        for (const item of this.#items) item.forget();
        this.#text.append(part.answer);
        this.#article.append(h('p', { class: 'remark' }, this.#t.replaced));
        return;
      case 'done':
        this.answer = part.answer;
        if (part.finish_reason === 'length') this.#article.append(h('p', { class: 'remark' }, this.#t.cut));
        this.#end();
        if (this.#items.length > 0) this.#listSources(part.mode === 'no_answer');
        this.#article.append(this.#rating());
        return;
      case 'error':
        if (part.code === 'cancelled') this.stopped();
        else if (part.code === 'rate_limited') this.#fail(this.#t.refusals.busy, true, null);
        else {
          const later = part.code === 'unavailable' || part.code === 'timeout';
          this.#fail(later ? this.#t.refusals.unavailable : this.#t.refusals.failed, part.retryable, null);
        }
    }
  }

  /** The stream was interrupted and is being resumed. */
  broken() {
    this.#say(this.#t.resuming);
  }

  stopped() {
    this.#end();
    this.#article.append(h('p', { class: 'remark' }, this.#t.stopped));
  }

  /** @param {Refusal} refusal */
  refused({ kind, seconds }) {
    const mayRetry = ['busy', 'unavailable', 'offline', 'failed'].includes(kind);
    this.#fail(this.#t.refusals[kind], mayRetry, seconds);
  }

  /** @param {string} sentence @param {boolean} mayRetry @param {number | null} seconds */
  #fail(sentence, mayRetry, seconds) {
    this.#end();
    const again = h('button', { class: 'plain', type: 'button', click: this.#retry }, this.#t.retry);
    again.disabled = seconds !== null;
    if (seconds !== null) setTimeout(() => (again.disabled = false), seconds * 1000);
    this.#article.append(
      h(
        'div',
        { class: 'fault' },
        h('p', {}, sentence, seconds === null ? '' : ` ${this.#t.wait(seconds)}`),
        mayRetry ? again : null,
      ),
    );
  }

  /** @param {string} status */
  #say(status) {
    this.#status.textContent = status;
    this.#status.hidden = status === '';
  }

  #end() {
    this.#say('');
    this.#article.setAttribute('aria-busy', 'false');
  }

  /**
   * Not a button element: a line may break before one, which would separate the number from its sentence.
   *
   * @param {number} number @param {SourceItem} item @param {string} quote
   */
  #marker(number, item, quote) {
    return h(
      'span',
      {
        class: 'marker',
        role: 'button',
        tabindex: '0',
        title: quote,
        'aria-label': `${this.#t.source} ${number}`,
        click: () => item.show(),
        keydown: (event) => {
          if (!['Enter', ' '].includes(/** @type {KeyboardEvent} */ (event).key)) return;
          event.preventDefault();
          item.show();
        },
      },
      String(number),
    );
  }

  /** @param {boolean} nearest whether no source answers the question, so that the sources are only the closest ones */
  #listSources(nearest) {
    const t = this.#t;
    const cited = this.#items.filter((item) => item.isCited);
    const others = this.#items.filter((item) => !item.isCited);
    const list = (/** @type {SourceItem[]} */ items) =>
      h('ol', { class: 'sources' }, ...items.map((item) => item.element));
    if (cited.length > 0)
      this.#article.append(h(this.#level === 2 ? 'h3' : 'h4', { class: 'subhead' }, t.sources), list(cited));
    if (others.length > 0)
      this.#article.append(
        h(
          'details',
          { class: 'more', open: nearest },
          h(
            'summary',
            {},
            nearest ? t.nearest : `${cited.length > 0 ? t.moreSources : t.sources} (${others.length})`,
          ),
          list(others),
        ),
      );
  }

  #rating() {
    const t = this.#t;
    const said = h('span', { class: 'said', role: 'status' });
    const send = async (/** @type {'up' | 'down'} */ rating, /** @type {string} */ comment) => {
      const taken = await rate(this.#base, this.requestId, comment === '' ? { rating } : { rating, comment });
      said.textContent = taken ? t.thanks : t.notRated;
      return taken;
    };
    const comment = h('input', { maxlength: '1000', placeholder: t.comment, 'aria-label': t.comment });
    const form = h(
      'form',
      {
        class: 'comment',
        hidden: true,
        submit: async (event) => {
          event.preventDefault();
          if (await send('down', comment.value.trim())) form.hidden = true;
        },
      },
      comment,
      h('button', { class: 'plain', type: 'submit' }, t.sendComment),
    );
    const button = (/** @type {'up' | 'down'} */ rating) =>
      h(
        'button',
        {
          class: 'icon',
          type: 'button',
          'aria-label': t[rating],
          title: t[rating],
          'aria-pressed': 'false',
          click: async (event) => {
            const pressed = /** @type {HTMLElement} */ (event.currentTarget);
            if (!(await send(rating, ''))) return;
            for (const one of [up, down]) one.setAttribute('aria-pressed', String(one === pressed));
            form.hidden = rating === 'up';
            if (rating === 'down') comment.focus();
          },
        },
        icon('thumb'),
      );
    const up = button('up');
    const down = button('down');
    const share = async () => {
      const address = new URL(`${this.#share}${this.requestId}`, location.href).href;
      try {
        await navigator.clipboard.writeText(address);
        said.textContent = t.shared;
      } catch {
        // Pages loaded over plain http have no clipboard access; the link is in the address bar of the answer's page.
        open(address, '_blank', 'noopener');
      }
    };
    const link =
      this.#share === null
        ? null
        : h(
            'button',
            { class: 'icon', type: 'button', 'aria-label': t.share, title: t.share, click: share },
            icon('share'),
          );
    return h('div', { class: 'rating' }, up, down, link, said, form);
  }
}
