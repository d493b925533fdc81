import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Part, SourceRef } from '../../src/app-port.ts';
import { answerText, Wrapper } from '../../src/cli/answer-text.ts';
import { citationPart, donePart } from '../support/asks.ts';

const source = (ref: string, more: Partial<SourceRef> = {}): SourceRef => ({
  ref,
  doc_key: ref.split('#')[0]!,
  heading: 'Opening hours',
  chunk_index: '1',
  url: `/source/c/${ref}`,
  title: 'Rules',
  event_date: null,
  source_url: null,
  layer: 'main',
  lang: 'en',
  revision: 1,
  page_url: `/source/c/${ref}`,
  ...more,
});
const sources = (...all: SourceRef[]): Part => ({
  type: 'sources',
  source_refs: all.map(({ ref }) => ref),
  sources: all,
});
const text = (words: string): Part => ({ type: 'text', text: words });
const citation = (ref: string) => citationPart({ ref });

async function shown(columns: number | null, ...parts: Part[]): Promise<{ text: string; mode: string }> {
  const pieces = answerText(
    (async function* () {
      yield* parts;
    })(),
    columns,
  );
  let whole = '';
  for (;;) {
    const next = await pieces.next();
    if (next.done) return { text: whole, mode: next.value };
    whole += next.value;
  }
}

describe('an answer in a terminal', () => {
  it('omits labels that only name a source, because the number shows the source', async () => {
    const answer = await shown(
      null,
      sources(source('a#1')),
      text('Open at nine.'),
      citation('a#1'),
      { type: 'text', text: ' (Rules, Opening hours)', label: true },
      donePart(),
    );
    expect(answer.text).toBe('Open at nine. [1]\n\n[1] Rules, Opening hours (a#1)\n    /source/c/a#1\n');
  });

  it('numbers each quotation like its source', async () => {
    const answer = await shown(
      null,
      sources(source('a#1'), source('b#1', { url: 'https://b.example.org', event_date: '2026-01-31' })),
      text('Open at nine.'),
      citation('a#1'),
      text('\n\n“Closed on Sundays.'),
      citation('b#1'),
      text('” — Rules'),
      donePart(),
    );
    expect(answer).toEqual({
      mode: 'ordinary',
      text:
        'Open at nine. [1]\n\n“Closed on Sundays.” [2] — Rules\n\n' +
        '[1] Rules, Opening hours (a#1)\n    /source/c/a#1\n\n' +
        '[2] Rules, Opening hours, 2026-01-31 (b#1)\n    https://b.example.org\n    /source/c/b#1\n',
    });
  });

  it('numbers a quotation at the end, and reports the mode of the answer', async () => {
    const { text: last } = await shown(
      null,
      sources(source('a#1')),
      text('Nine.'),
      citation('a#1'),
      donePart(),
    );
    expect(last).toMatch(/^Nine\. \[1\]\n/);
    expect((await shown(null, sources(), text('Nothing.'), donePart({ mode: 'no_answer' }))).mode).toBe(
      'no_answer',
    );
  });

  it('prints a replacement without the numbers of the replaced text', async () => {
    const answer = await shown(
      null,
      sources(source('a#1')),
      text('Nine.'),
      citation('a#1'),
      { type: 'replace', answer: 'Ten.', reason: 'A citation did not hold.' },
      donePart(),
    );
    expect(answer.text).toMatch(/^Nine\.\n\n\(A citation did not hold\.\)\nTen\.\n/);
  });

  it('fails with the error of its last part', async () => {
    const failed = shown(null, {
      type: 'error',
      request_id: 'r',
      code: 'timeout',
      detail: 'It took too long.',
      retryable: true,
    });
    await expect(failed).rejects.toEqual(
      expect.objectContaining({ code: 'timeout', detail: 'It took too long.' }),
    );
  });
});

describe('wrapped lines for a terminal', () => {
  const wrapped = (columns: number | null, ...pieces: string[]) => {
    const wrapper = new Wrapper(columns);
    return pieces.map((piece) => wrapper.add(piece)).join('') + wrapper.end();
  };

  it('break between words, and leave a word that is too long whole', () => {
    expect(wrapped(10, 'one two thr', 'ee four\n  five six')).toBe('one two\nthree four\n  five six');
    expect(wrapped(6, 'see https://example.org/a now')).toBe('see\nhttps://example.org/a\nnow');
  });

  it('are measured in columns, of which combining marks take none', () => {
    expect(wrapped(5, 'и\u0306о\u0301 ёж')).toBe('и\u0306о\u0301 ёж');
  });

  it('preserve every word and line ending, however the text arrives', () => {
    const words = fc.stringMatching(/^[ а-яa-z\n]{0,120}$/);
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), fc.array(fc.nat(120)), (whole, columns, cuts) => {
        const at = [0, ...cuts.filter((n) => n < whole.length).sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end));
        const out = wrapped(columns, ...pieces);
        expect(out).toBe(wrapped(columns, whole));
        expect(out.split(/\s+/).join(' ').trim()).toBe(whole.split(/\s+/).join(' ').trim());
        expect(out.split('\n').length).toBeGreaterThanOrEqual(whole.split('\n').length);
        for (const line of out.split('\n'))
          expect(line.length <= columns || !line.trim().includes(' '), line).toBe(true);
        expect(wrapped(null, ...pieces)).toBe(whole);
      }),
    );
  });
});
