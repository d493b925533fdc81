/** Texts of Slack and for Slack: what is not ours neither rings, nor links, nor is set in bold. */
import { cut, markText, type Piece } from '../splitting.ts';

/** A character that is not seen: what would be markup behind it is none. */
const unseen = '\u200b';

/** For mrkdwn: `&`, `<`, `>` as entities, and signs that would open a format without effect. */
export const escapeMrkdwn = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/(^|[^\p{L}\p{N}])([*_~`])(?=\S)/gu, `$1${unseen}$2`);

/** For the Markdown of streamed messages: the same, and no link, heading or list of a document's making. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/([*_~`])/g, `${unseen}$1`)
    .replaceAll('](', `]${unseen}(`)
    .replaceAll(/^([^\S\r\n\u2028\u2029]*)([#|+-]|\d+[.)])/gm, `$1${unseen}$2`)
    .replaceAll(/\n(?!\n)/g, '  \n');

export const mrkdwn = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => ('text' in piece ? escapeMrkdwn(piece.text) : markText(piece.mark))).join('');

export const markdown = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => ('text' in piece ? escapeMarkdown(piece.text) : markText(piece.mark))).join('');

/** A link whose address cannot end it. */
export const linked = (text: string, url: string | null): string =>
  url === null
    ? escapeMrkdwn(text)
    : `<${url.replaceAll('&', '&amp;').replaceAll(/[<>|\s]/g, encodeURIComponent)}|${escapeMrkdwn(text).replaceAll('|', '¦')}>`;

/** What a person wrote, as one reads it, without our name. */
export function written(text: string, botUser: string): string {
  return (
    text
      .replaceAll(/<([^<>]*)>/g, (_, inside: string) => {
        const [address = '', label] = inside.split('|', 2);
        if (address === `@${botUser}`) return ' ';
        if (/^[@#]/.test(address))
          return label === undefined ? ' ' : `${address[0]}${label.replace(/^[@#]/, '')}`;
        if (address.startsWith('!')) return label ?? ' ';
        return label ?? address;
      })
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      // Those of `called` are ours alone.
      .replaceAll(/[\uE000\uE001]/g, '')
      .replaceAll(/[^\S\n]+/g, ' ')
      .trim()
  );
}

/** Somebody in a text of ours, by Slack's id: `shownCalled` makes a mention of it once the text is escaped. */
export const called = (id: string): string => `\uE000${id}\uE001`;

export const shownCalled = (escaped: string): string =>
  escaped.replaceAll(/\uE000(\w+)\uE001/g, (_, id: string) => mentionOf(id));

/** A person, or a group of people (S…). */
export const mentionOf = (id: string): string => (/^S/.test(id) ? `<!subteam^${id}>` : `<@${id}>`);

/** Whom a message mentions beside us: people and groups, by Slack's ids. */
export const mentioned = (text: string, us: string): string[] =>
  [...text.matchAll(/<(?:@|!subteam\^)(\w+)(?:\|[^>]*)?>/g)].flatMap(([, id]) => (id === us ? [] : [id!]));

export const mentions = (text: string, user: string): boolean =>
  text.includes(`<@${user}>`) || text.includes(`<@${user}|`);

/** So that what it is escaped to has no more characters. */
export function cutEscaped(text: string, max: number): string {
  let short = cut(text, max);
  for (let size = escapeMrkdwn(short).length; size > max; size = escapeMrkdwn(short).length)
    short = cut(short, Math.max(1, Math.min(short.length - 1, Math.floor((short.length * max) / size))));
  return short;
}
