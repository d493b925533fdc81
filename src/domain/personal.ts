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
