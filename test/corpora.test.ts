import { expect, test } from 'vitest';
import { openDoor } from './http/admin-door.ts';

test('a corpus is told in its first language; its page in that of the reader where there is one', async () => {
  const door = await openDoor();
  const heading = async (lang: string) =>
    /<h1>(.*?)<\/h1>/.exec((await door.call('GET', `/?lang=${lang}`)).body)?.[1];
  expect((await door.call('GET', '/api/corpora')).body).toMatchObject([{ title: 'Harbour rules' }]);
  expect([await heading('ru'), await heading('en'), await heading('kk')]).toEqual([
    'Правила гавани',
    'Harbour rules',
    'Harbour rules',
  ]);
  // Kept as they are, they change with the corpus.
  await door.call('PATCH', '/admin/api/corpora/krk_2026', { title: 'Harbour' });
  expect([await heading('ru'), (await door.call('GET', '/api/corpora')).body[0].title]).toEqual([
    'Harbour',
    'Harbour',
  ]);
  await door.close();
});
