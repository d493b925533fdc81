/** The personal fields of events: the one place that knows how to find them in an event's data. */
import { type EventType, eventSchemas } from './events.ts';

type Data = Record<string, unknown>;

/**
 * The data with `change` applied to each of its type's personal fields that is there and not null; the data given is
 * not changed. Data of an unknown type is returned as it is.
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

/** Whether the data say something that is sealed. */
export function isPersonal(type: EventType, data: unknown): boolean {
  let found = false;
  mapPersonal(type, data, (value) => {
    found = true;
    return value;
  });
  return found;
}

/**
 * Whose words the personal fields of an event are, as an opaque name: who asked, rated or wrote in a chat, and was
 * answered there; the key of its owner's address; the administrator who read or came in.
 */
export function subjectOf(type: EventType, data: unknown): string {
  const { subject, key_id, name } = data as Data;
  if (typeof subject === 'string') return subject;
  if (type === 'ApiKeyCreated') return `key:${key_id}`;
  return typeof name === 'string' ? `admin:${name}` : 'admin';
}

/** What a personal field is read as when it was forgotten, by its path; a text that must be there: as none. */
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

/** The data of an event whose personal fields were forgotten: blank, and it says so. */
export function forgotten(type: EventType, data: unknown): unknown {
  const blank = mapPersonal(type, data, (_, path) => (Object.hasOwn(blanks, path) ? blanks[path] : ''));
  const { question_key: _, repeatable: __, ...rest } = blank as Data;
  return { ...rest, forgotten: true };
}
