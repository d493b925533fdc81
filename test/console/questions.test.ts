/** Questions in the console: filters, the dossier, and answering an unanswered question. */
import { describe, expect, test } from 'vitest';
import { unable, useConsole } from './console.ts';

const hostile = '<img src=x onerror=alert(1)> "><script>alert(2)</script> [link](javascript:alert(3))';

describe.skipIf(unable !== null)('the questions', () => {
  const opened = useConsole();
  const ask = async (query: string) => (await opened.door.call('POST', '/api/ask', { query })).body;

  test('are filtered through the URL, and each opens with everything recorded about it', async () => {
    const asked = await ask('How long may a vessel moor at the northern quay?');
    await ask(hostile);
    const { page, complaints, context } = await opened.open('/questions');
    await page.getByText('2 rows').waitFor();
    await page.getByLabel('Words in question or answer').fill('vessel');
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('vessel');
    const csv = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    const exported = await (await context.request.get(csv!)).text();
    expect(exported.trim().split('\n')).toHaveLength(2);

    await page.getByRole('cell', { name: 'How long may a vessel' }).click();
    const dossier = page.getByRole('dialog');
    await dossier.getByText('Quoted exactly').first().waitFor();
    expect(new URL(page.url()).searchParams.get('ask')).toBe(asked.request_id);
    expect(await dossier.locator('mark').first().textContent()).toContain('for three days');
    await dossier.getByText('Time by stage').waitFor();
    await dossier.getByText('AnswerGiven').first().waitFor();
    await page.reload();
    await dossier.getByText('Quoted exactly').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('are always shown as plain text', async () => {
    const { request_id } = await ask(hostile);
    const { page, complaints } = await opened.open(`/questions?ask=${request_id}`);
    await page.getByRole('dialog').getByText(hostile, { exact: true }).first().waitFor();
    expect(await page.locator('img[src="x"], a[href^="javascript:"]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('without an answer can be answered in two clicks, and a trial shows the answer', async () => {
    await ask('Who won the match?');
    const { page, complaints } = await opened.open('/questions/unanswered');
    const row = page.getByRole('row', { name: /Who won the match/ });
    await row.getByRole('link', { name: 'Write an answer' }).click();
    const form = page.getByRole('dialog');
    expect(await form.getByLabel('Question').inputValue()).toBe('Who won the match?');
    await form.getByLabel('Answer').fill('The harbour pilots did.');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText('The answer is in effect.').waitFor();
    const { body } = await opened.door.call('GET', '/admin/api/faq-cache');
    expect(body.items).toMatchObject([{ question: 'Who won the match?', answer: 'The harbour pilots did.' }]);

    await page.getByLabel('Question to try').fill('who won the match');
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText('A curated answer matches').waitFor();

    await page.goto('/admin/questions/unanswered');
    expect(await page.getByText('Who won the match?').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('in a list of 100,000 are read and rendered only while in view', async () => {
    const { page } = await opened.open('');
    const [entry] = (await opened.door.call('GET', '/admin/api/queries?limit=1')).body.items;
    const offsets: number[] = [];
    await page.route('**/admin/api/queries?*', (route) => {
      const params = new URL(route.request().url()).searchParams;
      const [offset, limit] = [Number(params.get('offset')), Number(params.get('limit'))];
      offsets.push(offset);
      const items = Array.from({ length: limit }, (_, n) => ({
        ...entry,
        request_id: `ask-${offset + n}`,
        query: `Question ${offset + n}`,
      }));
      return route.fulfill({ json: { items, total: 100_000, limit, offset } });
    });
    await page.goto('/admin/questions');
    await page.getByText('100,000 rows').waitFor();
    const list = page.getByRole('region', { name: 'Query log' });
    await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await page.getByText('Question 99999', { exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    expect(new Set(offsets).size).toBeLessThan(6);
    await page.getByText('Question 99999', { exact: true }).click();
    expect(new URL(page.url()).searchParams.get('ask')).toBe('ask-99999');
  });
});
