/**
 * Removes what belongs to the site and not to the page, if it is unmarked: navigation links ("Edit this page"),
 * breadcrumbs and the cookie notice. A paragraph is removed only if it contains nothing else.
 */

import type { Block } from '../formats/blocks.ts';
import { anyOf, phrasesOfAll, wholeWords } from '../language/index.ts';
import { foldLetters } from '../text/words.ts';

const link = anyOf(...phrasesOfAll('documents.links'));
const links = new RegExp(`^[^\\p{L}]*${link}(?:[^\\p{L}]+${link})*[^\\p{L}]*$`, 'u');
const path = new RegExp(`^${anyOf(...phrasesOfAll('documents.home'))}\\s*[>›»→/|·]\\s*\\S`, 'u');
const cookies = wholeWords(phrasesOfAll('documents.cookies'));
const consent = wholeWords(phrasesOfAll('documents.consent'));

const longestPath = 200;
const longestNotice = 500;
/** A text that mentions cookies more often than this is about cookies. */
const noticesMax = 2;

/** The blocks that belong to the page. */
export function withoutNavigation(blocks: readonly Block[]): Block[] {
  const notices = blocks.filter(isNotice);
  const dropped = new Set(notices.length <= noticesMax ? notices : []);
  return blocks.filter((block) => !dropped.has(block) && !isLink(block));
}

function isLink(block: Block): boolean {
  if (block.kind !== 'paragraph' || block.text.length > longestPath) return false;
  const text = foldLetters(block.text);
  return links.test(text) || (path.test(text) && !/[.!?]$/.test(text));
}

function isNotice(block: Block): boolean {
  if (block.kind !== 'paragraph' || block.text.length > longestNotice) return false;
  const text = foldLetters(block.text);
  return cookies.test(text) && consent.test(text);
}
