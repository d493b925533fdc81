/** Comparing answers in the console: between settings, with a model, with a past moment, and between stored reports. */
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { evaluateApp } from '../../src/cli/eval.ts';
import { writeFiles } from '../support/folder.ts';
import { completes, OpenAiDouble, passagesIn, says } from '../support/openai-double.ts';
import { read } from '../support/second-reader.ts';
import { unable, useConsole, violationsOf } from './console.ts';

const fish = 'When does the fish market open?';

describe.skipIf(unable !== null)('answers', () => {
  const opened = useConsole();
  const read = async (path: string) => (await opened.door.call('GET', path)).body;

  test('are compared side by side, with the settings in the URL', async () => {
    const { items } = await read('/admin/api/events?direction=forwards&limit=1');
    const { page, complaints } = await opened.open('/answers/compare');
    await page.getByRole('textbox', { name: 'Question' }).fill(fish);
    await page.getByRole('button', { name: 'Add a column' }).click();
    const column = (n: number) => page.getByRole('group', { name: `Column ${n}` });
    const choose = async (n: number, name: string, option: string) => {
      await column(n).getByRole('combobox', { name }).click();
      await page.getByRole('option', { name: option }).click();
    };
    await choose(1, 'Style', 'Quotations');
    await choose(2, 'System prompt', 'Edited text');
    await column(2).getByRole('textbox', { name: 'Prompt text' }).fill('Answer like a pilot.');
    await choose(3, 'What to compare', 'Sources at a moment');
    await column(3).getByRole('textbox', { name: 'Moment' }).fill(items[0].position);
    await page.getByRole('button', { name: 'Compare' }).click();

    const answer = (n: number) => page.getByRole('region', { name: `Column ${n}` });
    await answer(3).getByText('Only here').first().waitFor();
    expect(await answer(3).getByText('Nothing was found.').count()).toBe(1);
    for (const n of [1, 2]) {
      expect(await answer(n).locator('mark').first().textContent()).toContain('five in the morning');
      await answer(n).getByText('Time by stage').waitFor();
    }
    await page.getByRole('heading', { name: 'From column 1 to column 2' }).waitFor();
    expect((await read('/admin/api/queries?channel=http')).total).toBe(0);
    const { items: audited } = await read('/admin/api/audit-log?action=admin.trial');
    expect(audited).toHaveLength(2);
    expect(await violationsOf(page)).toEqual([]);

    await page.reload();
    await column(2).getByText('Answer like a pilot.').waitFor();
    expect(await column(3).getByRole('textbox', { name: 'Moment' }).inputValue()).toBe(items[0].position);
    expect(await page.getByRole('region', { name: 'Column 1' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('are compared in the default corpus at first', async () => {
    await opened.door.call('POST', '/admin/api/corpora', { corpus_id: 'annex', title: 'Annex' });
    const { page } = await opened.open('/answers/compare');
    for (const n of [1, 2])
      await expect
        .poll(() =>
          page
            .getByRole('group', { name: `Column ${n}` })
            .getByRole('combobox', { name: 'Corpus' })
            .inputValue(),
        )
        .toBe('krk_2026 — Harbour rules');
  });

  test('can be compared only by administrators', async () => {
    const { page } = await opened.open('/answers/compare', { name: 'aidar' });
    await page.getByText('Your role does not permit this').waitFor();
    expect(await page.getByRole('button', { name: 'Compare' }).count()).toBe(0);
  });

  test('in two reports are compared by figures and by question', async () => {
    const { app, folder } = opened.door;
    vi.spyOn(process.stdout, 'write').mockImplementation((_text, ...rest) => {
      (rest.at(-1) as (() => void) | undefined)?.();
      return true;
    });
    const line = (id: string, query: string, answers: string[]) =>
      JSON.stringify({ id, query, answers, lang: 'en' });
    const keep = async (name: string, answer: string) => {
      const lines = [line('q1', fish, [answer]), line('q2', 'Who won the match?', [])];
      const sets = writeFiles(join(folder, 'sets'), { 'set.jsonl': lines.join('\n') });
      const options = { atOnce: 1, keep: name };
      expect(await evaluateApp(app, join(folder, 'data'), join(sets, 'set.jsonl'), options)).toBe(0);
    };
    await keep('before', 'at noon');
    await keep('after', 'five in the morning');

    const { page, complaints } = await opened.open('/answers/evaluations');
    await page.getByRole('link', { name: 'after' }).click();
    await page.getByRole('cell', { name: 'contains', exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Compared with' }).click();
    await page.getByRole('option', { name: 'before' }).click();
    await page.getByText('Questions with a different result: 1').waitFor();
    const changed = page.getByRole('region', { name: fish });
    await expect.poll(() => changed.getByText('five in the morning').count()).toBeGreaterThanOrEqual(2);
    expect(await changed.textContent()).toMatch(/Before.*contains 0.*After.*contains 1/s);
    expect(new URL(page.url()).searchParams.get('against')).toBe('before');
    expect(await page.getByRole('row', { name: /^contains 0 1/ }).textContent()).toContain('+1');
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

const double = await OpenAiDouble.start();
afterAll(() => double.stop());

describe.skipIf(unable !== null)('an answer from a model', () => {
  const opened = useConsole({ OPENAI_BASE_URL: double.url, OPENAI_CHAT_MODEL: 'qwen' });

  test('is compared with one without a model', async () => {
    double.structured = ({ messages }) => {
      const content = messages.at(-1)!.content;
      return completes('sentences' in JSON.parse(content) ? read(content) : { queries: [] });
    };
    double.chat = (request) => {
      const [number] = [...passagesIn(request)].find(([, { text }]) => text?.includes('five')) ?? [];
      return says({ pieces: ['The fish market opens at five in the morning', ` [${number}].`] });
    };
    const { page, complaints } = await opened.open('/answers/compare');
    await page.getByRole('textbox', { name: 'Question' }).fill(fish);
    const form = page.getByRole('group', { name: 'Column 2' });
    await form.getByRole('combobox', { name: 'System prompt' }).click();
    await page.getByRole('option', { name: 'Edited text' }).click();
    await form.getByRole('textbox', { name: 'Prompt text' }).fill('Answer like a pilot.');
    await page.getByRole('button', { name: 'Compare' }).click();

    const [without, written] = [1, 2].map((n) => page.getByRole('region', { name: `Column ${n}` }));
    await written!.getByText('Time by stage').waitFor();
    await written!.getByText('The fish market opens at five in the morning.', { exact: false }).waitFor();
    for (const answer of [without!, written!])
      expect(await answer.locator('mark').first().textContent()).toContain('five in the morning');
    expect(await written!.getByText('The model failed').count()).toBe(0);
    expect(double.chats).toHaveLength(1);
    expect(JSON.stringify(double.chats[0])).toContain('Answer like a pilot.');
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
