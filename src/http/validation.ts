/**
 * Validates every request: walks the route's TypeBox schemas, describes each fault in the words of pydantic 2, converts
 * values as its lax mode does, and finds all faults of a request in one pass.
 *
 * The wording and conversions come from pydantic 2.13, and `loc` from FastAPI. Notable rules:
 * - A boolean is a valid integer (true is 1), and so is a string of digits ("5", " 5 ", "5.0", "1_000"). The text of a
 *   query parameter is a boolean if it is one of the spellings in `booleans` below.
 * - A value outside an enumeration is a `literal_error`, regardless of its type.
 * - A list over its maximum is reported only as `too_long`; for other values, only the first fault is reported.
 * - Unknown fields are omitted from the result; an absent field takes the schema's `default`.
 * - Two custom keywords also appear in the OpenAPI document: `x-not-blank` (a string without visible characters counts
 *   as empty) and `x-first-of` (the first of these fields that is not blank is used; one must be present).
 *
 * Differences: at most 100 faults are reported, an `input` above 32 KiB is omitted, and the faults of body, query and
 * path are returned together even if the body is not JSON.
 */
import type { TSchema } from 'typebox';
import type { ParsedJson } from './json.ts';

export type Loc = (string | number)[];

export interface Fault {
  type: string;
  loc: Loc;
  msg: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** Thrown for a request that does not match its schemas. It is answered with 422 and all faults. */
export class ValidationFailure extends Error {
  readonly faults: Fault[];
  constructor(faults: Fault[]) {
    super('The request does not match its schema.');
    this.name = 'ValidationFailure';
    this.faults = faults;
  }
}

/** The subset of JSON Schema used by requests; `assertWordable` rejects anything else. */
interface Schema {
  type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  anyOf?: Schema[];
  enum?: string[];
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  'x-not-blank'?: boolean;
  'x-first-of'?: string[];
}

export interface RequestSchemas {
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
}

export interface RequestParts {
  params: unknown;
  query: unknown;
  /** Undefined if there is no body. */
  body: ParsedJson | undefined;
}

const faultsMax = 100;
const inputBytesMax = 32 * 1024;
const inputDepthMax = 200;
const integerDigitsMax = 4300;

const integerText = /^\p{White_Space}*([+-]?)(\d+(?:_\d+)*)(?:\.0+)?\p{White_Space}*$/u;
/** Invisible characters: white space, controls, and characters ignored in display. */
const blank = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u;
const booleans = new Map<string, boolean>([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
]);

/** True for a text without any visible character. */
export function isBlank(text: string): boolean {
  return blank.test(text);
}

/**
 * Validates all parts of a request. Returns the converted values, or throws ValidationFailure with every fault found.
 * If `isSecret` is set, the faults do not repeat the input.
 */
export function validateRequest(
  schemas: RequestSchemas,
  parts: RequestParts,
  isSecret = false,
): { params: unknown; query: unknown; body: unknown } {
  const faults: Fault[] = [];
  const params = schemas.params && validateParameters(schemas.params, parts.params, 'path', faults);
  const query = schemas.querystring && validateParameters(schemas.querystring, parts.query, 'query', faults);
  const body = schemas.body && validateBody(schemas.body, parts.body, faults);
  if (faults.length > 0)
    throw new ValidationFailure(faults.slice(0, faultsMax).map(isSecret ? withoutInput : withBoundedInput));
  return { params, query, body };
}

/**
 * Path and query parameters are strings. If a parameter is repeated, the last value counts. A missing one has no input.
 */
function validateParameters(schema: TSchema, given: unknown, location: string, faults: Fault[]): unknown {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(isRecord(given) ? given : {}))
    values[name] = Array.isArray(value) ? value.at(-1) : value;
  const found: Fault[] = [];
  const converted = walk(schema, values, [location], found);
  for (const fault of found) faults.push(fault.type === 'missing' ? { ...fault, input: null } : fault);
  return converted;
}

function validateBody(schema: TSchema, body: ParsedJson | undefined, faults: Fault[]): unknown {
  if (body === undefined || (body.ok && body.value === null)) {
    faults.push({ type: 'missing', loc: ['body'], msg: 'Field required', input: null });
    return undefined;
  }
  if (!body.ok) {
    const ctx = { error: body.error };
    faults.push({
      type: 'json_invalid',
      loc: ['body', body.offset],
      msg: 'JSON decode error',
      input: {},
      ctx,
    });
    return undefined;
  }
  return walk(schema, body.value, ['body'], faults);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts a value and adds any faults to the list. */
function walk(schema: Schema, value: unknown, loc: Loc, faults: Fault[]): unknown {
  const fault = (type: string, msg: string, ctx?: Record<string, unknown>): undefined => {
    faults.push({ type, loc, msg, input: value, ...(ctx && { ctx }) });
  };
  if (schema.anyOf) return value === null ? null : walk(notNull(schema.anyOf), value, loc, faults);
  if (schema.enum) {
    if (typeof value === 'string' && schema.enum.includes(value)) return value;
    const quoted = schema.enum.map((choice) => `'${choice}'`);
    const last = quoted.pop() ?? '';
    const expected = quoted.length > 0 ? `${quoted.join(', ')} or ${last}` : last;
    return fault('literal_error', `Input should be ${expected}`, { expected });
  }
  switch (schema.type) {
    case 'string':
      return checkString(schema, value, fault);
    case 'integer':
      return checkInteger(schema, value, fault);
    case 'boolean': {
      if (typeof value === 'boolean') return value;
      if (typeof value !== 'string') return fault('bool_type', 'Input should be a valid boolean');
      const meant = booleans.get(value.toLowerCase());
      return meant ?? fault('bool_parsing', 'Input should be a valid boolean, unable to interpret input');
    }
    case 'array': {
      if (!Array.isArray(value)) return fault('list_type', 'Input should be a valid list');
      const max = schema.maxItems ?? Number.POSITIVE_INFINITY;
      if (value.length > max) {
        const msg = `List should have at most ${counted(max, 'item')} after validation, not ${value.length}`;
        return fault('too_long', msg, { field_type: 'List', max_length: max, actual_length: value.length });
      }
      return value.map((item, i) =>
        faults.length < faultsMax ? walk(schema.items ?? {}, item, [...loc, i], faults) : item,
      );
    }
    case 'object': {
      if (isRecord(value)) return checkObject(schema, value, loc, faults);
      return fault(
        'model_attributes_type',
        'Input should be a valid dictionary or object to extract fields from',
      );
    }
    default:
      throw new TypeError(`No wording is defined for the schema at ${loc.join('.')}.`);
  }
}

type AddFault = (type: string, msg: string, ctx?: Record<string, unknown>) => undefined;

function checkString(schema: Schema, value: unknown, fault: AddFault): string | undefined {
  if (typeof value !== 'string') return fault('string_type', 'Input should be a valid string');
  if (!value.isWellFormed())
    return fault(
      'string_unicode',
      'Input should be a valid string, unable to parse raw data as a unicode string',
    );
  const max = schema.maxLength ?? Number.POSITIVE_INFINITY;
  if (value.length > max && codePointsExceed(value, max))
    return fault('string_too_long', `String should have at most ${counted(max, 'character')}`, {
      max_length: max,
    });
  const min = schema.minLength ?? 0;
  if ((min > 0 && !codePointsExceed(value, min - 1)) || (schema['x-not-blank'] && isBlank(value)))
    return fault(
      'string_too_short',
      `String should have at least ${counted(Math.max(min, 1), 'character')}`,
      { min_length: Math.max(min, 1) },
    );
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    return fault('string_pattern_mismatch', `String should match pattern '${schema.pattern}'`, {
      pattern: schema.pattern,
    });
  return value;
}

function codePointsExceed(text: string, max: number): boolean {
  if (text.length > 2 * max) return true;
  let count = 0;
  for (const _ of text) if (++count > max) return true;
  return false;
}

function checkInteger(schema: Schema, value: unknown, fault: AddFault): number | undefined {
  let number: number;
  if (typeof value === 'boolean') number = Number(value);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) return fault('finite_number', 'Input should be a finite number');
    if (!Number.isInteger(value))
      return fault('int_from_float', 'Input should be a valid integer, got a number with a fractional part');
    number = value;
  } else if (typeof value === 'string') {
    const found = integerText.exec(value);
    if (!found)
      return fault('int_parsing', 'Input should be a valid integer, unable to parse string as an integer');
    const digits = (found[2] ?? '').replaceAll('_', '').replace(/^0+/, '');
    if (digits.length > integerDigitsMax)
      return fault('int_parsing_size', 'Unable to parse input string as an integer, exceeded maximum size');
    number = Number(`${found[1]}${digits || '0'}`);
  } else return fault('int_type', 'Input should be a valid integer');
  const { minimum: ge, maximum: le } = schema;
  if (ge !== undefined && number < ge)
    return fault('greater_than_equal', `Input should be greater than or equal to ${ge}`, { ge });
  if (le !== undefined && number > le)
    return fault('less_than_equal', `Input should be less than or equal to ${le}`, { le });
  // No record has a number beyond a double's exact range, and the stores accept only integers.
  return Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) + 0;
}

function checkObject(
  schema: Schema,
  value: Record<string, unknown>,
  loc: Loc,
  faults: Fault[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const faulty = new Set<string>();
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const before = faults.length;
    if (Object.hasOwn(value, name)) result[name] = walk(field, value[name], [...loc, name], faults);
    else if (schema.required?.includes(name))
      faults.push({ type: 'missing', loc: [...loc, name], msg: 'Field required', input: value });
    else if (field.default !== undefined) result[name] = structuredClone(field.default);
    if (faults.length > before) faulty.add(name);
  }
  const choice = schema['x-first-of'];
  const first = choice?.[0];
  if (choice && first !== undefined && !choice.some((name) => faulty.has(name))) {
    const texts = choice.map((name) => result[name]);
    const isBlankText = (text: unknown): text is string => typeof text === 'string' && isBlank(text);
    if (texts.every((text) => text === undefined || text === null || isBlankText(text))) {
      if (isBlankText(texts[0]))
        checkString({ minLength: 1, 'x-not-blank': true }, texts[0], (type, msg, ctx) => {
          faults.push({ type, loc: [...loc, first], msg, input: texts[0], ...(ctx && { ctx }) });
        });
      else faults.push({ type: 'missing', loc: [...loc, first], msg: 'Field required', input: value });
    }
  }
  return result;
}

function notNull(schemas: Schema[]): Schema {
  return schemas.find((schema) => (schema as { type?: string }).type !== 'null') ?? {};
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const withBoundedInput = (fault: Fault): Fault =>
  fitsInto(fault.input, inputBytesMax) ? fault : withoutInput(fault);

const withoutInput = ({ input: _, ...rest }: Fault): Fault => rest;

/** Whether a JSON value takes at most `bytesMax` as JSON and is not nested too deeply to serialize. */
function fitsInto(value: unknown, bytesMax: number): boolean {
  let bytes = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (bytes > bytesMax || next.depth > inputDepthMax) return false;
    const item = next.value;
    const depth = next.depth + 1;
    if (typeof item === 'string') {
      if (item.length > bytesMax) return false;
      bytes += Buffer.byteLength(JSON.stringify(item));
    } else if (typeof item === 'object' && item !== null) {
      bytes += 2;
      if (Array.isArray(item)) {
        if (item.length > bytesMax) return false;
        bytes += Math.max(0, item.length - 1);
        for (const element of item) open.push({ value: element, depth });
      } else
        for (const [name, element] of Object.entries(item)) {
          if (name.length > bytesMax) return false;
          bytes += Buffer.byteLength(JSON.stringify(name)) + 2;
          open.push({ value: element, depth });
        }
    } else bytes += String(item).length;
  }
  return bytes <= bytesMax;
}

const known: Record<string, string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'x-not-blank'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['items', 'maxItems'],
  object: ['properties', 'required', 'x-first-of'],
};
const described = ['type', 'default', 'title', 'description', 'examples', '$id'];

/** Throws if a request schema uses a keyword that has no wording here. Called once for every route. */
export function assertWordable(given: TSchema, path = 'schema'): void {
  const schema: Schema = given;
  if (schema.anyOf) {
    const isNull = (one: Schema): boolean => (one as { type?: string }).type === 'null';
    if (schema.anyOf.length !== 2 || !schema.anyOf.some(isNull))
      throw new TypeError(`${path}: the only supported union is "or null".`);
    assertWordable(notNull(schema.anyOf), path);
    return;
  }
  const keywords = schema.enum ? ['enum'] : known[schema.type ?? ''];
  const unknown = Object.keys(schema).filter((key) => !keywords?.includes(key) && !described.includes(key));
  if (!keywords || unknown.length > 0)
    throw new TypeError(`${path}: no wording is defined for ${schema.type} ${unknown.join(', ')}.`);
  if (schema.items) assertWordable(schema.items, `${path}[]`);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    assertWordable(field, `${path}.${name}`);
}
