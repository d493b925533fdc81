/** Formats texts as Telegram HTML. Untrusted text is escaped, and every message closes the tags that it opens. */
import { replaceEnclosed } from '../../src/text/trimming.ts';
import { type MessagePiece, markText } from '../splitting.ts';

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The visible text, without markup. */
export const plainOf = (html: string): string =>
  replaceEnclosed(html, ['<', '>'], () => '')
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

export const bold = (text: string): string => `<b>${escapeHtml(text)}</b>`;

export const linked = (text: string, url: string | null): string =>
  url === null ? escapeHtml(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;

export const html = (pieces: readonly MessagePiece[]): string =>
  pieces.map((piece) => escapeHtml('text' in piece ? piece.text : markText(piece.mark))).join('');
