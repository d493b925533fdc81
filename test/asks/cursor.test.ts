import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Part } from '../../src/answering/parts.ts';
import { Cursor, type NumberedPart } from '../../src/asks/cursor.ts';
import { partsOf } from '../http/fake-app.ts';
import { citationPart, donePart } from '../support/asks.ts';

/** Cuts text into pieces and places each citation somewhere after its text, as answerers may do. */
const answers = fc
  .record({
    text: fc.string({ minLength: 1, maxLength: 40 }),
    cuts: fc.array(fc.nat(40), { maxLength: 5 }),
    otherCuts: fc.array(fc.nat(40), { maxLength: 5 }),
    citations: fc.nat(4),
    late: fc.boolean(),
    replacement: fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: null }),
  })
  .map(({ text, cuts, otherCuts, citations, late, replacement }) => {
    const pieces = (of: string, at: number[], cited: number, citeLate: boolean): Part[] => {
      const ends = [...new Set([...at.map((cut) => 1 + (cut % of.length)), of.length])].sort((a, b) => a - b);
      const parts: Part[] = [];
      let start = 0;
      let made = 0;
      const cite = () => citationPart({ ref: `r${made++}` });
      for (const end of ends) {
        parts.push({ type: 'text', text: of.slice(start, end) });
        if (!citeLate && made < cited) parts.push(cite());
        start = end;
      }
      while (made < cited) parts.push(cite());
      return parts;
    };
    const head: Part[] = [
      { type: 'meta', request_id: 'r', mode: 'ordinary', lang: 'en', corpus_id: 'c' },
      { type: 'sources', source_refs: [], sources: [] },
    ];
    const end = donePart({ answer: replacement ?? text });
    const replace: Part[] =
      replacement === null
        ? []
        : [
            { type: 'replace', answer: replacement, reason: 'checked' },
            ...pieces(replacement, [], citations, true).slice(1),
          ];
    return {
      live: [...head, ...pieces(text, cuts, citations, late), ...replace, end],
      recorded: [
        ...head,
        ...(replacement === null ? pieces(text, otherCuts, citations, true) : replace),
        end,
      ],
    };
  });

function taken(parts: Part[], after: number): NumberedPart[] {
  const cursor = new Cursor(after);
  return parts.map((part) => cursor.take(part)).filter((next) => next !== null);
}

/** What a client shows after these events. */
function shown(seen: NumberedPart[]): unknown {
  let text = '';
  let refs: string[] = [];
  const others: string[] = [];
  for (const { part } of seen) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'citation') refs.push(part.ref);
    else if (part.type === 'replace') {
      text = part.answer;
      refs = [];
    } else others.push(part.type);
  }
  return { text, refs, others };
}

test('a stream cut anywhere resumes from the recorded answer alone, with the same result', () => {
  fc.assert(
    fc.property(answers, fc.nat(), ({ live, recorded }, at) => {
      const all = taken(live, 0);
      expect(all).toHaveLength(live.length);
      for (const [i, { n }] of all.entries()) expect(n).toBeGreaterThan(all[i - 1]?.n ?? 0);
      const seen = all.slice(0, at % all.length);
      const rest = taken(recorded, seen.at(-1)?.n ?? 0);
      expect(shown([...seen, ...rest])).toEqual(shown(all));
      expect(rest[0]?.n).toBeGreaterThan(seen.at(-1)?.n ?? 0);
      // Cutting the resumed stream changes nothing either.
      const half = [...seen, ...rest.slice(0, at % rest.length)];
      expect(shown([...half, ...taken(live, half.at(-1)?.n ?? 0)])).toEqual(shown(all));
    }),
    { numRuns: 500 },
  );
});

test('a client that has seen the end gets only the end again', () => {
  const last = taken(
    partsOf({ query: 'a', channel: 'stream', caller: { actor: 'public', key_id: null, subject: null } }),
    0,
  ).at(-1);
  expect(new Cursor(last?.n).ended).toBe(true);
  expect(new Cursor(560_002).ended).toBe(false);
});
