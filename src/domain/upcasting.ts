/**
 * Upcasting: reads events of older versions in the current form. `upcasters.<Type>[v - 1]` converts the data from
 * version v to version v + 1. test/domain/stored-samples.ts contains a stored sample of every version that has existed.
 */
import { Failure } from '../failures.ts';
import { chatSettingsDefault, type EventType, eventSchemas } from './events.ts';

export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;
export type Upcasters = Partial<Record<EventType, readonly Upcaster[]>>;

const upcasters: Upcasters = {
  RevisionAbandoned: [(data) => ({ ...data, chunk_count: null })],
  ChatChanged: [(data) => ({ ...chatSettingsDefault, ...data, place: null, changed_by: null })],
};

/**
 * Returns the data of a stored event in its current version, and that version. Fails with `newer_format` if the type is
 * unknown or the version is later than the current one.
 */
export function upcast(
  type: string,
  version: number,
  data: unknown,
  steps: Upcasters = upcasters,
  schemas: Record<EventType, { version: number }> = eventSchemas,
): { version: number; data: unknown } {
  const schema = Object.hasOwn(schemas, type) ? schemas[type as EventType] : undefined;
  if (schema === undefined || version > schema.version) {
    throw new Failure(
      'newer_format',
      `The history contains version ${version} of ${type}, which this program does not support.`,
    );
  }
  let today = data;
  for (let v = version; v < schema.version; v++) {
    const step = steps[type as EventType]?.[v - 1];
    if (step === undefined)
      throw new Failure('internal', `There is no upcaster for ${type} from version ${v}.`);
    today = step(today as Record<string, unknown>);
  }
  return { version: schema.version, data: today };
}
