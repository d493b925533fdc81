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

const missing = (loc: Fault['loc'], input: unknown): Fault => ({
  type: 'missing',
  loc,
  msg: 'Field required',
  input,
});
const stringType = (loc: Fault['loc'], input: unknown): Fault => ({
  type: 'string_type',
  loc,
  msg: 'Input should be a valid string',
  input,
});
const tooShort = (loc: Fault['loc'], input: string): Fault => ({
  type: 'string_too_short',
  loc,
  msg: 'String should have at least 1 character',
  input,
  ctx: { min_length: 1 },
});
const tooLong = (loc: Fault['loc'], input: string, max: number): Fault => ({
  type: 'string_too_long',
  loc,
  msg: `String should have at most ${max} characters`,
  input,
  ctx: { max_length: max },
});
const pattern = (input: string): Fault => ({
  type: 'string_pattern_mismatch',
  loc: ['body', 'style'],
  msg: `String should match pattern '${stylePattern}'`,
  input,
  ctx: { pattern: stylePattern },
});
const role = (i: number, input: unknown): Fault => ({
  type: 'literal_error',
  loc: ['body', 'history', i, 'role'],
  msg: "Input should be 'user' or 'assistant'",
  input,
  ctx: { expected: "'user' or 'assistant'" },
});
const notObject = (loc: Fault['loc'], input: unknown): Fault => ({
  type: 'model_attributes_type',
  loc,
  msg: 'Input should be a valid dictionary or object to extract fields from',
  input,
});
const listType = (input: unknown): Fault => ({
  type: 'list_type',
  loc: ['body', 'history'],
  msg: 'Input should be a valid list',
  input,
});
const unicode = (loc: Fault['loc'], input: string): Fault => ({
  type: 'string_unicode',
  loc,
  msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
  input,
});
const limit = (type: string, msg: string, input: unknown, ctx?: Fault['ctx']): Fault => ({
  type,
  loc: ['body', 'limit'],
  msg,
  input,
  ...(ctx && { ctx }),
});
const notParsed = (input: unknown): Fault =>
  limit('int_parsing', 'Input should be a valid integer, unable to parse string as an integer', input);
const tooSmall = (input: unknown): Fault =>
  limit('greater_than_equal', 'Input should be greater than or equal to 1', input, { ge: 1 });
const tooLarge = (input: unknown): Fault =>
  limit('less_than_equal', 'Input should be less than or equal to 20', input, { le: 20 });
const malformed = (offset: number, error: string): Fault => ({
  type: 'json_invalid',
  loc: ['body', offset],
  msg: 'JSON decode error',
  input: {},
  ctx: { error },
});

type Rest = Partial<Case>;
const ask = (name: string, body: unknown, rest: Rest = {}): Case => ({
  name: `ask: ${name}`,
  method: 'POST',
  path: '/api/ask',
  body,
  status: rest.faults ? 422 : 200,
  ...rest,
});
const lookUp = (name: string, body: unknown, rest: Rest = {}): Case => ({
  name: `source-refs: ${name}`,
  method: 'POST',
  path: '/api/source-refs',
  body,
  status: rest.faults ? 422 : 200,
  ...rest,
});
const refused = (
  name: string,
  method: Case['method'],
  path: string,
  status: number,
  rest: Rest = {},
): Case => ({ name, method, path, status, ...rest });

const unknownPath = 'Not found.';
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
  // Length of the question
  ask('one character', { query: 'a' }, { passed: { query: 'a' } }),
  ask('2000 characters', { query: longest }, { passed: { query: longest } }),
  ask(
    '2001 characters',
    { query: `${longest}!` },
    { faults: [tooLong(['body', 'query'], `${longest}!`, 2000)] },
  ),
  ask(
    '2000 characters outside the basic plane',
    { query: smile.repeat(2000) },
    { passed: { query: smile.repeat(2000) } },
  ),
  ask(
    '2001 characters outside the basic plane',
    { query: smile.repeat(2001) },
    { faults: [tooLong(['body', 'query'], smile.repeat(2001), 2000)] },
  ),
  ask(
    'combining marks are counted separately',
    { query: 'e\u0301'.repeat(1001) },
    { faults: [tooLong(['body', 'query'], 'e\u0301'.repeat(1001), 2000)] },
  ),
  ask('empty question', { query: '' }, { faults: [tooShort(['body', 'query'], '')] }),
  ask('spaces only', { query: ' \t\n' }, { faults: [tooShort(['body', 'query'], ' \t\n')] }),
  ask(
    'no-break and ideographic spaces only',
    { query: '\u00a0\u3000' },
    { faults: [tooShort(['body', 'query'], '\u00a0\u3000')] },
  ),
  ask(
    'zero-width characters only',
    { query: '\u200b\ufeff' },
    { faults: [tooShort(['body', 'query'], '\u200b\ufeff')] },
  ),
  ask('a NUL only', { query: '\u0000' }, { faults: [tooShort(['body', 'query'], '\u0000')] }),
  ask('surrounding white space is kept', { query: '  a ' }, { passed: { query: '  a ' } }),
  ask(
    'a question with too much white space',
    { query: ' '.repeat(2001) },
    { faults: [tooLong(['body', 'query'], ' '.repeat(2001), 2000)] },
  ),
  ask(
    'an input above 32 KiB is omitted from the error',
    { query: 'я'.repeat(20_000) },
    {
      faults: [
        {
          type: 'string_too_long',
          loc: ['body', 'query'],
          msg: 'String should have at most 2000 characters',
          ctx: { max_length: 2000 },
        },
      ],
    },
  ),
  ask(
    'an input of 32 KiB as JSON is included in the error',
    { query: 'a'.repeat(32_766) },
    { faults: [tooLong(['body', 'query'], 'a'.repeat(32_766), 2000)] },
  ),
  ask(
    'an input of one more byte is omitted',
    { query: 'a'.repeat(32_767) },
    {
      faults: [
        {
          type: 'string_too_long',
          loc: ['body', 'query'],
          msg: 'String should have at most 2000 characters',
          ctx: { max_length: 2000 },
        },
      ],
    },
  ),
  // Type of the question
  ask('no question', {}, { faults: [missing(['body', 'query'], {})] }),
  ask('null', { query: null }, { faults: [stringType(['body', 'query'], null)] }),
  ask('a number', { query: 5 }, { faults: [stringType(['body', 'query'], 5)] }),
  ask('a boolean', { query: true }, { faults: [stringType(['body', 'query'], true)] }),
  ask('a list', { query: ['a'] }, { faults: [stringType(['body', 'query'], ['a'])] }),
  ask('an object', { query: { a: 1 } }, { faults: [stringType(['body', 'query'], { a: 1 })] }),
  ask('half a surrogate pair', '{"query":"\\ud83d"}', { faults: [unicode(['body', 'query'], '\ud83d')] }),
  ask(
    'unknown fields are ignored',
    { query: 'a', extra: 1, __proto__: 5, constructor: null },
    { passed: { query: 'a' } },
  ),
  ask('__proto__ is an unknown field', '{"query":"a","__proto__":{"style":"brief"}}', {
    passed: { query: 'a', style: null },
  }),
  ask('fields of the prototype are ignored', '{"__proto__":{"query":"a"}}', {
    faults: [missing(['body', 'query'], JSON.parse('{"__proto__":{"query":"a"}}'))],
  }),
  ask('the last value of a repeated field is used', '{"query":"","query":"b"}', { passed: { query: 'b' } }),
  // style
  ...['brief', 'quotes', 'compare', 'analytic'].map((style) =>
    ask(`style ${style}`, { query: 'a', style }, { passed: { style } }),
  ),
  ask('style is null', { query: 'a', style: null }, { passed: { style: null } }),
  ask('no style', { query: 'a' }, { passed: { style: null } }),
  ...['', 'Brief', 'brief ', 'brief\n', 'short', 'brief|quotes'].map((style) =>
    ask(`style ${JSON.stringify(style)}`, { query: 'a', style }, { faults: [pattern(style)] }),
  ),
  ask('style is a number', { query: 'a', style: 1 }, { faults: [stringType(['body', 'style'], 1)] }),
  ask(
    'style is a list',
    { query: 'a', style: ['brief'] },
    { faults: [stringType(['body', 'style'], ['brief'])] },
  ),
  // corpus_id
  ask('corpus is null', { query: 'a', corpus_id: null }, { passed: { corpus_id: 'krk_2026' } }),
  ask('no corpus', { query: 'a' }, { passed: { corpus_id: 'krk_2026' } }),
  ask(
    'the other corpus',
    { query: 'a', corpus_id: 'reestr_texts' },
    { passed: { corpus_id: 'reestr_texts' } },
  ),
  ask(
    'corpus of 100 characters, unknown',
    { query: 'a', corpus_id: smile.repeat(100) },
    { status: 404, detail: 'There is no active corpus of this name.' },
  ),
  ask(
    'corpus of 101 characters',
    { query: 'a', corpus_id: smile.repeat(101) },
    { faults: [tooLong(['body', 'corpus_id'], smile.repeat(101), 100)] },
  ),
  ask(
    'corpus is empty',
    { query: 'a', corpus_id: '' },
    { status: 404, detail: 'There is no active corpus of this name.' },
  ),
  ask('corpus is a number', { query: 'a', corpus_id: 7 }, { faults: [stringType(['body', 'corpus_id'], 7)] }),
  ask(
    'an unknown corpus is reported after schema errors',
    { query: '', corpus_id: 'none' },
    { faults: [tooShort(['body', 'query'], '')] },
  ),
  // history
  ask('no history', { query: 'a' }, { passed: { history: [] } }),
  ask('empty history', { query: 'a', history: [] }, { passed: { history: [] } }),
  ask(
    'a turn of each role',
    { query: 'a', history: [turn, { role: 'assistant', content: 'b' }] },
    { passed: { history: [turn, { role: 'assistant', content: 'b' }] } },
  ),
  ask(
    '20 turns',
    { query: 'a', history: Array(20).fill(turn) },
    { passed: { history: Array(20).fill(turn) } },
  ),
  ask(
    '21 turns',
    { query: 'a', history: Array(21).fill(turn) },
    {
      faults: [
        {
          type: 'too_long',
          loc: ['body', 'history'],
          msg: 'List should have at most 20 items after validation, not 21',
          input: Array(21).fill(turn),
          ctx: { field_type: 'List', max_length: 20, actual_length: 21 },
        },
      ],
    },
  ),
  ask(
    '21 invalid turns are not validated',
    { query: 'a', history: Array(21).fill(5) },
    {
      faults: [
        {
          type: 'too_long',
          loc: ['body', 'history'],
          msg: 'List should have at most 20 items after validation, not 21',
          input: Array(21).fill(5),
          ctx: { field_type: 'List', max_length: 20, actual_length: 21 },
        },
      ],
    },
  ),
  ask(
    '100,000 turns',
    { query: 'a', history: Array(100_000).fill(0) },
    {
      faults: [
        {
          type: 'too_long',
          loc: ['body', 'history'],
          msg: 'List should have at most 20 items after validation, not 100000',
          ctx: { field_type: 'List', max_length: 20, actual_length: 100_000 },
        },
      ],
    },
  ),
  ask('history is null', { query: 'a', history: null }, { faults: [listType(null)] }),
  ask('history is an object', { query: 'a', history: {} }, { faults: [listType({})] }),
  ask('history is a string', { query: 'a', history: 'ab' }, { faults: [listType('ab')] }),
  ask('history is a number', { query: 'a', history: 0 }, { faults: [listType(0)] }),
  ask(
    'turns that are not objects',
    { query: 'a', history: [null, 5, 's', [], true] },
    {
      faults: [null, 5, 's', [], true].map((item, i) => notObject(['body', 'history', i], item)),
    },
  ),
  ask(
    'an empty turn',
    { query: 'a', history: [{}] },
    { faults: [missing(['body', 'history', 0, 'role'], {}), missing(['body', 'history', 0, 'content'], {})] },
  ),
  ask(
    'a turn without content',
    { query: 'a', history: [turn, { role: 'user' }] },
    { faults: [missing(['body', 'history', 1, 'content'], { role: 'user' })] },
  ),
  ...['system', 'User', '', 'user '].map((name) =>
    ask(
      `role ${JSON.stringify(name)}`,
      { query: 'a', history: [{ role: name, content: 'x' }] },
      { faults: [role(0, name)] },
    ),
  ),
  ...[null, 5, [], {}].map((value) =>
    ask(
      `role ${JSON.stringify(value)}`,
      { query: 'a', history: [{ role: value, content: 'x' }] },
      { faults: [role(0, value)] },
    ),
  ),
  ask(
    'content is empty',
    { query: 'a', history: [{ role: 'user', content: '' }] },
    { passed: { history: [{ role: 'user', content: '' }] } },
  ),
  ask('content of 4000 characters', { query: 'a', history: [{ role: 'user', content: smile.repeat(4000) }] }),
  ask(
    'content of 4001 characters',
    { query: 'a', history: [{ role: 'user', content: 'b'.repeat(4001) }] },
    { faults: [tooLong(['body', 'history', 0, 'content'], 'b'.repeat(4001), 4000)] },
  ),
  ask(
    'content is null',
    { query: 'a', history: [{ role: 'user', content: null }] },
    { faults: [stringType(['body', 'history', 0, 'content'], null)] },
  ),
  ask(
    'content is a number',
    { query: 'a', history: [{ role: 'user', content: 5 }] },
    { faults: [stringType(['body', 'history', 0, 'content'], 5)] },
  ),
  ask(
    'unknown fields of a turn are ignored',
    { query: 'a', history: [{ ...turn, name: 'x' }] },
    { passed: { history: [turn] } },
  ),
  // Several errors
  ask(
    'an error in every field',
    { query: 5, style: 'x', corpus_id: [], history: [{ role: 'x' }] },
    {
      faults: [
        stringType(['body', 'query'], 5),
        pattern('x'),
        stringType(['body', 'corpus_id'], []),
        role(0, 'x'),
        missing(['body', 'history', 0, 'content'], { role: 'x' }),
      ],
    },
  ),
  ask(
    'errors in twenty turns',
    { query: 'a', history: Array(20).fill({}) },
    {
      faults: [...Array(20).keys()].flatMap((i) => [
        missing(['body', 'history', i, 'role'], {}),
        missing(['body', 'history', i, 'content'], {}),
      ]),
    },
  ),
  // The body as a whole
  ask('no body', undefined, { contentType: null, faults: [missing(['body'], null)] }),
  ask('an empty body', '', { faults: [missing(['body'], null)] }),
  ask('JSON null', 'null', { faults: [missing(['body'], null)] }),
  ...['5', '"a"', '[]', 'true', '[{"query":"a"}]'].map((body) =>
    ask(`body ${body}`, body, { faults: [notObject(['body'], JSON.parse(body))] }),
  ),
  ask('a large list as the body', `[${'1,'.repeat(20_000)}1]`, {
    faults: [
      {
        type: 'model_attributes_type',
        loc: ['body'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
      },
    ],
  }),
  ask('a deeply nested body', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, {
    faults: [
      {
        type: 'model_attributes_type',
        loc: ['body'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
      },
    ],
  }),
  // Malformed JSON
  ask('white space only', '   ', { faults: [malformed(3, 'Expecting value')] }),
  ask('a word', 'hello', { faults: [malformed(0, 'Expecting value')] }),
  ask('truncated in an object', '{"query":', { faults: [malformed(9, 'Expecting value')] }),
  ask('truncated in a string', '{"query":"a', { faults: [malformed(9, 'Unterminated string starting at')] }),
  ask('an open brace', '{', { faults: [malformed(1, 'Expecting property name enclosed in double quotes')] }),
  ask('a name in single quotes', "{'query':1}", {
    faults: [malformed(1, 'Expecting property name enclosed in double quotes')],
  }),
  ask('no colon', '{"query" "a"}', { faults: [malformed(9, "Expecting ':' delimiter")] }),
  ask('no comma', '{"query":"a" "b":1}', { faults: [malformed(13, "Expecting ',' delimiter")] }),
  ask('a trailing comma', '{"query":"a",}', {
    faults: [malformed(13, 'Expecting property name enclosed in double quotes')],
  }),
  ask('text after the JSON', '{"query":"a"} x', { faults: [malformed(14, 'Extra data')] }),
  ask('a control character in a string', '{"query":"a\nb"}', {
    faults: [malformed(11, 'Invalid control character at')],
  }),
  ask('an unknown escape', '{"query":"\\x"}', { faults: [malformed(10, 'Invalid \\escape')] }),
  ask('half a unicode escape', '{"query":"\\u12"}', { faults: [malformed(11, 'Invalid \\uXXXX escape')] }),
  ask('NaN', '{"query":NaN}', { faults: [malformed(9, 'Expecting value')] }),
  ask('the offset counts code points', `{"query":"${smile}" 1}`, {
    faults: [malformed(13, "Expecting ',' delimiter")],
  }),
  ask('bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), {
    faults: [malformed(2, 'Invalid UTF-8')],
  }),
  ask('a byte order mark is skipped', '\ufeff{"query":"a"}', { passed: { query: 'a' } }),
  // Media types
  ask('a media type with a charset', { query: 'a' }, { contentType: 'Application/JSON; charset=UTF-8' }),
  ask('a media type with the suffix +json', { query: 'a' }, { contentType: 'application/vnd.example+json' }),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    'nonsense',
  ].map((type) =>
    ask(`media type ${type}`, { query: 'a' }, { contentType: type, status: 415, detail: notJson }),
  ),
  ask('a body without a media type', { query: 'a' }, { contentType: null, status: 415, detail: notJson }),
  // Sizes
  ask('1 MiB', padded(bodyMax)),
  ask('1 MiB and a byte', padded(bodyMax + 1), { status: 413, detail: over }),
  ask('the largest valid question, escaped', largestAsk),
  ask('the size is checked before the media type', padded(bodyMax + 1), {
    contentType: 'text/plain',
    status: 413,
    detail: over,
  }),
  ask('the size is checked before the syntax', 'x'.repeat(bodyMax + 1), { status: 413, detail: over }),
  // The stream rejects the same requests as the plain endpoint
  ...[
    ask('stream, empty question', { query: '' }, { faults: [tooShort(['body', 'query'], '')] }),
    ask('stream, no body', undefined, { contentType: null, faults: [missing(['body'], null)] }),
    ask('stream, malformed', '{', {
      faults: [malformed(1, 'Expecting property name enclosed in double quotes')],
    }),
    ask(
      'stream, unknown corpus',
      { query: 'a', corpus_id: 'none' },
      { status: 404, detail: 'There is no active corpus of this name.' },
    ),
    ask('stream, wrong media type', 'a', { contentType: 'text/plain', status: 415, detail: notJson }),
    ask('stream, too large', padded(bodyMax + 1), { status: 413, detail: over }),
  ].map((one) => ({ ...one, path: '/api/ask/stream' })),
  // Source references: which field contains the question
  lookUp('query alone', { query: 'a' }, { passed: { query: 'a', limit: 5, corpus_id: 'krk_2026' } }),
  lookUp('question alone', { question: 'b' }, { passed: { query: 'b' } }),
  lookUp('query takes precedence', { query: 'a', question: 'b' }, { passed: { query: 'a' } }),
  lookUp('a null query falls back to question', { query: null, question: 'b' }, { passed: { query: 'b' } }),
  lookUp('a blank query falls back to question', { query: ' ', question: 'b' }, { passed: { query: 'b' } }),
  lookUp('an empty query falls back to question', { query: '', question: 'b' }, { passed: { query: 'b' } }),
  lookUp('neither', {}, { faults: [missing(['body', 'query'], {})] }),
  lookUp(
    'both null',
    { query: null, question: null },
    { faults: [missing(['body', 'query'], { query: null, question: null })] },
  ),
  lookUp('white space only', { query: '  ' }, { faults: [tooShort(['body', 'query'], '  ')] }),
  lookUp('both blank', { query: '', question: ' ' }, { faults: [tooShort(['body', 'query'], '')] }),
  lookUp(
    'only a blank question',
    { question: ' ' },
    { faults: [missing(['body', 'query'], { question: ' ' })] },
  ),
  lookUp(
    'neither, and an invalid limit',
    { limit: 0 },
    { faults: [tooSmall(0), missing(['body', 'query'], { limit: 0 })] },
  ),
  lookUp(
    'an invalid query next to a valid question',
    { query: 5, question: 'b' },
    { faults: [stringType(['body', 'query'], 5)] },
  ),
  lookUp('2000 characters', { query: longest }, { passed: { query: longest } }),
  lookUp(
    'query of 2001',
    { query: 'a'.repeat(2001) },
    { faults: [tooLong(['body', 'query'], 'a'.repeat(2001), 2000)] },
  ),
  lookUp(
    'question of 2001',
    { query: 'a', question: 'a'.repeat(2001) },
    { faults: [tooLong(['body', 'question'], 'a'.repeat(2001), 2000)] },
  ),
  lookUp(
    'corpus of 101 characters',
    { query: 'a', corpus_id: 'c'.repeat(101) },
    { faults: [tooLong(['body', 'corpus_id'], 'c'.repeat(101), 100)] },
  ),
  lookUp(
    'unknown corpus',
    { query: 'a', corpus_id: 'none' },
    { status: 404, detail: 'There is no active corpus of this name.' },
  ),
  lookUp('no body', undefined, { contentType: null, faults: [missing(['body'], null)] }),
  lookUp('a list as the body', '[]', { faults: [notObject(['body'], [])] }),
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
    lookUp(`limit ${JSON.stringify(given)}`, { query: 'a', limit: given }, { passed: { limit } }),
  ),
  lookUp('limit 5.0', '{"query":"a","limit":5.0}', { passed: { limit: 5 } }),
  lookUp('limit 2e1', '{"query":"a","limit":2e1}', { passed: { limit: 20 } }),
  ...[0, -1, '0', '-0', false].map((given) =>
    lookUp(`limit ${JSON.stringify(given)}`, { query: 'a', limit: given }, { faults: [tooSmall(given)] }),
  ),
  ...[21, '21', '20_0', 9007199254740991, '9'.repeat(4300)].map((given) =>
    lookUp(
      `limit ${JSON.stringify(given).slice(0, 30)}`,
      { query: 'a', limit: given },
      { faults: [tooLarge(given)] },
    ),
  ),
  ...[
    '',
    ' ',
    'abc',
    '5.5',
    '5.',
    '.5',
    '5 5',
    '0x5',
    '1e1',
    '٥',
    '5,0',
    '_5',
    '5_',
    'true',
    '- 5',
    '\ufeff5',
    '5\u0000',
  ].map((given) =>
    lookUp(`limit ${JSON.stringify(given)}`, { query: 'a', limit: given }, { faults: [notParsed(given)] }),
  ),
  ...[5.5, -0.5, 1e-9].map((given) =>
    lookUp(
      `limit ${given}`,
      { query: 'a', limit: given },
      {
        faults: [
          limit(
            'int_from_float',
            'Input should be a valid integer, got a number with a fractional part',
            given,
          ),
        ],
      },
    ),
  ),
  ...[null, [], {}, [5]].map((given) =>
    lookUp(
      `limit ${JSON.stringify(given)}`,
      { query: 'a', limit: given },
      { faults: [limit('int_type', 'Input should be a valid integer', given)] },
    ),
  ),
  lookUp(
    'limit of 4301 digits',
    { query: 'a', limit: '9'.repeat(4301) },
    {
      faults: [
        limit(
          'int_parsing_size',
          'Unable to parse input string as an integer, exceeded maximum size',
          '9'.repeat(4301),
        ),
      ],
    },
  ),
  lookUp('infinite limit', '{"query":"a","limit":1e400}', {
    faults: [limit('finite_number', 'Input should be a finite number', null)],
  }),
  // Paths and methods
  refused('an unknown path', 'GET', '/api/none', 404, { detail: unknownPath }),
  refused('an unknown path with a body', 'POST', '/none', 404, { body: '{', detail: unknownPath }),
  refused('an unknown path is reported before the size', 'POST', '/none', 404, {
    body: padded(bodyMax + 1),
    detail: unknownPath,
  }),
  refused('a path with an invalid escape', 'GET', '/api/%zz', 404, { detail: unknownPath }),
  refused('a trailing slash', 'GET', '/api/corpora/', 404, { detail: unknownPath }),
  refused('GET on the questions', 'GET', '/api/ask', 405, {
    headers: { allow: 'POST' },
    detail: 'This path supports only POST.',
  }),
  refused('HEAD on the questions', 'HEAD', '/api/ask', 405, { headers: { allow: 'POST' } }),
  refused('PUT is rejected before the media type is checked', 'PUT', '/api/source-refs', 405, {
    body: 'x',
    contentType: 'text/plain',
    headers: { allow: 'POST' },
    detail: 'This path supports only POST.',
  }),
  refused('POST on the corpora', 'POST', '/api/corpora', 405, {
    body: {},
    headers: { allow: 'GET, HEAD' },
    detail: 'This path supports only GET, HEAD.',
  }),
  refused('POST on the corpora, percent-encoded', 'POST', '/api/%63orpora', 405, {
    body: {},
    headers: { allow: 'GET, HEAD' },
    detail: 'This path supports only GET, HEAD.',
  }),
  refused('DELETE on the health check', 'DELETE', '/health', 405, {
    headers: { allow: 'GET, HEAD' },
    detail: 'This path supports only GET, HEAD.',
  }),
  refused('PATCH on the stream', 'PATCH', '/api/ask/stream', 405, {
    body: {},
    headers: { allow: 'POST' },
    detail: 'This path supports only POST.',
  }),
  refused('the corpora', 'GET', '/api/corpora', 200),
  refused('the corpora with unknown parameters', 'GET', '/api/corpora?limit=x', 200),
  refused('HEAD on the corpora', 'HEAD', '/api/corpora', 200),
  refused('the health check', 'GET', '/health', 200),
  refused('HEAD on the health check', 'HEAD', '/health', 200),
];
