/** Reads and writes text in Slack's format. Untrusted text cannot notify anyone, contain links or apply formatting. */
import { cut, type MessagePiece, markText } from '../splitting.ts';

/** An invisible character. Markup after it has no effect. */
const unseen = '\u200b';

/** Escapes text for mrkdwn: `&`, `<` and `>` become entities, and formatting characters lose their effect. */
export const escapeMrkdwn = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/(^|[^\p{L}\p{N}])([*_~`])(?=\S)/gu, `$1${unseen}$2`);

/**
 * Escapes text for the Markdown of streamed messages. In addition to the above, it disables links, headings and lists
 * from documents.
 */
const escapeMarkdown = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/([*_~`])/g, `${unseen}$1`)
    .replaceAll('](', `]${unseen}(`)
    .replaceAll(/^([^\S\r\n\u2028\u2029]*)([#|+-]|\d+[.)])/gm, `$1${unseen}$2`)
    .replaceAll(/\n(?!\n)/g, '  \n');

export const mrkdwn = (pieces: readonly MessagePiece[]): string =>
  pieces.map((piece) => ('text' in piece ? escapeMrkdwn(piece.text) : markText(piece.mark))).join('');

export const markdown = (pieces: readonly MessagePiece[]): string =>
  pieces.map((piece) => ('text' in piece ? escapeMarkdown(piece.text) : markText(piece.mark))).join('');

/** A link. Its address is encoded so that it cannot end the link. */
export const linked = (text: string, url: string | null): string =>
  url === null
    ? escapeMrkdwn(text)
    : `<${url.replaceAll('&', '&amp;').replaceAll(/[<>|\s]/g, encodeURIComponent)}|${escapeMrkdwn(text).replaceAll('|', '¦')}>`;

/** The readable text of a person's message, without the bot's name. */
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
      // The characters used by `called` are reserved for the fixed texts.
      .replaceAll(/[\uE000\uE001]/g, '')
      .replaceAll(/[^\S\n]+/g, ' ')
      .trim()
  );
}

/**
 * Marks a person in a fixed text by Slack id. After the text is escaped, `shownCalled` turns the mark into a mention.
 */
export const called = (id: string): string => `\uE000${id}\uE001`;

export const shownCalled = (escaped: string): string =>
  escaped.replaceAll(/\uE000(\w+)\uE001/g, (_, id: string) => mentionOf(id));

/** Mentions a person, or a group of people (S…). */
export const mentionOf = (id: string): string => (/^S/.test(id) ? `<!subteam^${id}>` : `<@${id}>`);

/** The people and groups mentioned in a message, except the bot, by Slack id. */
export const mentioned = (text: string, us: string): string[] =>
  [...text.matchAll(/<(?:@|!subteam\^)(\w+)(?:\|[^>]*)?>/g)].flatMap(([, id]) => (id === us ? [] : [id!]));

export const mentions = (text: string, user: string): boolean =>
  text.includes(`<@${user}>`) || text.includes(`<@${user}|`);

/** Cuts the text so that its escaped form has at most `max` characters. */
export function cutEscaped(text: string, max: number): string {
  let short = cut(text, max);
  for (let size = escapeMrkdwn(short).length; size > max; size = escapeMrkdwn(short).length)
    short = cut(short, Math.max(1, Math.min(short.length - 1, Math.floor((short.length * max) / size))));
  return short;
}
