/**
 * Stores a conversation until the tab is closed, so that it survives a reload. If the storage is full or disabled,
 * nothing is stored.
 */
/** @import { Part } from '../../src/answering/parts.ts' */

/**
 * A question with its answer; `parts` ends in `done` or `error` once it is complete.
 * @typedef {{ query: string, parts: Part[] }} KeptTurn
 */

const turnsMax = 10;

export class Memory {
  #key;

  /** @param {string} corpus @param {boolean} keeps */
  constructor(corpus, keeps) {
    this.#key = keeps ? `docent:${corpus}` : null;
  }

  /** @returns {KeptTurn[]} */
  read() {
    try {
      const kept = this.#key === null ? null : JSON.parse(sessionStorage.getItem(this.#key) ?? 'null');
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  /** @param {readonly KeptTurn[]} turns */
  write(turns) {
    if (this.#key === null) return;
    try {
      if (turns.length === 0) sessionStorage.removeItem(this.#key);
      else sessionStorage.setItem(this.#key, JSON.stringify(turns.slice(-turnsMax)));
    } catch {
      // Without storage, the conversation is lost when the page is closed.
    }
  }
}
