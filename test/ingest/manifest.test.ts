import { describe, expect, it } from 'vitest';
import { hintsFor } from '../../src/ingest/files.ts';
import { globMatcher } from '../../src/ingest/glob.ts';
import { mainLayer } from '../../src/ingest/layers.ts';
import { parseManifest } from '../../src/ingest/manifest.ts';

const full = `
id: law_1
title: {ru: Закон, en: The law}
description: All of it
languages: [ru, en]
styles: [brief, quotes]
examples: {ru: [Что это?, Кто он?], en: [What is it?]}
layers:
  - {name: norm, title: Норма}
  - {name: faq, kind: faq}
  - name: old
    kind: superseded
  - {name: drafts, visibility: restricted}
files:
  - {path: "norm/*.docx", layer: norm, url: "https://example.org/law", author: Somebody}
  - {path: "old/**", layer: old, lang: ru}
  - {path: notes/plan.txt, doc_key: plan, title: 2026, event_date: 2026-01-31}
  - {path: "**/*.tmp", skip: true}
`;

describe('a manifest', () => {
  it('is read completely', () => {
    const { manifest, faults } = parseManifest(full);
    expect(faults).toEqual([]);
    expect(manifest?.id).toBe('law_1');
    expect(manifest?.settings).toEqual({
      title: { ru: 'Закон', en: 'The law' },
      description: 'All of it',
      languages: ['ru', 'en'],
      styles: ['brief', 'quotes'],
      examples: { ru: ['Что это?', 'Кто он?'], en: ['What is it?'] },
      layers: [
        { name: 'norm', title: 'Норма', kind: 'text', visibility: 'public' },
        { name: 'faq', title: null, kind: 'faq', visibility: 'public' },
        { name: 'old', title: null, kind: 'superseded', visibility: 'public' },
        { name: 'drafts', title: null, kind: 'text', visibility: 'restricted' },
      ],
    });
  });

  it('gives a file the hints of its first matching rule', () => {
    const { manifest } = parseManifest(full);
    const hints = (path: string) => hintsFor(manifest!, path);
    expect(hints('norm/a.docx')).toEqual({
      layer: 'norm',
      url: 'https://example.org/law',
      metadata: { author: 'Somebody' },
    });
    expect(hints('norm/deep/a.docx')).toEqual({});
    expect(hints('old/deep/a.tmp')).toEqual({ layer: 'old', lang: 'ru' });
    expect(hints('notes/plan.txt')).toEqual({ doc_key: 'plan', title: '2026', event_date: '2026-01-31' });
    expect(hints('x/y.tmp')).toEqual({ skip: true });
    expect(hints('y.tmp')).toEqual({ skip: true });
  });

  it('needs only id and title', () => {
    const { manifest } = parseManifest('id: a\ntitle: A\n');
    expect(manifest).toEqual({
      id: 'a',
      settings: {
        title: 'A',
        description: null,
        languages: ['ru', 'kk', 'en'],
        styles: [],
        layers: [mainLayer],
      },
      files: [],
    });
  });

  it('reports all errors together, each with its line', () => {
    const source = `id: "bad id"
colour: red
languages: [ru, de]
layers:
  - {name: norm, knd: faq}
  - {name: norm, kind: law}
files:
  - {path: "a/*", layer: nowhere}
  - {layer: norm}
  - {path: b, event_date: 2026-02-30, skip: maybe}
  - {path: 5}
`;
    const { manifest, faults } = parseManifest(source);
    expect(manifest).toBeNull();
    expect(faults).toEqual([
      { line: 1, message: '"title" is missing' },
      { line: 1, message: '"id" must consist of at most 100 letters, digits, "_" and "-"' },
      { line: 2, message: 'unknown field "colour"' },
      { line: 3, message: '"languages" may only contain ru, kk, en' },
      { line: 5, message: 'unknown field "knd"' },
      { line: 6, message: 'two layers are called "norm"' },
      { line: 6, message: '"kind" must be one of text, faq, superseded' },
      { line: 8, message: 'no layer is called "nowhere"' },
      { line: 9, message: 'a file needs a "path"' },
      { line: 10, message: '"event_date" must be a date written YYYY-MM-DD, YYYY-MM or YYYY' },
      { line: 10, message: '"skip" must be true or false' },
      { line: 11, message: '"path" must be a string' },
    ]);
  });

  it.each([
    ['id: a\ntitle: [\n', 3],
    ['- a\n', 1],
    ['', 1],
  ])('is rejected if it is not a mapping: %j', (source, line) => {
    const { manifest, faults } = parseManifest(source);
    expect(manifest).toBeNull();
    expect(faults[0]?.line).toBe(line);
  });
});

describe('a pattern', () => {
  it.each([
    ['*.md', 'a.md', true],
    ['*.md', 'x/a.md', false],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'x/y/a.md', true],
    ['x/**', 'x/y/a.md', true],
    ['x/**', 'xy/a.md', false],
    ['x/**/z.md', 'x/z.md', true],
    ['./a?.txt', 'ab.txt', true],
    ['a?.txt', 'a/.txt', false],
    ['{a,b}/*.{md,txt}', 'b/c.txt', true],
    ['{a,b}/*.{md,txt}', 'c/c.txt', false],
    ['a.md', 'axmd', false],
    ['закон (1).md', 'закон (1).md', true],
    ['{a,{b,c}d}.md', 'cd.md', true],
    ['{a,b', '{a,b', true],
    ['x{,y}', 'x', true],
  ])('%s on %s: %s', (glob, path, matches) => {
    expect(globMatcher(glob)!(path)).toBe(matches);
  });

  it('may stand for at most 1,000 patterns', () => {
    expect(globMatcher('{a,b}'.repeat(9))).not.toBeNull();
    expect(globMatcher('{a,b}'.repeat(40))).toBeNull();
    const nested = `${'{a,'.repeat(20)}b${'}'.repeat(20)}`;
    expect(['a', 'b', 'c'].map((path) => globMatcher(nested)!(path))).toEqual([true, true, false]);
  });
});
