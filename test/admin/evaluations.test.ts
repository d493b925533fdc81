/** Stored evaluation reports: made by the command, read and compared over HTTP. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { evaluateApp } from '../../src/cli/eval.ts';
import { Failure } from '../../src/failures.ts';
import { aidar, type OpenedDoor, openDoor } from '../http/admin-door.ts';
import { writeFiles } from '../support/folder.ts';

let door: OpenedDoor;
const data = () => join(door.folder, 'data');
const kept = (name: string) => join(data(), 'evaluations', `${name}.json`);
beforeAll(async () => {
  door = await openDoor();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => door.close());

const line = (id: string, query: string, answers: string[]) =>
  JSON.stringify({ id, query, answers, lang: 'en' });
async function evaluate(keep: string, answer: string): Promise<number> {
  const set = [
    line('q1', 'How long may a vessel moor without a fee?', [answer]),
    line('q2', 'Who won the match?', []),
  ];
  const folder = writeFiles(join(door.folder, 'sets'), { 'set.jsonl': set.join('\n') });
  return evaluateApp(door.app, data(), join(folder, 'set.jsonl'), { atOnce: 1, keep });
}

test('a run is stored once under its name, and compared with another', async () => {
  expect((await door.call('GET', '/admin/api/evaluations')).body).toEqual({ items: [] });
  expect(await evaluate('before', 'thirty years')).toBe(0);
  expect(statSync(kept('before')).mode & 0o777).toBe(0o600);
  expect(await evaluate('after', 'three days')).toBe(0);
  await expect(evaluate('after', 'x')).rejects.toMatchObject({ code: 'conflict' });
  writeFileSync(kept('broken'), '{');
  writeFileSync(kept('other'), '{"format":2}');

  const { body: list } = await door.call('GET', '/admin/api/evaluations', undefined, {
    authorization: aidar,
  });
  expect(list.items.map(({ name }: { name: string }) => name)).toEqual(['after', 'before']);
  expect(list.items[0]).toMatchObject({ set: 'set.jsonl', service: 'embedded', questions: 2 });
  expect(list.items[0]).not.toHaveProperty('rows');

  const { body } = await door.call('GET', '/admin/api/evaluations/after?against=before&limit=1&offset=1');
  const { rows } = JSON.parse(readFileSync(kept('after'), 'utf8'));
  expect(body.rows).toMatchObject([{ id: 'q2', mode: 'no_answer', answer: rows[1].answer }]);
  expect(body.comparison).toMatchObject({
    questions: 2,
    left_out: 0,
    changed: [
      {
        id: 'q1',
        before: expect.stringContaining('contains 0'),
        after: expect.stringContaining('contains 1'),
      },
    ],
  });
  const contains = body.comparison.figures.find(({ name }: { name: string }) => name === 'contains');
  expect(contains).toMatchObject({ before: 0, after: 1, significant: expect.any(Boolean) });
  expect((await door.call('GET', '/admin/api/evaluations/after')).body).toMatchObject({
    comparison: null,
    rows: [{ id: 'q1' }, { id: 'q2' }],
  });
  expect((await door.call('GET', '/admin/api/evaluations/after?against=none')).status).toBe(404);
  expect((await door.call('GET', '/admin/api/evaluations/broken')).status).toBe(422);
});

test('a name cannot lead out of the folder', async () => {
  for (const name of ['../x', '..', '.x', 'a/b', 'a\\b', '', 'a'.repeat(101), 'é'])
    await expect(evaluate(name, 'x')).rejects.toSatisfy((e) => e instanceof Failure && e.code === 'invalid');
  expect(existsSync(join(data(), 'x.json'))).toBe(false);
  for (const name of ['..%2Fx', '%2E%2E', 'a%00'])
    expect([404, 422]).toContain((await door.call('GET', `/admin/api/evaluations/${name}`)).status);
});
