/**
 * The text of an answer while it arrives, with numbered markers where citations end. Text nodes are only appended to or
 * split, so that a selection and a screen reader keep their position.
 */
import { h } from './dom.js';

export class AnswerText {
  element = h('div', { class: 'text' });
  /** @type {{ start: number, node: Text }[]} Offsets are UTF-16 units into the answer. */
  #pieces = [];
  #length = 0;
  /** Whether text before the next piece was omitted; offsets then continue in a new node. */
  #gap = false;
  /** @type {Set<string>} */
  #marked = new Set();

  get isEmpty() {
    return this.#length === 0;
  }

  /** @param {string} text */
  append(text) {
    const last = this.#pieces.at(-1);
    if (last && !this.#gap && last.node === this.element.lastChild) last.node.appendData(text);
    else {
      const node = new Text(text);
      this.#pieces.push({ start: this.#length, node });
      this.element.append(node);
    }
    this.#gap = false;
    this.#length += text.length;
  }

  /** Skips text of the answer that is not shown. @param {string} text */
  skip(text) {
    this.#gap = true;
    this.#length += text.length;
  }

  /**
   * Adds a marker after the cited statement, once per position.
   *
   * @param {number} end @param {string} key @param {() => Node} make
   */
  mark(end, key, make) {
    if (this.#marked.has(`${end} ${key}`)) return;
    this.#marked.add(`${end} ${key}`);
    const index = this.#pieces.findIndex(({ start, node }) => end > start && end <= start + node.length);
    const piece = this.#pieces[index];
    if (!piece) return;
    if (end < piece.start + piece.node.length)
      this.#pieces.splice(index + 1, 0, { start: end, node: piece.node.splitText(end - piece.start) });
    const next = this.#pieces[index + 1]?.node ?? null;
    this.element.insertBefore(make(), next);
  }

  clear() {
    this.element.replaceChildren();
    this.#pieces = [];
    this.#length = 0;
    this.#gap = false;
    this.#marked.clear();
  }
}
