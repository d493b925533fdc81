/**
 * Handles the extensions that site generators add to Markdown: Liquid and Hugo tags (`{% … %}`, `{{< … >}}`), and
 * directives of documentation platforms (`{include(…)}`, `{cut(…)}`, `{linkto(…)[text=…]}`). Text that would be visible
 * on the site is kept, and the rest is removed. Fenced code is never changed.
 */
import { replaceEnclosed } from '../text/trimming.ts';

/** Directives without visible output. */
const silent =
  /^(?:include|ifdef|ifndef|endif|else|tabs|note|caption|counter|toc|anchor|pagebreak|tag|include_relative)$/;
/** Liquid keywords that control output but produce none. */
const control =
  /^(?:if|unless|else|elsif|for|case|when|assign|capture|include|include_relative|set|block|extends|import|raw|comment|end\w*)\b/;

/**
 * Returns the text without directives, keeping the line count and fences. A `cut` becomes a heading whose section ends
 * at the closing directive.
 */
export function resolveDirectives(markdown: string): string {
  if (!/[{]/.test(markdown)) return markdown;
  const out: string[] = [];
  let fence = '';
  let level = 1;
  for (const line of markdown.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === '' || (mark[0] === fence[0] && mark.length >= fence.length)))
      fence = fence === '' ? mark : '';
    if (fence !== '' || mark || !line.includes('{')) {
      if (fence === '') level = /^(#{1,6})\s/.exec(line)?.[1]?.length ?? level;
      out.push(line);
      continue;
    }
    const resolved = resolveLine(line, level);
    level = /^(#{1,6})\s/.exec(line)?.[1]?.length ?? level;
    out.push(resolved);
  }
  return out.join('\n');
}

/** Marks the end of a `cut` for the Markdown parser; no real document contains such a line. */
export const cutEnd = /^\uE000end (\d)$/;

function resolveLine(line: string, level: number): string {
  // If there are two variants of a phrase, use the first.
  let text = line.includes('{ifdef(')
    ? replaceEnclosed(line, ['{ifndef(', '{/ifndef}'], (inner) =>
        /^[^)]*\)\}/.test(inner) ? '' : `{ifndef(${inner}{/ifndef}`,
      )
    : line;
  // A step number and its full stop.
  text = text.replace(/\{counter\([^{}()]*\)\}\.?[ \t]*/g, '');
  // Work from the inside out: a cut's title may contain a variable, and a heading may contain a tag.
  for (let n = 0; n < 10; n++) {
    const next = text.replace(/\{([^{}]*)\}/g, (all, inner: string) => directive(all, inner, line, level));
    if (next === text) break;
    text = next;
  }
  // A tag must end before the next one begins; an unclosed tag removes nothing.
  text = text.replace(/\{\{[<%](?:(?!\{\{[<%]).)*?[>%]\}\}/g, '');
  text = outsideCode(text, (part) =>
    replaceEnclosed(part, ['{%', '%}'], (inner) => {
      const body = inner.replace(/^-/, '').replace(/-$/, '').trim();
      return control.test(body) || line.trim().startsWith('{%')
        ? ''
        : (/["']([^"']*)["'][^"']*$/.exec(body)?.[1] ?? '');
    }).replace(/\{\{[^{}]*\}\}/g, ''),
  );
  return text;
}

/** Parses `name(content)[option]…` between braces; returns null if it is not a directive. */
function readDirective(
  inner: string,
): { slash: string; name: string; content?: string; options: string } | null {
  const head = /^(\/?)([a-z_]+)(?::[a-z]+)?(?=[([]|$)/.exec(inner);
  if (head === null) return null;
  const [{ length }, slash, name] = head as unknown as [string, string, string];
  const rest = inner.slice(length);
  if (rest === '' || (rest.startsWith('[') && rest.endsWith(']'))) return { slash, name, options: rest };
  if (!rest.startsWith('(')) return null;
  // Content may contain brackets, so it extends to the last possible closing one.
  const end = rest.endsWith(')') ? rest.length - 1 : rest.endsWith(']') ? rest.lastIndexOf(')[') : -1;
  return end === -1 ? null : { slash, name, content: rest.slice(1, end), options: rest.slice(end + 1) };
}

/** The visible text of a directive, or `all` (the source including braces) if the directive is unknown. */
function directive(all: string, inner: string, line: string, level: number): string {
  const read = readDirective(inner);
  if (read === null) return all;
  const { slash, name, content, options } = read;
  const alone = /^\{/.test(line);
  if (name === 'cut' && alone)
    return slash
      ? `\n\uE000end ${Math.min(6, level + 1)}\n`
      : `\n${'#'.repeat(Math.min(6, level + 1))} ${content ?? ''}\n`;
  if (name === 'cut' || name === 'tab') return content ? `**${content}**` : '';
  if (name === 'heading') return content ?? '';
  if (name === 'linkto') return /\[text=([^\]]*)\]/.exec(options)?.[1] ?? '';
  if (name === 'var') return content ?? '';
  if (silent.test(name) && (slash || content !== undefined || /^(?:tabs|note|else|endif)$/.test(name)))
    return '';
  return all;
}

/** Applies a change to the text outside code spans. */
function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(`+[^`]*`+)/)
    .map((part, n) => (n % 2 === 0 ? change(part) : part))
    .join('');
}
