/** The widget in a real browser, on a page of another origin with a strict content security policy. */
import type { Server } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AskInput } from '../../src/asks/ask-port.ts';
import { Failure } from '../../src/failures.ts';
import { citationPart, donePart } from '../support/asks.ts';
import { listen } from '../support/listen.ts';
import { complaintsOf, foreignPage, launch, missing } from './browser.ts';
import { answer, documentPart, type Gate, openDoor, partsOf, sources, WebApp } from './fake-door.ts';

describe.skipIf(missing !== null)('the widget', () => {
  let browser: Browser;
  const open: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  /** Gates that delay answers until the test opens them. */
  function gated(...gates: Gate[]) {
    const doors = new Map(gates.map((gate) => [gate, Promise.withResolvers<void>()]));
    const reached = new Map(gates.map((gate) => [gate, Promise.withResolvers<void>()]));
    return {
      parts: (input: AskInput) =>
        partsOf(input, async (gate) => {
          reached.get(gate)?.resolve();
          await doors.get(gate)?.promise;
        }),
      reached: (gate: Gate) => reached.get(gate)?.promise,
      open: (gate: Gate) => doors.get(gate)?.resolve(),
    };
  }

  async function visit(
    given: { app?: WebApp; attributes?: string; body?: string; options?: BrowserContextOptions } = {},
  ) {
    const app = given.app ?? new WebApp();
    if (!given.app) app.parts = (input) => partsOf(input);
    const door = openDoor(app);
    await door.server.ready();
    const service = `${await listen(door.server.server)}/`;
    const foreign = foreignPage(
      service,
      given.attributes ?? 'data-corpus="krk_2026" data-lang="en"',
      given.body,
    );
    const address = await listen(foreign);
    const page = await browser.newPage({ viewport: { width: 1100, height: 800 }, ...given.options });
    open.push(async () => {
      await page.close();
      await closed(foreign);
      door.server.server.closeAllConnections();
      await door.server.close();
    });
    const complaints = complaintsOf(page);
    await page.goto(address);
    return { app, page, complaints, service, ...door };
  }

  const closed = (server: Server) =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  const opener = (page: Page) => page.getByRole('button', { name: 'Ask a question' });
  const field = (page: Page) => page.getByRole('textbox', { name: 'Your question' });
  const shownAnswer = (page: Page) => page.locator('.turn').last().locator('.text');
  /** The answer without its citation numbers. */
  const plainAnswer = (page: Page): Promise<string> =>
    shownAnswer(page).evaluate((element: { childNodes: Iterable<{ nodeType: number; data?: string }> }) =>
      [...element.childNodes].map((node) => (node.nodeType === 3 ? node.data : '')).join(''),
    );

  /** The value of an expression about an element (`it`) of the widget in the page. */
  const inWidget = (page: Page, selector: string, expression: string): Promise<unknown> =>
    page.evaluate(
      `((it) => ${expression})(document.querySelector('docent-ask').shadowRoot.querySelector('${selector}'))`,
    );

  async function askQuestion(page: Page, question: string): Promise<void> {
    await field(page).fill(question);
    await field(page).press('Enter');
  }

  test('answers on another site with text, citation numbers and source links, without browser errors', async () => {
    const { app, page, complaints, service } = await visit();
    await opener(page).click();
    await askQuestion(page, 'What is <free>?');
    await page.getByRole('button', { name: 'A helpful answer', exact: true }).waitFor();
    expect(await plainAnswer(page)).toBe(answer);
    expect(await shownAnswer(page).innerText()).toBe(
      'Assemblies are free <i>everywhere</i>.1 They are announced a day before. 🙂12 No fee is due.',
    );
    expect(
      app.asked.map(({ query, corpus_id, channel, history }) => [query, corpus_id, channel, history]),
    ).toEqual([['What is <free>?', 'krk_2026', 'stream', []]]);
    expect(await page.locator('.question').innerText()).toContain('What is <free>?');

    const list = page.getByRole('listitem');
    expect(await list.locator('.title').allInnerTexts()).toEqual([
      'The <b>Law</b> on Assemblies',
      'Commentary',
    ]);
    expect(await list.first().locator('.facts').innerText()).toBe('20 October 1994 · norm · in Russian');
    expect(await list.nth(1).locator('.facts').innerText()).toBe('20 October 1994 · Commentary of 2026');
    await page.getByRole('button', { name: 'Source 1' }).first().click();
    expect(await list.first().locator('blockquote').allInnerTexts()).toEqual([
      'Assemblies are free <i>everywhere</i>.',
      'They are announced a day before. 🙂',
    ]);
    const links = list.first().getByRole('link');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      new URL(sources[0]!.page_url, service).href,
      'https://example.org/law?x=1&y=2#23',
    ]);
    expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer');
    await page.getByText('Other passages found (1)').click();
    expect(await list.last().innerText()).toContain('Article 9');
    expect(complaints).toEqual([]);
  });

  test('shows text as it arrives', async () => {
    const app = new WebApp();
    const gates = gated('middle');
    app.parts = gates.parts;
    const { page } = await visit({ app });
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    await page.getByRole('button', { name: 'Source 1' }).waitFor();
    expect(await shownAnswer(page).innerText()).toBe('Assemblies are free <i>everywhere</i>.1');
    expect(await page.locator('article').getAttribute('aria-busy')).toBe('true');
    gates.open('middle');
    await page.getByText('Sources', { exact: true }).waitFor();
    expect(await page.locator('article').getAttribute('aria-busy')).toBe('false');
  });

  test('resumes a dropped stream where it broke off, and completes the answer', async () => {
    const app = new WebApp();
    const gates = gated('middle');
    app.parts = gates.parts;
    const { page, connections, requests, complaints, beforeWork } = await visit({ app });
    const resumed = Promise.withResolvers<FastifyRequest>();
    beforeWork((request) => {
      if (request.method === 'GET') resumed.resolve(request);
    });
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    await page.getByRole('button', { name: 'Source 1' }).waitFor();
    connections.at(-1)?.destroy();
    await page.getByText('The connection was lost, resuming…').first().waitFor();
    const { url, headers } = await resumed.promise;
    gates.open('middle');
    await page.getByText('Sources', { exact: true }).waitFor();
    expect(await plainAnswer(page)).toBe(answer);
    expect(app.asked).toHaveLength(1);
    const id = app.asked[0]?.request_id;
    expect(url).toBe(`/api/ask/stream/${id}`);
    expect(headers['last-event-id']).toBe(
      `${id}:${10_000 * 'Assemblies are free <i>everywhere</i>.'.length + 1}`,
    );
    expect(requests.filter(({ url }) => url.startsWith('/api/'))).toHaveLength(2);
    expect(complaints.filter((text) => !text.includes('net::ERR'))).toEqual([]);
  });

  test('reports an answer that is gone on resuming as lost, and offers to ask again', async () => {
    const app = new WebApp();
    const gates = gated('middle');
    app.parts = gates.parts;
    const { page, connections } = await visit({ app });
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    await page.getByRole('button', { name: 'Source 1' }).waitFor();
    gates.open('middle');
    await page.getByText('Sources', { exact: true }).waitFor();
    const later = gated('middle');
    app.parts = later.parts;
    await page.route('**/api/ask/stream/*', (route) =>
      route.fulfill({ status: 404, json: { detail: 'x' }, headers: { 'access-control-allow-origin': '*' } }),
    );
    await askQuestion(page, 'And now?');
    await page.locator('.turn').nth(1).getByRole('button', { name: 'Source 1' }).waitFor();
    connections.at(-1)?.destroy();
    await page.getByText('The question could not be answered.').waitFor();
    app.parts = (input) => partsOf(input);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Sources', { exact: true }).nth(1).waitFor();
    expect(await plainAnswer(page)).toBe(answer);
    later.open('middle');
  });

  test('repeats a question with the same key if its connection broke before any reply', async () => {
    const { page, requests, beforeWork } = await visit();
    let posts = 0;
    beforeWork((request) => {
      if (request.method === 'POST' && ++posts === 1) request.raw.socket.destroy();
    });
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    await page.getByText('Sources', { exact: true }).waitFor();
    expect(await plainAnswer(page)).toBe(answer);
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent).toHaveLength(2);
    expect(sent[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(sent[1]?.headers['idempotency-key']).toBe(sent[0]?.headers['idempotency-key']);
  });

  test('shows a corrected answer in its new form, and says so', async () => {
    const app = new WebApp();
    app.parts = async function* (input) {
      for await (const part of partsOf(input)) {
        if (part.type !== 'done') {
          yield part;
          continue;
        }
        yield { type: 'replace', answer: 'They are announced.', reason: 'unsupported' };
        const quote = 'They are announced a day before.';
        yield citationPart({ end: 19, ref: 'notes#004', quote, revision: 2 });
        yield { ...part, answer: 'They are announced.', finish_reason: 'length' };
      }
    };
    const { page, complaints } = await visit({ app });
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    await page.getByText('The answer was corrected after a check.').waitFor();
    await page.getByText('it reached the maximum length').waitFor();
    expect(await shownAnswer(page).innerText()).toBe('They are announced.2');
    expect(await page.getByText('Other passages found (2)').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('sends at most the last twenty messages of the conversation with a follow-up', async () => {
    const { app, page } = await visit();
    await opener(page).click();
    for (let n = 1; n <= 12; n++) {
      await askQuestion(page, `Question ${n}`);
      await page
        .getByRole('button', { name: 'A helpful answer', exact: true })
        .nth(n - 1)
        .waitFor();
    }
    expect(app.asked[1]?.history).toEqual([
      { role: 'user', content: 'Question 1' },
      { role: 'assistant', content: answer },
    ]);
    const last = app.asked[11]?.history ?? [];
    expect(last).toHaveLength(20);
    expect(last[0]).toEqual({ role: 'user', content: 'Question 2' });
    await page.getByRole('button', { name: 'Start over' }).click();
    expect(await page.locator('.turn').count()).toBe(0);
    await askQuestion(page, 'Anew');
    await page.getByRole('button', { name: 'A helpful answer', exact: true }).waitFor();
    expect(app.asked[12]?.history).toEqual([]);
  });

  test('can stop an answer, in the service too', async () => {
    const app = new WebApp();
    const aborted = Promise.withResolvers<void>();
    app.parts = async function* (input, signal) {
      let count = 0;
      for await (const part of partsOf(input)) if (count++ < 3) yield part;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      aborted.resolve();
      throw new Failure('cancelled', 'Cancelled.');
    };
    const { page, requests, complaints } = await visit({ app });
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    await page.getByText('Assemblies are free').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    await aborted.promise;
    expect(requests.at(-1)).toMatchObject({
      method: 'DELETE',
      url: `/api/ask/stream/${app.asked[0]?.request_id}`,
    });
    expect(await page.getByRole('button', { name: 'Send' }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('lets readers rate an answer, and comment on a bad one', async () => {
    const { app, page, complaints } = await visit();
    const ratings: unknown[] = [];
    await page.route('**/api/asks/*/rating', async (route) => {
      if (route.request().method() === 'POST')
        ratings.push([new URL(route.request().url()).pathname, route.request().postDataJSON()]);
      await route.fulfill({
        status: 200,
        json: {},
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' },
      });
    });
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    const down = page.getByRole('button', { name: 'An unhelpful answer' });
    await down.click();
    await page.getByText('Thank you for your feedback.').waitFor();
    expect(await down.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.type('Too short.');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'What is wrong?' }).waitFor({ state: 'hidden' });
    const path = `/api/asks/${app.asked[0]?.request_id}/rating`;
    expect(ratings).toEqual([
      [path, { rating: 'down' }],
      [path, { rating: 'down', comment: 'Too short.' }],
    ]);
    expect(complaints).toEqual([]);
  });

  test('explains every error in words, with the seconds to wait, and offers another attempt', async () => {
    const app = new WebApp();
    let failure = new Failure('rate_limited', 'x', { retryAfterS: 12 });
    app.parts = () => {
      throw failure;
    };
    const { page } = await visit({ app });
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    await page.getByText('Too many questions at once. You can try again in 12 s.').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).isDisabled()).toBe(true);

    failure = new Failure('unavailable', 'x', { retryAfterS: 1 });
    await askQuestion(page, 'What is free?');
    await page.getByText('The service cannot answer at the moment. You can try again in 1 s.').waitFor();
    app.parts = (input) => partsOf(input);
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await page.getByText('Sources', { exact: true }).waitFor();
    expect(await page.locator('.turn').count()).toBe(2);

    for (const [code, words] of [
      ['not_found', 'This collection of documents is not available at the moment.'],
      ['unauthorized', 'This service requires an access key.'],
      ['invalid', 'This question cannot be accepted.'],
    ] as const) {
      failure = new Failure(code, 'x');
      app.parts = () => {
        throw failure;
      };
      await askQuestion(page, 'What is free?');
      await page.getByText(words).waitFor();
    }

    app.parts = async function* (input) {
      const parts = partsOf(input);
      for (let n = 0; n < 2; n++) {
        const part = await parts.next();
        if (!part.done) yield part.value;
      }
      throw new Failure('internal', 'x');
    };
    await askQuestion(page, 'What is free?');
    await page.getByText('The question could not be answered.').waitFor();

    await page.context().setOffline(true);
    await askQuestion(page, 'What is free?');
    await page.getByText('The service cannot be reached. Check your connection.').waitFor();
  });

  test('works with only the keyboard: focus stays in the panel, and Escape returns it', async () => {
    const { app, page } = await visit({ body: '<a href="#x">A link of the page</a>' });
    await opener(page).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Ask the documents' });
    await dialog.waitFor();
    const focused = (): Promise<string> =>
      page.evaluate(
        `(() => { const { activeElement: host } = document; const at = host.shadowRoot?.activeElement; return at ? at.getAttribute('aria-label') ?? at.className : host.tagName; })()`,
      );
    expect(await focused()).toBe('Your question');
    await page.keyboard.type('One');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two?');
    await page.keyboard.press('Enter');
    await page.getByText('Sources', { exact: true }).waitFor();
    expect(app.asked[0]?.query).toBe('One\ntwo?');
    expect(await field(page).inputValue()).toBe('');

    const seen = [];
    for (let n = 0; n < 14; n++) {
      seen.push(await focused());
      await page.keyboard.press('Tab');
    }
    expect(seen.slice(0, 5)).toEqual([
      'Your question',
      'Send',
      'Start over',
      'Close',
      'Questions and answers',
    ]);
    expect(seen).not.toContain('BODY');
    expect(seen.filter((name) => name === 'Your question').length).toBeGreaterThan(0);
    expect(seen.filter((name) => name.startsWith('Source')).length).toBeGreaterThan(0);

    await page.getByRole('button', { name: 'Source 2' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('listitem').nth(1).locator('blockquote').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused()).toBe('launcher');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    expect(await shownAnswer(page).isVisible()).toBe(true);
  });

  test('gives a screen reader roles, names and announcements', async () => {
    const app = new WebApp();
    const gates = gated('sources');
    app.parts = gates.parts;
    const { page } = await visit({ app });
    expect(await opener(page).getAttribute('aria-haspopup')).toBe('dialog');
    await opener(page).click();
    const log = page.getByRole('log', { name: 'Questions and answers' });
    expect(await log.getAttribute('aria-live')).toBe('polite');
    await askQuestion(page, 'What is free?');
    expect(await page.getByRole('status').first().innerText()).toBe('Searching the documents…');
    gates.open('sources');
    await page.getByRole('article', { name: 'Answer' }).waitFor();
    await page.getByText('Sources', { exact: true }).waitFor();
    expect(await shownAnswer(page).getAttribute('lang')).toBe('en');
    expect(await page.getByRole('status').first().innerText()).toBe('');
  });

  test('follows the theme of the reader or of the page, and respects reduced motion', async () => {
    const look = async (options: BrowserContextOptions, attributes = '') => {
      const { page } = await visit({
        options,
        attributes: `data-corpus="krk_2026" data-lang="en" ${attributes}`,
      });
      await opener(page).click();
      return inWidget(
        page,
        '.panel',
        '[getComputedStyle(it).backgroundColor, getComputedStyle(it).animationName]',
      );
    };
    const reducedMotion = 'reduce';
    expect(await look({ colorScheme: 'light' })).toEqual(['rgb(255, 255, 255)', 'rise']);
    expect(await look({ colorScheme: 'dark', reducedMotion })).toEqual(['rgb(27, 28, 31)', 'none']);
    expect(await look({ colorScheme: 'light', reducedMotion }, 'data-theme="dark"')).toEqual([
      'rgb(27, 28, 31)',
      'none',
    ]);
    expect(await look({ colorScheme: 'dark', reducedMotion }, 'data-theme="light"')).toEqual([
      'rgb(255, 255, 255)',
      'none',
    ]);
  });

  test('uses its configured language, otherwise that of the page, otherwise that of the browser', async () => {
    const placeholder = async (attributes: string, locale: string, body?: string) => {
      const { page } = await visit({ attributes, body, options: { locale } });
      const name = body === undefined ? '.launcher' : 'textarea';
      await page.locator(name).waitFor({ state: 'attached' });
      return page.locator('textarea').getAttribute('placeholder');
    };
    expect(await placeholder('data-corpus="a" data-lang="kk"', 'ru-RU')).toBe('Сұрағыңыз');
    expect(await placeholder('data-corpus="a" data-lang="ru"', 'en-GB')).toBe('Ваш вопрос');
    expect(await placeholder('', 'ru-RU', '<div lang="kk-KZ"><docent-ask inline></docent-ask></div>')).toBe(
      'Сұрағыңыз',
    );
    expect(await placeholder('', 'ru-RU', '<div lang="de"><docent-ask inline></docent-ask></div>')).toBe(
      'Ваш вопрос',
    );
  });

  test('keeps focused and opened elements on the ask page clear of the composer, and an answer in view', async () => {
    const app = new WebApp();
    app.parts = (input) => partsOf(input);
    for (const viewport of [
      { width: 320, height: 568 },
      { width: 1280, height: 800 },
    ]) {
      const { page, service, complaints } = await visit({ app, options: { viewport } });
      await page.goto(`${service}?lang=en`);
      await page.getByRole('button', { name: 'What is free?' }).click();
      const rated = page.getByRole('button', { name: 'An unhelpful answer' });
      await rated.waitFor();
      const inView = (selector: string) =>
        inWidget(
          page,
          '.panel',
          `((last, composer) => last.bottom <= composer.top + 1 && last.top >= 0)([...it.querySelectorAll('${selector}')].at(-1).getBoundingClientRect(), it.querySelector('.composer').getBoundingClientRect())`,
        );
      expect(await inView('.question')).toBe(true);
      await page.getByRole('button', { name: 'Source 2' }).first().click();
      expect(await inView('.sources > li:has([open])')).toBe(true);
      await page.route('**/api/asks/*/rating', (route) => route.fulfill({ status: 200, json: {} }));
      await rated.click();
      await page.getByRole('textbox', { name: 'What is wrong?' }).waitFor();
      expect(await inView('.comment')).toBe(true);
      await page.locator('docent-ask .marker').first().focus();
      for (let n = 0; n < 8; n++) {
        expect(await inView(':focus')).toBe(true);
        await page.keyboard.press('Tab');
      }
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      expect(complaints).toEqual([]);
    }
  });

  test('asks the question in the URL of the ask page, and restores the conversation after a reload', async () => {
    const app = new WebApp();
    const gates = gated('middle');
    app.parts = (input) => (input.query === 'Last?' ? gates.parts(input) : partsOf(input));
    const { page, service } = await visit({ app });
    await page.goto(`${service}?lang=en&q=${encodeURIComponent('What is <free>?')}`);
    await page.getByText('Sources', { exact: true }).waitFor();
    await askQuestion(page, 'Last?');
    await page.locator('.turn').nth(1).getByRole('button', { name: 'Source 1' }).waitFor();
    await page.reload();
    await page.locator('.turn').nth(1).getByRole('button', { name: 'Source 1' }).waitFor();
    // Another question in the URL waits for the current answer.
    await page.goto(`${service}?lang=en&q=${encodeURIComponent('And?')}`);
    await page.locator('.turn').nth(1).getByRole('button', { name: 'Source 1' }).waitFor();
    expect(app.asked.map(({ query }) => query)).toEqual(['What is <free>?', 'Last?']);
    gates.open('middle');
    await page.getByText('Sources', { exact: true }).nth(2).waitFor();
    expect(await plainAnswer(page)).toBe(answer);
    expect(app.asked.map(({ query }) => query)).toEqual(['What is <free>?', 'Last?', 'And?']);
    expect(app.asked[2]?.history).toHaveLength(4);
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.goto(`${service}?lang=en`);
    await page.getByRole('button', { name: 'What is free?' }).waitFor();
    expect(await page.locator('.turn').count()).toBe(0);
  });

  test('omits labels that only name a source, and places citation numbers correctly', async () => {
    const app = new WebApp();
    app.parts = async function* (input) {
      for await (const part of partsOf(input))
        if (part.type === 'meta' || part.type === 'sources') yield part;
      const cited = { ref: 'notes#004', revision: 2, content_hash: '' };
      yield { type: 'text', text: 'Commentary: ', label: true };
      yield { type: 'text', text: 'One.' };
      yield { type: 'citation', start: 12, end: 16, quote: 'One.', ...cited };
      yield { type: 'text', text: ' (Notes)', label: true };
      yield { type: 'text', text: ' Two.' };
      yield { type: 'citation', start: 25, end: 29, quote: 'Two.', ...cited };
      yield donePart({ request_id: input.request_id ?? '', answer: 'Commentary: One. (Notes) Two.' });
    };
    const { page } = await visit({ app });
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    await page.getByText('Sources', { exact: true }).waitFor();
    expect(await shownAnswer(page).innerText()).toBe('One.2 Two.2');
    const headings = await inWidget(
      page,
      '.panel',
      "[...it.querySelectorAll('h2, h3, h4')].map((h) => h.tagName).join()",
    );
    expect(headings).toBe('H2,H3,H4');
  });

  test('reports an ineffective tag in the console', async () => {
    const { page, complaints, service } = await visit();
    await page.goto(service);
    await page.locator('docent-ask textarea').last().waitFor();
    for (const type of ['text/javascript', 'module'])
      await page.evaluate(
        `new Promise((done) => { const tag = document.createElement('script'); tag.type = '${type}'; tag.src = 'widget/docent.js'; tag.onload = done; document.head.append(tag); })`,
      );
    expect(complaints.filter((text) => text.startsWith('Docent: '))).toEqual([
      expect.stringContaining('already'),
      expect.stringContaining('type="module"'),
    ]);
  });

  test('fills a phone screen, and keeps everything within its width', async () => {
    const { page } = await visit({
      options: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true },
    });
    await opener(page).tap();
    await askQuestion(page, 'What is free?');
    await page.getByText('Sources', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Source 2' }).tap();
    expect(await page.locator('.panel').boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 640 });
    expect(await inWidget(page, '.log', 'it.scrollWidth - it.clientWidth')).toBe(0);
    expect(await field(page).isVisible()).toBe(true);
  });

  test('forms the ask page within its policy, for the chosen corpus and style', async () => {
    const app = new WebApp();
    app.parts = (input) => partsOf(input);
    const [known] = await app.corpora();
    if (!known) throw new Error('no corpus');
    app.corpora = async () => [
      { ...known, corpus_id: 'reestr_texts', title: 'Registry', styles: ['brief', 'quotes'] },
    ];
    const { page, service, complaints } = await visit({ app });
    await page.goto(`${service}?lang=en`);
    await page.getByRole('combobox', { name: 'Kind of answer' }).selectOption('quotes');
    await askQuestion(page, 'What is free?');
    await page.getByText('Sources', { exact: true }).waitFor();
    expect(app.asked[0]).toMatchObject({ corpus_id: 'reestr_texts', style: 'quotes' });
    await page.getByRole('link', { name: 'Қазақша' }).click();
    await page.getByRole('textbox', { name: 'Сұрағыңыз' }).waitFor();
    expect(await page.getByRole('region', { name: 'Registry' }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('opens a source beside the answer on a wide ask page, and links to the recorded answer', async () => {
    const app = new WebApp();
    app.parts = (input) => partsOf(input);
    const { page, service, complaints } = await visit({
      app,
      options: { viewport: { width: 1400, height: 800 } },
    });
    await page
      .context()
      .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.slice(0, -1) });
    await page.goto(`${service}?lang=en&q=${encodeURIComponent('What is <free>?')}`);
    await page.getByRole('button', { name: 'Source 1' }).first().click();
    const frame = page.frameLocator('docent-ask iframe');
    await page
      .getByRole('link', { name: /^Open the source/ })
      .first()
      .click();
    await frame.locator('mark').first().waitFor();
    expect(await frame.getByRole('heading', { level: 1 }).innerText()).toBe('Law of "1994" & after');
    expect(page.context().pages()).toHaveLength(1);
    const overlap =
      'it.getBoundingClientRect().left - document.querySelector("main").getBoundingClientRect().right';
    expect(Number(await inWidget(page, 'aside', overlap))).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Escape');
    expect(await page.locator('docent-ask aside').isVisible()).toBe(false);

    await page.getByRole('button', { name: 'Copy a link to this answer' }).click();
    await page.getByText('Link copied.').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toBe(`${service}answer/${app.asked[0]!.request_id}`);

    await page.emulateMedia({ media: 'print' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('docent-ask .composer').isVisible()).toBe(false);
    expect(await page.locator('docent-ask blockquote').first().isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('opens a source in a new tab in a narrow window', async () => {
    const { page, service } = await visit();
    await page.goto(`${service}?lang=en&q=${encodeURIComponent('What is free?')}`);
    await page.getByRole('button', { name: 'Source 1' }).first().click();
    const opened = page.context().waitForEvent('page');
    await page
      .getByRole('link', { name: /^Open the source/ })
      .first()
      .click();
    await (await opened).locator('mark').first().waitFor();
    expect(await page.locator('docent-ask aside').isVisible()).toBe(false);
  });

  test('leads to a source page that scrolls to the cited place', async () => {
    const app = new WebApp();
    if (app.found?.status !== 'published') throw new Error('not published');
    const before = 'A line of the preamble.\n\n'.repeat(80);
    const cited = 'The place that was cited.';
    const at = { start: before.length, end: before.length + cited.length, chunk_index: '1' };
    const chunks = [{ ...documentPart.chunks[0]!, ...at }];
    app.found = { ...app.found, read: async () => ({ start: 0, text: `${before}${cited}`, chunks }) };
    const { page, service, complaints } = await visit({ app });
    await page.goto(`${service}source/krk_2026/7?chunk=1`);
    await page.waitForFunction(
      `(({ top, bottom }) => top > 0 && bottom < innerHeight)(document.querySelector('#cited').getBoundingClientRect())`,
    );
    expect(complaints).toEqual([]);
  });

  test('does not link sources without a URL that opens', async () => {
    expect(sources.map(({ source_url }) => source_url)).toContain('javascript:alert(1)');
    const { page, service } = await visit();
    await opener(page).click();
    await askQuestion(page, 'What is free?');
    await page.getByText('Other passages found (1)').click();
    for (const summary of await page.locator('.sources summary').all()) await summary.click();
    const links = await page.getByRole('link').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      new URL(sources[0]!.page_url, service).href,
      sources[0]?.url,
      ...sources.slice(1).map(({ page_url }) => new URL(page_url, service).href),
    ]);
  });
});
