import { realpathSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { planFiles } from '../../src/ingest/files.ts';
import { newFolder, writeFiles } from '../support/folder.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(newFolder('files'));
});

const put = (path: string, text = path) => writeFiles(root, { [path]: text });

const keys = async () => (await planFiles(root)).files.map((file) => [file.relative, file.doc_key]);

describe('the file plan of a folder', () => {
  it('lists files in path order, without hidden files and the manifest', async () => {
    for (const path of ['b.md', 'a/z.txt', 'a.txt', '.hidden/x.md', '.x.md', '~$lock.docx', 'a/corpus.yaml'])
      put(path);
    put('corpus.yaml', 'id: c\ntitle: C\n');
    expect(await keys()).toEqual([
      ['a.txt', 'a'],
      ['a/corpus.yaml', 'a/corpus'],
      ['a/z.txt', 'a/z'],
      ['b.md', 'b'],
    ]);
  });

  it('keeps the extension of files whose keys would otherwise be the same', async () => {
    for (const path of ['law.md', 'law.docx', 'other.md', 'x.y.md']) put(path);
    expect(await keys()).toEqual([
      ['law.docx', 'law.docx'],
      ['law.md', 'law.md'],
      ['other.md', 'other'],
      ['x.y.md', 'x.y'],
    ]);
  });

  it('never creates a blank key', async () => {
    for (const path of [' .md', '\u00ad', 'a/\u200b.md']) put(path);
    const plan = await planFiles(root);
    expect(plan.files.map(({ doc_key }) => doc_key)).toEqual(['.md', 'a/.md']);
    expect(plan.skipped).toEqual([
      { path: '\u00ad', reason: 'Its name contains no visible characters from which to form a key.' },
    ]);
  });

  it('normalises keys to one Unicode form', async () => {
    put('и\u0306.md');
    expect(await keys()).toEqual([['й.md', 'й']]);
  });

  it('takes names, layers and skips from the manifest', async () => {
    put(
      'corpus.yaml',
      'id: c\ntitle: C\nlanguages: [kk]\nlayers: [{name: norm}]\nfiles:\n  - {path: a.md, doc_key: first, layer: norm}\n  - {path: "*.tmp", skip: true}\n  - {path: c.md, doc_key: first}\n',
    );
    for (const path of ['a.md', 'b.tmp', 'c.md', 'd.jsonl']) put(path);
    const plan = await planFiles(root);
    expect(plan.manifest?.id).toBe('c');
    expect(plan.files).toEqual([
      {
        path: join(root, 'a.md'),
        relative: 'a.md',
        doc_key: 'first',
        hints: { doc_key: 'first', layer: 'norm' },
        languages: ['kk'],
        bytes: 4,
      },
      {
        path: join(root, 'd.jsonl'),
        relative: 'd.jsonl',
        doc_key: 'd',
        hints: {},
        languages: ['kk'],
        bytes: 7,
      },
    ]);
    expect(plan.skipped).toEqual([
      { path: 'b.tmp', reason: 'The manifest says to skip it.' },
      { path: 'c.md', reason: 'Its key "first" is already used by a.md.' },
    ]);
  });

  it('reports every error in the manifest', async () => {
    put('corpus.yaml', 'id: c\nname: C\nstyles: loud\n');
    await expect(planFiles(root)).rejects.toMatchObject({
      code: 'invalid',
      detail:
        'corpus.yaml, line 1: "title" is missing\ncorpus.yaml, line 2: unknown field "name"\ncorpus.yaml, line 3: "styles" must be a list',
    });
  });

  it('follows links to files inside the folder, but not links to folders or outside', async () => {
    const outside = newFolder('outside', { 'secret.md': 'secret' });
    put('a/real.md');
    await symlink(join(root, 'a/real.md'), join(root, 'linked.md'));
    await symlink(join(outside, 'secret.md'), join(root, 'out.md'));
    await symlink(outside, join(root, 'outdir'));
    await symlink(root, join(root, 'a/loop'));
    expect(await keys()).toEqual([
      ['a/real.md', 'a/real'],
      ['linked.md', 'linked'],
    ]);
  });

  it('consists of one file if the path is a file, with its folder as the root', async () => {
    put('a/law.md');
    const plan = await planFiles(join(root, 'a/law.md'));
    expect(plan).toMatchObject({ root: join(root, 'a'), isFolder: false, manifest: null });
    expect(plan.files.map((file) => file.doc_key)).toEqual(['law']);
  });

  it('fails if nothing exists at the path', async () => {
    await expect(planFiles(join(root, 'none'))).rejects.toMatchObject({ code: 'not_found' });
  });
});
