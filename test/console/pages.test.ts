/** Every page in both themes and on a phone: it loads, is accessible, and causes no browser errors. */
import { describe, expect, test } from 'vitest';
import { unable, useConsole, violationsOf } from './console.ts';

/** Each page with a text that it shows once it is complete. */
const pages: [path: string, text: string | RegExp][] = [
  ['', 'Questions by day'],
  ['/questions', '2 rows'],
  ['/questions/unanswered', 'Who won the match?'],
  ['/documents', 'Fish market'],
  ['/documents/upload', 'Drop files here, or click to choose them'],
  ['/documents/corpora', 'krk_2026'],
  ['/documents/embeddings', /^All corpora/],
  ['/answers', 'There is no curated answer yet'],
  ['/answers/proposals', 'Nothing waits for a decision'],
  ['/answers/prompt', 'What a language model is told before each question.'],
  ['/answers/compare', 'Column 2'],
  ['/answers/evaluations', 'No report is kept yet'],
  ['/access', 'There is no key yet'],
  ['/access/chats', 'No channel or group has settings of its own'],
  ['/access/audit', 'admin.sign_in'],
  ['/access/configuration', 'DOCENT_DEFAULT_CORPUS'],
  ['/access/forgetting', 'Forget for good'],
  ['/history', 'admin-sessions'],
  ['/history/live', 'Waiting for events'],
  ['/history/moments', /A moment is the end of a day/],
  ['/history/proof', 'This history is not sealed'],
];

const phone = { width: 390, height: 844 };

describe.skipIf(unable !== null)('each page', () => {
  const opened = useConsole();
  const ask = (query: string) => opened.door.call('POST', '/api/ask', { query });

  test.each(pages)(
    '/admin%s works in the light theme on a desktop and in the dark theme on a phone',
    async (path, text) => {
      if (path === '')
        for (const query of ['When does the fish market open?', 'Who won the match?']) await ask(query);
      const { page, complaints } = await opened.open(path);
      await page.getByText(text).first().waitFor();
      // Colours depend on the theme and the structure on the width, so two checks cover both.
      expect(await violationsOf(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize(phone);
      await page.getByText(text).first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);
      // The browser reports that there is no checkpoint.
      const expected = path === '/history/proof' ? [expect.stringContaining('404')] : [];
      expect(complaints).toEqual(expected);
    },
  );

  test('the sign-in page works in both themes and at phone width', async () => {
    const { page } = await opened.open('/sign-in', { name: null, viewport: phone });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page)).toEqual([]);
    }
  });

  test.each([
    ['ru', 'Обзор', 'Вопросы по дням'],
    ['kk-KZ', 'Шолу', 'Күндер бойынша сұрақтар'],
  ])('a browser in %s gets the console in its language', async (locale, heading, chart) => {
    const { page, complaints } = await opened.open('', { locale });
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByText(chart).waitFor();
    await page.getByRole('button', { name: /English|Русский|Қазақша/ }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
