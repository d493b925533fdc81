/**
 * Building blocks for the schemas of the HTTP interface. A schema is the single definition of a record: it provides the
 * type (`Static`), the validation of requests, the OpenAPI description and an example. A schema with an `$id` becomes a
 * component with that name.
 */
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { languages, modes } from './domain/events.ts';

export const orNull = <T extends TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);
const Text = Type.String();
export const NullableText = orNull(Text);
export const Time = Type.String({ format: 'date-time' });
export const Count = Type.Integer({ minimum: 0 });
export const Share = Type.Number({ minimum: 0, maximum: 1 });
export const Counts = (description: string) => Type.Record(Type.String(), Count, { description });

export const Mode = Type.Enum([...modes], {
  $id: 'Mode',
  description:
    'exact: the question names a numbered provision; faq: answered from the FAQ cache; meta: about the assistant; ' +
    'no_answer: no evidence was found.',
});
export const Lang = Type.Enum([...languages], {
  $id: 'Lang',
  description: 'ISO 639-1 code of the language of the question.',
});

/**
 * A named object of the OpenAPI document. Its example is made of the examples of its fields, unless a more telling one
 * is given.
 */
export function record<T extends TProperties>(
  $id: string,
  properties: T,
  { example, ...options }: { description?: string; example?: unknown; 'x-first-of'?: string[] } = {},
) {
  const made = example ?? madeExample(Type.Object(properties));
  return Type.Object(properties, { $id, ...options, examples: [made] });
}

/** The example of a schema made by `record`, or of one that states its own. */
export function exampleOf(schema: TSchema): unknown {
  return (schema as { examples?: unknown[] }).examples?.[0];
}

/** The keywords that determine an example. */
interface Exemplified {
  type?: string;
  examples?: unknown[];
  format?: string;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: TProperties;
  maximum?: number;
  default?: unknown;
}

const isNull = (schema: Exemplified): boolean => schema.type === 'null';

/** An example of a schema without one of its own. `name` is the name of the field. */
function madeExample(schema: TSchema, name = ''): unknown {
  const { type, examples, enum: choices, anyOf, items, properties, format, ...rest }: Exemplified = schema;
  const { [name]: named = rest.default }: Record<string, unknown> = sample;
  if (examples) return examples[0];
  if (choices) return choices.includes(named) ? named : choices[0];
  if (anyOf) return anyOf.some(isNull) && named === undefined ? null : madeExample(anyOf[0]!, name);
  if (format === 'date-time') return sample.now;
  switch (type) {
    case 'string':
      return typeof named === 'string' ? named : 'text';
    case 'integer':
      return typeof named === 'number' ? named : Math.min(12, rest.maximum ?? 12);
    case 'number':
      // All of the twelve that a count gives.
      return rest.maximum === 1 ? 1 : 12.5;
    case 'boolean':
      return named === true;
    case 'array':
      return [madeExample(items!, name.replace(/s$/, ''))];
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([field, of]) => [field, madeExample(of, field)]),
      );
    default:
      return null;
  }
}

/** A page of a list, in the form shared by all lists of the administration. */
export const listOf = <T extends TSchema>(item: T) =>
  Type.Object(
    { items: Type.Array(item), total: Count, limit: Count, offset: Count },
    { examples: [{ items: [exampleOf(item)], total: 1, limit: 50, offset: 0 }] },
  );
export interface Listed<T> extends Page {
  items: T[];
  total: number;
}

export interface Page {
  limit: number;
  offset: number;
}

/** The parameters of a page; `usual` is the default of `limit`. */
export const page = (max: number, usual = 50) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: max, default: usual, description: 'Maximum number.' }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Number of entries to skip.' })),
});
/** For lists that used to be unpaged: the default page has the maximum size. */
export const wholePage = page(500, 500);
/** The page requested by a validated query. */
export const pageOf = ({ limit = 50, offset = 0 }: { limit?: number; offset?: number }): Page => ({
  limit,
  offset,
});

/** A day or a time, as accepted by `from` and `to`. */
const momentPattern = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2}))?$';
/** The parameters of a time range. */
export const timeRange = {
  from: Type.Optional(
    Type.String({ pattern: momentPattern, description: 'Only from this day (UTC) or RFC 3339 time on.' }),
  ),
  to: Type.Optional(
    Type.String({ pattern: momentPattern, description: 'Only up to and including this day or time.' }),
  ),
};
/** A past moment: a position, a day or a time. */
export const AsOf = Type.String({
  pattern: `^\\d{16}$|^\\d{20}/\\d{20}$|${momentPattern}`,
  description:
    'The past state: after the event at this position, or at the end of this day (UTC) or RFC 3339 time. The read ' +
    'models of that moment are built first; until then, the reply is 503 with the progress. For administrators and auditors.',
});
export const asOf = { as_of: Type.Optional(AsOf) };

/** The parameter that requests a list as CSV. */
export const format = {
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description:
        'csv: all matching entries as a table, or the requested page; the same as Accept: text/csv.',
    }),
  ),
};

export const filter = (description: string) => Type.Optional(Type.String({ description }));

/** Examples of fields by their names, so that all records of the reference belong to one story. */
export const sample = {
  request_id: '019aa1c2-7d3e-7c55-9a54-0c1f6f1b2a3d',
  job_id: '019aa1c2-9b1f-7a10-8c3e-5d0a7e6f4b21',
  entry_id: '019aa1c2-8a00-7b11-9d22-1e33f4a5b6c7',
  now: '2026-11-21T09:30:00.000Z',
  date: '2026-11-21',
  /** The position of an event in an embedded history. */
  position: '0000000000000412',
  content_hash: '5f8c0b1e0a9d4c7e8b6a3f2d1c0e9b8a7f6e5d4c3b2a19080706050403020100',
  query: 'What does article 17 say?',
  question: 'What does article 17 say?',
  answer:
    'Citizens have the right to gather peacefully and without weapons and to hold meetings, rallies, marches and pickets.',
  corpus_id: 'krk_2026',
  title: 'Constitution of the Republic of Kensai',
  lang: 'en',
  layer: 'norm',
  doc_id: 30,
  doc_key: 'norm/constitution-en',
  revision: 1,
  chunk_index: '17',
  unit: 'article',
  ref: 'norm/constitution-en#17',
  source_ref: 'norm/constitution-en#17',
  heading: 'Article 17. Peaceful Assembly',
  start: 7797,
  end: 7913,
  event_date: '2026-07-01',
  key_id: 4,
  rate_limit_rpm: 30,
  rate_limit_rph: 300,
  dimension: 256,
  is_active: true,
  is_default: true,
  embedded: true,
  serves: true,
  page_url: '/source/krk_2026/30?revision=1&chunk=17&quote=7797-7913#cited',
  quote: 'Citizens have the right to gather peacefully and without weapons',
  owner_email: 'portal@example.org',
  prefix: 'dk_Zx8Qw1p',
  actor: 'olga',
  created_by: 'olga',
  changed_by: 'olga',
  requested_by: 'olga',
  stream: 'catalog',
  type: 'CorpusRegistered',
  target: 'krk_2026',
  action: 'corpus.register',
  from: '2026-11-01',
  to: '2026-11-21',
  /** As long as from `start` to `end`. */
  text: 'Citizens have the right to gather peacefully and without weapons and to hold meetings, rallies, marches and pickets.',
  content: 'Answer from the passages alone, briefly, in the language of the question.',
  status: 'published',
  place: 'C024BE91L',
  subject: 'q8KYpNz3vW0rJ5bLh2XtUg',
  embedder: 'offline-grams-1',
};

export type { Static };
