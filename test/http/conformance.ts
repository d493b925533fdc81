/**
 * Test cases for the public interface: values at, below and above each bound, wrong types, nulls, malformed JSON,
 * wrong media types, large bodies, lengths in code points, and the order of errors. The error messages are those of
 * pydantic 2.13 for the same models.
 */
import type { Fault } from '../../src/http/validation.ts';

export interface Case {
  name: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  path: string;
  /** A string or Buffer is sent unchanged, anything else as JSON; undefined sends no body. */
  body?: unknown;
  contentType?: string | null;
  status: number;
  /** The complete `detail` of a 422. */
  faults?: Fault[];
  /** The `detail` of another error. */
  detail?: string;
  headers?: Record<string, string>;
  /** The values that the use case must receive, by field. */
  passed?: Record<string, unknown>;
}

const longest = 'я'.repeat(2000);
const smile = '😀';
const turn = { role: 'user', content: 'a' };
const stylePattern = '^(brief|quotes|compare|analytic)$';

/** A fault in a field of the body, given by its path; '' is the whole body. */
const fault = (field: string, type: string, msg: string, rest: Pick<Fault, 'input' | 'ctx'> = {}): Fault => {
  const names = field === '' ? [] : field.split('.').map((name) => (/^\d/.test(name) ? Number(name) : name));
  return { type, loc: ['body', ...names], msg, ...rest };
};
/** A kind of fault in a field with a value, which the error repeats. */
type Kind = (field: string, input: unknown) => Fault;
const kind =
  (type: string, msg: string, ctx?: Fault['ctx']): Kind =>
  (field, input) =>
    fault(field, type, msg, { input, ...(ctx && { ctx }) });
const missing = kind('missing', 'Field required');
const stringType = kind('string_type', 'Input should be a valid string');
const tooShort = kind('string_too_short', 'String should have at least 1 character', { min_length: 1 });
const tooLong = (max: number) =>
  kind('string_too_long', `String should have at most ${max} characters`, { max_length: max });
const unicode = kind(
  'string_unicode',
  'Input should be a valid string, unable to parse raw data as a unicode string',
);
const pattern = kind('string_pattern_mismatch', `String should match pattern '${stylePattern}'`, {
  pattern: stylePattern,
});
const role = kind('literal_error', "Input should be 'user' or 'assistant'", {
  expected: "'user' or 'assistant'",
});
const notObject = kind(
  'model_attributes_type',
  'Input should be a valid dictionary or object to extract fields from',
);
const listType = kind('list_type', 'Input should be a valid list');
const tooMany = (length: number) =>
  kind('too_long', `List should have at most 20 items after validation, not ${length}`, {
    field_type: 'List',
    max_length: 20,
    actual_length: length,
  });
const notParsed = kind(
  'int_parsing',
  'Input should be a valid integer, unable to parse string as an integer',
);
const tooSmall = kind('greater_than_equal', 'Input should be greater than or equal to 1', { ge: 1 });
const tooLarge = kind('less_than_equal', 'Input should be less than or equal to 20', { le: 20 });
const fractional = kind(
  'int_from_float',
  'Input should be a valid integer, got a number with a fractional part',
);
const intType = kind('int_type', 'Input should be a valid integer');
const tooManyDigits = kind(
  'int_parsing_size',
  'Unable to parse input string as an integer, exceeded maximum size',
);
const notFinite = kind('finite_number', 'Input should be a finite number');
/** The same fault in a value that is too large to be repeated. */
const unrepeated = ({ input: _, ...rest }: Fault): Fault => rest;
const nameNeeded = 'Expecting property name enclosed in double quotes';
const malformed = (offset: number, error: string) =>
  fault(String(offset), 'json_invalid', 'JSON decode error', { input: {}, ctx: { error } });

type Rest = Partial<Case>;
/** Posts to a path. */
function postsTo(path: string, title: string) {
  const sends = (name: string, body: unknown, rest: Rest = {}): Case => ({
    name: `${title}: ${name}`,
    method: 'POST',
    path,
    body,
    status: rest.faults ? 422 : 200,
    ...rest,
  });
  return {
    sends,
    takes: (name: string, body: unknown, passed: Record<string, unknown> = {}) =>
      sends(name, body, { passed }),
    rejects: (name: string, body: unknown, ...faults: Fault[]) => sends(name, body, { faults }),
    refuses: (name: string, body: unknown, status: number, detail: string) =>
      sends(name, body, { status, detail }),
    /** Values of a field that all have the same kind of fault. */
    rejectsEach: (field: string, kind: Kind, values: Record<string, unknown> | readonly unknown[]) =>
      (Array.isArray(values)
        ? values.map((value) => [JSON.stringify(value).slice(0, 30), value] as const)
        : Object.entries(values)
      ).map(([name, value]) =>
        sends(`${field}: ${name}`, bodyWith(field, value), { faults: [kind(field, value)] }),
      ),
  };
}
/** A valid body, except for one field. */
function bodyWith(field: string, value: unknown): object {
  const [, inTurn] = /^history\.0\.(.+)$/.exec(field) ?? [];
  return { query: 'a', ...(inTurn ? { history: [{ ...turn, [inTurn]: value }] } : { [field]: value }) };
}
const ask = postsTo('/api/ask', 'ask');
const lookUp = postsTo('/api/source-refs', 'source-refs');
const refused = (
  name: string,
  method: Case['method'],
  path: string,
  status: number,
  rest: Rest = {},
): Case => ({ name, method, path, status, ...rest });

const unknownPath = 'Not found.';
const noCorpus = 'There is no active corpus of this name.';
const notJson = 'The request body must be application/json.';
const over = 'The request body exceeds the limit for this path.';
const bodyMax = 1024 * 1024;
const padded = (bytes: number): string => `{"query":"a"${' '.repeat(bytes - 13)}}`;
const escaped = (text: string): string =>
  [...text]
    .map((c) =>
      [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
    )
    .join('');
const largestAsk = `{"query":"${escaped(smile.repeat(2000))}","corpus_id":"krk_2026","history":[${Array(20)
  .fill(`{"role":"assistant","content":"${escaped(smile.repeat(4000))}"}`)
  .join(',')}]}`;

export const cases: Case[] = [
  // The question
  ask.takes('one character', { query: 'a' }, { query: 'a' }),
  ask.takes('2000 characters', { query: longest }, { query: longest }),
  ask.takes('2000 outside the basic plane', { query: smile.repeat(2000) }, { query: smile.repeat(2000) }),
  ...ask.rejectsEach('query', tooLong(2000), {
    '2001 characters': `${longest}!`,
    '2001 characters outside the basic plane': smile.repeat(2001),
    'combining marks are counted separately': 'e\u0301'.repeat(1001),
    'too much white space': ' '.repeat(2001),
    'an input of 32 KiB as JSON is included in the error': 'a'.repeat(32_766),
  }),
  ...ask.rejectsEach('query', (field, input) => unrepeated(tooLong(2000)(field, input)), {
    'an input of one more byte is omitted': 'a'.repeat(32_767),
    'an input above 32 KiB is omitted': 'я'.repeat(20_000),
  }),
  ...ask.rejectsEach('query', tooShort, {
    empty: '',
    'spaces only': ' \t\n',
    'no-break and ideographic spaces only': '\u00a0\u3000',
    'zero-width characters only': '\u200b\ufeff',
    'a NUL only': '\u0000',
  }),
  ...ask.rejectsEach('query', stringType, [null, 5, true, ['a'], { a: 1 }]),
  ask.takes('surrounding white space is kept', { query: '  a ' }, { query: '  a ' }),
  ask.rejects('no question', {}, missing('query', {})),
  ask.rejects('half a surrogate pair', '{"query":"\\ud83d"}', unicode('query', '\ud83d')),
  ask.takes(
    'unknown fields are ignored',
    { query: 'a', extra: 1, __proto__: 5, constructor: null },
    { query: 'a' },
  ),
  ask.takes('__proto__ is an unknown field', '{"query":"a","__proto__":{"style":"brief"}}', {
    query: 'a',
    style: null,
  }),
  ask.rejects(
    'fields of the prototype are ignored',
    '{"__proto__":{"query":"a"}}',
    missing('query', JSON.parse('{"__proto__":{"query":"a"}}')),
  ),
  ask.takes('the last value of a repeated field is used', '{"query":"","query":"b"}', { query: 'b' }),
  // style
  ...['brief', 'quotes', 'compare', 'analytic', null].map((style) =>
    ask.takes(`style ${style}`, { query: 'a', style }, { style }),
  ),
  ask.takes('no style', { query: 'a' }, { style: null }),
  ...ask.rejectsEach('style', pattern, ['', 'Brief', 'brief ', 'brief\n', 'short', 'brief|quotes']),
  ...ask.rejectsEach('style', stringType, [1, ['brief']]),
  // corpus_id
  ask.takes('corpus is null', { query: 'a', corpus_id: null }, { corpus_id: 'krk_2026' }),
  ask.takes('no corpus', { query: 'a' }, { corpus_id: 'krk_2026' }),
  ask.takes('the other corpus', { query: 'a', corpus_id: 'reestr_texts' }, { corpus_id: 'reestr_texts' }),
  ask.refuses('100 characters, unknown', { query: 'a', corpus_id: smile.repeat(100) }, 404, noCorpus),
  ask.refuses('corpus is empty', { query: 'a', corpus_id: '' }, 404, noCorpus),
  ...ask.rejectsEach('corpus_id', tooLong(100), { '101 characters': smile.repeat(101) }),
  ...ask.rejectsEach('corpus_id', stringType, [7]),
  ask.rejects(
    'an unknown corpus is reported after schema errors',
    { query: '', corpus_id: 'none' },
    tooShort('query', ''),
  ),
  // history
  ask.takes('no history', { query: 'a' }, { history: [] }),
  ask.takes('empty history', { query: 'a', history: [] }, { history: [] }),
  ...[[turn, { role: 'assistant', content: 'b' }], Array(20).fill(turn), [{ ...turn, content: '' }]].map(
    (history, n) => ask.takes(`valid turns ${n}`, { query: 'a', history }, { history }),
  ),
  ask.takes('content of 4000 characters', bodyWith('history.0.content', smile.repeat(4000))),
  ask.takes('unknown fields of a turn are ignored', bodyWith('history.0.name', 'x'), { history: [turn] }),
  ...ask.rejectsEach('history', tooMany(21), {
    '21 turns': Array(21).fill(turn),
    '21 invalid turns are not validated': Array(21).fill(5),
  }),
  ask.rejects(
    '100,000 turns',
    { query: 'a', history: Array(100_000).fill(0) },
    unrepeated(tooMany(100_000)('history', 0)),
  ),
  ...ask.rejectsEach('history', listType, [null, {}, 'ab', 0]),
  ask.rejects(
    'turns that are not objects',
    { query: 'a', history: [null, 5, 's', [], true] },
    ...[null, 5, 's', [], true].map((item, i) => notObject(`history.${i}`, item)),
  ),
  ask.rejects(
    'a turn without content',
    { query: 'a', history: [turn, { role: 'user' }] },
    missing('history.1.content', { role: 'user' }),
  ),
  ...ask.rejectsEach('history.0.role', role, ['system', 'User', '', 'user ', null, 5, [], {}]),
  ...ask.rejectsEach('history.0.content', tooLong(4000), { '4001 characters': 'b'.repeat(4001) }),
  ...ask.rejectsEach('history.0.content', stringType, [null, 5]),
  // Several errors
  ask.rejects(
    'an error in every field',
    { query: 5, style: 'x', corpus_id: [], history: [{ role: 'x' }] },
    stringType('query', 5),
    pattern('style', 'x'),
    stringType('corpus_id', []),
    role('history.0.role', 'x'),
    missing('history.0.content', { role: 'x' }),
  ),
  ask.rejects(
    'errors in twenty turns',
    { query: 'a', history: Array(20).fill({}) },
    ...[...Array(20).keys()].flatMap((i) => [
      missing(`history.${i}.role`, {}),
      missing(`history.${i}.content`, {}),
    ]),
  ),
  // The body as a whole
  ask.sends('no body', undefined, { contentType: null, faults: [missing('', null)] }),
  ask.rejects('an empty body', '', missing('', null)),
  ask.rejects('JSON null', 'null', missing('', null)),
  ...['5', '"a"', '[]', 'true', '[{"query":"a"}]'].map((body) =>
    ask.rejects(`body ${body}`, body, notObject('', JSON.parse(body))),
  ),
  ...[`[${'1,'.repeat(20_000)}1]`, `${'['.repeat(10_000)}${']'.repeat(10_000)}`].map((body) =>
    ask.rejects(`a large body ${body.slice(0, 4)}`, body, unrepeated(notObject('', []))),
  ),
  // Malformed JSON
  ...(
    [
      ['white space only', '   ', 3, 'Expecting value'],
      ['a word', 'hello', 0, 'Expecting value'],
      ['truncated in an object', '{"query":', 9, 'Expecting value'],
      ['truncated in a string', '{"query":"a', 9, 'Unterminated string starting at'],
      ['an open brace', '{', 1, nameNeeded],
      ['a name in single quotes', "{'query':1}", 1, nameNeeded],
      ['no colon', '{"query" "a"}', 9, "Expecting ':' delimiter"],
      ['no comma', '{"query":"a" "b":1}', 13, "Expecting ',' delimiter"],
      ['a trailing comma', '{"query":"a",}', 13, nameNeeded],
      ['text after the JSON', '{"query":"a"} x', 14, 'Extra data'],
      ['a control character in a string', '{"query":"a\nb"}', 11, 'Invalid control character at'],
      ['an unknown escape', '{"query":"\\x"}', 10, 'Invalid \\escape'],
      ['half a unicode escape', '{"query":"\\u12"}', 11, 'Invalid \\uXXXX escape'],
      ['NaN', '{"query":NaN}', 9, 'Expecting value'],
      ['the offset counts code points', `{"query":"${smile}" 1}`, 13, "Expecting ',' delimiter"],
      ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 2, 'Invalid UTF-8'],
    ] as const
  ).map(([name, body, offset, error]) => ask.rejects(name, body, malformed(offset, error))),
  ask.takes('a byte order mark is skipped', '\ufeff{"query":"a"}', { query: 'a' }),
  // Media types
  ...['Application/JSON; charset=UTF-8', 'application/vnd.example+json'].map((contentType) =>
    ask.sends(`media type ${contentType}`, { query: 'a' }, { contentType }),
  ),
  ...[
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'nonsense'],
    ...['multipart/form-data; boundary=x', null],
  ].map((contentType) =>
    ask.sends(`media type ${contentType}`, { query: 'a' }, { contentType, status: 415, detail: notJson }),
  ),
  // Sizes
  ask.takes('1 MiB', padded(bodyMax)),
  ask.refuses('1 MiB and a byte', padded(bodyMax + 1), 413, over),
  ask.takes('the largest valid question, escaped', largestAsk),
  ask.sends('the size is checked before the media type', padded(bodyMax + 1), {
    contentType: 'text/plain',
    status: 413,
    detail: over,
  }),
  ask.refuses('the size is checked before the syntax', 'x'.repeat(bodyMax + 1), 413, over),
  // The stream rejects the same requests as the plain endpoint
  ...[
    ask.rejects('stream, empty question', { query: '' }, tooShort('query', '')),
    ask.sends('stream, no body', undefined, { contentType: null, faults: [missing('', null)] }),
    ask.rejects('stream, malformed', '{', malformed(1, nameNeeded)),
    ask.refuses('stream, unknown corpus', { query: 'a', corpus_id: 'none' }, 404, noCorpus),
    ask.sends('stream, wrong media type', 'a', { contentType: 'text/plain', status: 415, detail: notJson }),
    ask.refuses('stream, too large', padded(bodyMax + 1), 413, over),
  ].map((one) => ({ ...one, path: '/api/ask/stream' })),
  // Source references: which field contains the question
  lookUp.takes('query alone', { query: 'a' }, { query: 'a', limit: 5, corpus_id: 'krk_2026' }),
  lookUp.takes('question alone', { question: 'b' }, { query: 'b' }),
  lookUp.takes('query takes precedence', { query: 'a', question: 'b' }, { query: 'a' }),
  lookUp.takes('a null query falls back to question', { query: null, question: 'b' }, { query: 'b' }),
  lookUp.takes('a blank query falls back to question', { query: ' ', question: 'b' }, { query: 'b' }),
  lookUp.takes('an empty query falls back to question', { query: '', question: 'b' }, { query: 'b' }),
  lookUp.rejects('neither', {}, missing('query', {})),
  lookUp.rejects(
    'both null',
    { query: null, question: null },
    missing('query', { query: null, question: null }),
  ),
  ...lookUp.rejectsEach('query', tooShort, ['  ']),
  lookUp.rejects('both blank', { query: '', question: ' ' }, tooShort('query', '')),
  lookUp.rejects('only a blank question', { question: ' ' }, missing('query', { question: ' ' })),
  lookUp.rejects(
    'neither, and an invalid limit',
    { limit: 0 },
    tooSmall('limit', 0),
    missing('query', { limit: 0 }),
  ),
  lookUp.rejects('an invalid query', { query: 5, question: 'b' }, stringType('query', 5)),
  lookUp.takes('2000 characters', { query: longest }, { query: longest }),
  ...lookUp.rejectsEach('query', tooLong(2000), { '2001 characters': 'a'.repeat(2001) }),
  ...lookUp.rejectsEach('question', tooLong(2000), { '2001 characters': 'a'.repeat(2001) }),
  ...lookUp.rejectsEach('corpus_id', tooLong(100), { '101 characters': 'c'.repeat(101) }),
  lookUp.refuses('unknown corpus', { query: 'a', corpus_id: 'none' }, 404, noCorpus),
  lookUp.sends('no body', undefined, { contentType: null, faults: [missing('', null)] }),
  lookUp.rejects('a list as the body', '[]', notObject('', [])),
  // Source references: the limit is parsed as pydantic parses an integer in lax mode
  ...(
    [
      [1, 1],
      [20, 20],
      ['5', 5],
      [' 5 ', 5],
      ['5.0', 5],
      ['+5', 5],
      ['05', 5],
      ['1_0', 10],
      ['\t5\n', 5],
      ['\u00a05', 5],
      [true, 1],
    ] as const
  ).map(([given, limit]) =>
    lookUp.takes(`limit ${JSON.stringify(given)}`, { query: 'a', limit: given }, { limit }),
  ),
  lookUp.takes('limit 5.0', '{"query":"a","limit":5.0}', { limit: 5 }),
  lookUp.takes('limit 2e1', '{"query":"a","limit":2e1}', { limit: 20 }),
  ...lookUp.rejectsEach('limit', tooSmall, [0, -1, '0', '-0', false]),
  ...lookUp.rejectsEach('limit', tooLarge, [21, '21', '20_0', 9007199254740991, '9'.repeat(4300)]),
  ...lookUp.rejectsEach('limit', notParsed, [
    ...['', ' ', 'abc', '5.5', '5.', '.5', '5 5', '0x5', '1e1', '٥', '5,0', '_5', '5_', 'true', '- 5'],
    ...['\ufeff5', '5\u0000'],
  ]),
  ...lookUp.rejectsEach('limit', fractional, [5.5, -0.5, 1e-9]),
  ...lookUp.rejectsEach('limit', intType, [null, [], {}, [5]]),
  ...lookUp.rejectsEach('limit', tooManyDigits, { '4301 digits': '9'.repeat(4301) }),
  lookUp.rejects('infinite limit', '{"query":"a","limit":1e400}', notFinite('limit', null)),
  // Paths and methods
  refused('an unknown path', 'GET', '/api/none', 404, { detail: unknownPath }),
  refused('an unknown path with a body', 'POST', '/none', 404, { body: '{', detail: unknownPath }),
  refused('an unknown path is reported before the size', 'POST', '/none', 404, {
    body: padded(bodyMax + 1),
    detail: unknownPath,
  }),
  refused('a path with an invalid escape', 'GET', '/api/%zz', 404, { detail: unknownPath }),
  refused('a trailing slash', 'GET', '/api/corpora/', 404, { detail: unknownPath }),
  ...(
    [
      ['GET', '/api/ask', 'POST'],
      ['HEAD', '/api/ask', 'POST'],
      // The method is checked before the media type.
      ['PUT', '/api/source-refs', 'POST', { body: 'x', contentType: 'text/plain' }],
      ['POST', '/api/corpora', 'GET, HEAD', { body: {} }],
      ['POST', '/api/%63orpora', 'GET, HEAD', { body: {} }],
      ['DELETE', '/health', 'GET, HEAD'],
      ['PATCH', '/api/ask/stream', 'POST', { body: {} }],
    ] as [Case['method'], string, string, Rest?][]
  ).map(([method, path, allow, rest]) =>
    refused(`${method} ${path}`, method, path, 405, {
      headers: { allow },
      ...(method !== 'HEAD' && { detail: `This path supports only ${allow}.` }),
      ...rest,
    }),
  ),
  refused('the corpora', 'GET', '/api/corpora', 200),
  refused('the corpora with unknown parameters', 'GET', '/api/corpora?limit=x', 200),
  refused('HEAD on the corpora', 'HEAD', '/api/corpora', 200),
  refused('the health check', 'GET', '/health', 200),
  refused('HEAD on the health check', 'HEAD', '/health', 200),
];
