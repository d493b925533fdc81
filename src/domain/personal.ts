/** The personal fields of events. Only this module locates them in an event's data. */
import { type EventType, eventSchemas } from './events.ts';

type Data = Record<string, unknown>;

/**
 * Returns the data with `change` applied to each personal field of its type that is present and not null, without
 * changing the given data. Data of an unknown type is returned unchanged.
 */
export function mapPersonal(
  type: EventType,
  data: unknown,
  change: (value: unknown, path: string) => unknown,
  schemas: Record<string, { personal: readonly string[] }> = eventSchemas,
): unknown {
  const paths = Object.hasOwn(schemas, type) ? schemas[type]!.personal : [];
  return paths.reduce(
    (mapped: unknown, path) => mapAt(mapped, path.split('.'), (v) => change(v, path)),
    data,
  );
}

function mapAt(
  data: unknown,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, name!)) return data;
  const value = (data as Data)[name!];
  if (value === null || value === undefined) return data;
  return { ...data, [name!]: rest.length === 0 ? change(value) : mapAt(value, rest, change) };
}

/** Whether any personal field in the data is set. */
export function isPersonal(type: EventType, data: unknown): boolean {
  let found = false;
  mapPersonal(type, data, (value) => {
    found = true;
    return value;
  });
  return found;
}

/**
 * The opaque name of the person to whom an event's personal fields belong: the person who asked, rated, wrote in a chat
 * or was answered there; the key, if the field is its owner's address; or the administrator who read or logged in.
 */
export function subjectOf(type: EventType, data: unknown): string {
  const { subject, key_id, name } = data as Data;
  if (typeof subject === 'string') return subject;
  if (type === 'ApiKeyCreated') return `key:${key_id}`;
  return typeof name === 'string' ? `admin:${name}` : 'admin';
}

/** The values of erased personal fields, by path. A required text becomes empty. */
const blanks: Record<string, unknown> = {
  history: [],
  body_hash: null,
  rewritten: null,
  'writing.sentences': [],
  searches: [],
  comment: null,
  answer_key: null,
  'faq.answer_key': null,
  owner_email: null,
  names: [],
  filter: {},
};

/** The data of an event whose personal fields were erased: they are blank, and `forgotten` is set. */
export function forgotten(type: EventType, data: unknown): unknown {
  const blank = mapPersonal(type, data, (_, path) => (Object.hasOwn(blanks, path) ? blanks[path] : ''));
  const { question_key: _, repeatable: __, ...rest } = blank as Data;
  return { ...rest, forgotten: true };
}
