import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/domain/canonical-json.ts';

/** The value with the members of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, member]) => [name, reordered(member)]));
}

describe('canonical JSON', () => {
  it('matches the examples of RFC 8785', () => {
    // Sections 3.2.2 and 3.2.3.
    const value = {
      numbers: [JSON.parse('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const names = { '\u20ac': 5, '\r': 1, '\ufb33': 7, '1': 2, '\ud83d\ude00': 6, '\u0080': 3, '\u00f6': 4 };
    expect(Object.values(JSON.parse(canonicalJson(names).replaceAll('"1":', '"one":')))).toEqual([
      1, 2, 3, 4, 5, 6, 7,
    ]);
  });

  it('omits undefined members', () => {
    expect(canonicalJson({ b: [1, { z: null, y: 'я' }], a: undefined, A: true })).toBe(
      '{"A":true,"b":[1,{"y":"я","z":null}]}',
    );
  });

  it('does not depend on the order of members, and can be parsed back to the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const json = canonicalJson(value);
        expect(canonicalJson(reordered(value))).toBe(json);
        expect(canonicalJson(JSON.parse(json))).toBe(json);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 300 },
    );
  });

  it('writes a lone surrogate as U+FFFD, even in names', () => {
    expect(canonicalJson({ a: ['\ud800', 'ж🙂'], '\udc00': 1 })).toBe('{"a":["\ufffd","ж🙂"],"\ufffd":1}');
  });

  it.each([
    ['NaN', [Number.NaN]],
    ['infinity', { a: Number.POSITIVE_INFINITY }],
    ['undefined', undefined],
  ])('rejects %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('rejects a circular structure', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => canonicalJson(circle)).toThrow(TypeError);
  });
});
