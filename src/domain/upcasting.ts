/**
 * Older event versions are lifted while reading: `lifts.<Type>[v - 1]` turns version v's data into v + 1's.
 * Stored samples of each old version in test/domain/upcasting.test.ts hold them.
 */
import { Failure } from '../failures.ts';
import { type EventType, eventSchemas } from './events.ts';

type Lift = (data: Record<string, unknown>) => Record<string, unknown>;

const lifts: Partial<Record<EventType, readonly Lift[]>> = {};

/** A stored event's data as today's version has it, and that version. Failure `newer_format` for an unknown type or later version. */
export function lift(
  type: string,
  version: number,
  data: unknown,
  steps = lifts,
  schemas = eventSchemas,
): { version: number; data: unknown } {
  const schema = Object.hasOwn(schemas, type) ? schemas[type as EventType] : undefined;
  if (schema === undefined || version > schema.version) {
    throw new Failure(
      'newer_format',
      `The history holds ${type} of version ${version}, which this program does not know.`,
    );
  }
  let lifted = data;
  for (let v = version; v < schema.version; v++) {
    const step = steps[type as EventType]?.[v - 1];
    if (step === undefined)
      throw new Failure('internal', `No lifting of ${type} from version ${v} is known.`);
    lifted = step(lifted as Record<string, unknown>);
  }
  return { version: schema.version, data: lifted };
}
