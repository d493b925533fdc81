import { expect, test } from 'vitest';
import { openDoor } from './http/admin-door.ts';
import { eventually } from './support/eventually.ts';

test("a corpus is listed in its first language, and its page is in the reader's language if available", async () => {
  const door = await openDoor();
  const heading = async (lang: string) =>
    /<h1>(.*?)<\/h1>/.exec((await door.call('GET', `/?lang=${lang}`)).body)?.[1];
  expect((await door.call('GET', '/api/corpora')).body).toMatchObject([{ title: 'Harbour rules' }]);
  expect([await heading('ru'), await heading('en'), await heading('kk')]).toEqual([
    'Правила гавани',
    'Harbour rules',
    'Harbour rules',
  ]);
  // They are cached until the corpus changes.
  await door.call('PATCH', '/admin/api/corpora/krk_2026', { title: 'Harbour' });
  expect([await heading('ru'), (await door.call('GET', '/api/corpora')).body[0].title]).toEqual([
    'Harbour',
    'Harbour',
  ]);
  await door.close();
});

test('a restricted layer is excluded from public counts as soon as it is restricted', async () => {
  const door = await openDoor();
  const counts = async () => {
    const [{ document_count, chunk_count }] = (await door.call('GET', '/api/corpora')).body;
    return { document_count, chunk_count };
  };
  const layers = (visibility: string) => [
    { name: 'rules', title: 'Rules', kind: 'text', visibility },
    { name: 'plans', visibility: 'restricted' },
  ];
  expect(await counts()).toEqual({ document_count: 2, chunk_count: 3 });
  await door.call('PATCH', '/admin/api/corpora/krk_2026', { layers: layers('restricted') });
  expect(await counts()).toEqual({ document_count: 0, chunk_count: 0 });
  await door.call('PATCH', '/admin/api/corpora/krk_2026', { layers: layers('public') });
  expect(await counts()).toEqual({ document_count: 2, chunk_count: 3 });
  await door.call('DELETE', '/admin/api/documents/1');
  await eventually(async () => expect((await counts()).document_count).toBe(1));
  await door.close();
});
