/**
 * Upcasting: events of older versions are read as today's. `upcasters.<Type>[v - 1]` turns version v's data into
 * v + 1's. test/domain/stored-samples.ts holds a stored sample of every version there ever was.
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
 * A stored event's data as today's version has it, and that version. Failure `newer_format` for an unknown type or a
 * later version.
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
      `The history holds ${type} of version ${version}, which this program does not know.`,
    );
  }
  let today = data;
  for (let v = version; v < schema.version; v++) {
    const step = steps[type as EventType]?.[v - 1];
    if (step === undefined)
      throw new Failure('internal', `There is no upcaster of ${type} from version ${v}.`);
    today = step(today as Record<string, unknown>);
  }
  return { version: schema.version, data: today };
}
