/** HTML templates that escape every value unless it is already HTML. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | null | false | readonly Value[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function markup(value: Value): string {
  if (value instanceof Html) return value.text;
  if (value === null || value === false) return '';
  if (typeof value === 'object') return value.map(markup).join('');
  return String(value).replace(/[&<>"']/g, (character) => entities[character]!);
}

/** Joins lists and omits null and false. Attribute values must be quoted. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(markup)));
}

/** A web address that is safe in a link; null for anything else, such as `javascript:` from a document. */
export function webAddress(url: string | null): string | null {
  const address = url === null ? null : URL.parse(url);
  return address && /^https?:$/.test(address.protocol) ? address.href : null;
}
