/** Every page in both themes, on a desktop and on a phone: it loads, is accessible, and causes no browser errors. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { unable, useConsole, violationsOf } from './console.ts';

/** Each page with some text that it shows once it is complete. */
const pages: [path: string, text: string | RegExp][] = [
  ['', 'Questions by day'],
  ['/questions', '2 rows'],
  ['/questions/unanswered', 'Who won the match?'],
  ['/documents', 'Fish market'],
  ['/documents/upload', 'Drop files here, or click to choose them'],
  ['/documents/corpora', 'Harbour rules'],
  ['/documents/embeddings', /^All corpora/],
  ['/answers', 'There are no curated answers yet'],
  ['/answers/proposals', 'No proposals are waiting'],
  ['/answers/prompt', 'The instructions that a language model receives before each question.'],
  ['/answers/compare', 'Column 2'],
  ['/answers/evaluations', 'There are no stored reports yet'],
  ['/access', 'There are no keys yet'],
  ['/access/chats', 'No channel or group has its own settings'],
  ['/access/audit', 'admin.sign_in'],
  ['/access/configuration', 'DOCENT_DEFAULT_CORPUS'],
  ['/access/forgetting', 'Forget permanently'],
  ['/history', 'admin-sessions'],
  ['/history/live', 'Waiting for events'],
  ['/history/moments', /A moment is the end of a day/],
  ['/history/proof', 'This history is not sealed'],
];

/** The rules of axe that depend on colours. The themes differ in nothing else. */
const ofColours = ['color-contrast', 'link-in-text-block'];
const phone = { width: 390, height: 844 };

/** Checks that there are no violations on a desktop and then on a phone, in both themes. */
async function expectAccessible(page: Page, text: string | RegExp): Promise<void> {
  for (const viewport of [page.viewportSize()!, phone]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      // During a transition, colours belong to neither theme.
      await page.evaluate(
        'for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()',
      );
      await page.getByText(text).first().waitFor();
      const violations = await violationsOf(page, colorScheme === 'dark' ? ofColours : undefined);
      expect({ width: viewport.width, colorScheme, violations }).toMatchObject({ violations: [] });
    }
  }
}

describe.skipIf(unable !== null)('each page', () => {
  const opened = useConsole();
  const ask = (query: string) => opened.door.call('POST', '/api/ask', { query });

  test.each(pages)('/admin%s works in both themes on a desktop and on a phone', async (path, text) => {
    if (path === '')
      for (const query of ['When does the fish market open?', 'Who won the match?']) await ask(query);
    const { page, complaints } = await opened.open(path);
    await expectAccessible(page, text);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);
    // The browser reports that there is no checkpoint.
    const expected = path === '/history/proof' ? [expect.stringContaining('404')] : [];
    expect(complaints).toEqual(expected);
  });

  test('the sign-in page works in both themes on a desktop and on a phone', async () => {
    const { page } = await opened.open('/sign-in', { name: null });
    await expectAccessible(page, 'Sign in');
  });

  test.each([
    ['ru', 'Обзор', 'Вопросы по дням'],
    ['kk-KZ', 'Шолу', 'Күндер бойынша сұрақтар'],
  ])('a browser set to %s gets the console in its language', async (locale, heading, chart) => {
    const { page, complaints } = await opened.open('', { locale });
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByText(chart).waitFor();
    // How Chromium writes a month in a language whose formats it lacks.
    expect(await page.locator('main').textContent()).not.toMatch(/M\d\d/);
    await page.getByRole('button', { name: /English|Русский|Қазақша/ }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
