/** The page of the knowledge graph: its HTML, and in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GraphEdge, GraphNode, GraphQueryResponse } from '../../src/asks/graph-schema.ts';
import { Failure } from '../../src/failures.ts';
import { complaintsOf, launch, missing } from './browser.ts';
import { openDoor, WebApp } from './fake-door.ts';

const place = (ref: string, start: number, end = start) => ({
  ref,
  doc_id: 7,
  revision: 2,
  ordinal: 0,
  start,
  end,
});
const node = (id: string, name: string, kind: GraphNode['kind'], count = 3): GraphNode => ({
  id,
  kind,
  name,
  count,
  source_refs: ['law#1'],
  places: [place('law#1', 4, 9)],
});
const edge = (from: string, to: string, relation: GraphEdge['relation']): GraphEdge => ({
  from,
  to,
  relation,
  count: 2,
  source_refs: ['law#1'],
  places: [place('law#1', 4, 9), place('law#1', 20)],
});
const court = node('name:court', 'The <i>Court</i>', 'organisation', 40);
const article = node('provision:law:article 7', 'The Law: article 7', 'provision');
const town = node('name:nurtau', 'Nurtau', 'place');
const answer: GraphQueryResponse = {
  corpus_id: 'krk_2026',
  found: [court.id, town.id],
  nodes: [court, article, town],
  edges: [
    edge(article.id, court.id, 'mentions'),
    edge(court.id, town.id, 'holds'),
    edge(court.id, article.id, 'refers_to'),
  ],
  cut: false,
  up_to_date: true,
  position: null,
};

function graphApp(reply: (entity: string) => GraphQueryResponse = () => answer) {
  const app = new WebApp();
  const asked: string[] = [];
  app.graph = {
    ...app.graph,
    query: async (_, { entity }) => {
      asked.push(entity ?? '');
      return reply(entity ?? '');
    },
  };
  return { app, asked };
}

async function get(url: string, { app } = graphApp(), language = 'en') {
  const { server } = openDoor(app);
  const reply = await server.inject({
    method: 'GET',
    url,
    headers: { accept: 'text/html', 'accept-language': language },
  });
  await server.close();
  return reply;
}

test('draws and lists a node with its connections as links, and escapes its text', async () => {
  const of = graphApp();
  const { statusCode, headers, body } = await get('/graph?corpus=krk_2026&entity=court', of);
  expect(statusCode).toBe(200);
  expect(of.asked).toEqual(['court', court.id]);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(body).not.toContain('<i>Court');
  expect(body).not.toContain(' style="');
  expect(body).toContain('<h1>The &lt;i&gt;Court&lt;/i&gt;</h1>');
  const link = (id: string) =>
    `?${new URLSearchParams({ corpus: 'krk_2026', lang: 'en', entity: id })}`.replaceAll('&', '&amp;');
  for (const { id } of [article, town]) expect(body).toContain(`<a href="${link(id)}" class="kind-`);
  expect(body).toContain('>article 7, The Law</text>');
  for (const heading of ['Mentioned in', 'Holds the office', 'Refers to', 'Sources'])
    expect(body).toContain(`<h2>${heading}</h2>`);
  expect(body).toContain('href="source/krk_2026/7?revision=2&amp;chunk=1&amp;quote=4-9#cited"');
  expect(body).toContain('href="source/krk_2026/7?revision=2&amp;chunk=1#cited"');
  expect(body).toContain('Did you mean');
});

test('exists in the languages of the pages', async () => {
  expect((await get('/graph?entity=x', graphApp(), 'kk')).body).toContain('<h2>Лауазымы');
  expect((await get('/graph?entity=x&lang=ru')).body).toContain('<h2>Занимает должность');
});

test('without a name shows the most frequent entities, and says if it is empty or behind', async () => {
  const top = await get('/graph');
  expect(top.body).toContain('Most mentioned');
  expect(top.body).toContain('Конституционный суд');
  const none = { ...answer, found: [], nodes: [], edges: [] };
  expect(
    (
      await get(
        '/graph?entity=zzz',
        graphApp(() => none),
      )
    ).body,
  ).toContain('contains nothing named “zzz”');
  const late = graphApp(() => ({ ...answer, up_to_date: false, cut: true }));
  const { body } = await get('/graph?entity=court', late);
  expect(body).toContain('still being processed');
  expect(body).toContain('Not all connections are shown');
});

test('reports a graph that is unavailable or not visible', async () => {
  const failing = (failure: Failure) =>
    get(
      '/graph?entity=court',
      graphApp(() => {
        throw failure;
      }),
    );
  const made = await failing(new Failure('unavailable', 'It is away.', { retryAfterS: 2 }));
  expect([made.statusCode, made.headers['retry-after']]).toEqual([503, '2']);
  expect(made.body).toContain('cannot be read at the moment');
  expect(made.body).toContain('<form class="find" role="search">');
  const busy = await failing(new Failure('rate_limited', 'Too many.', { retryAfterS: 2 }));
  expect(busy.statusCode).toBe(429);
  const { app } = graphApp();
  Object.assign(app.access, { isPublic: false, mayRead: () => false });
  expect((await get('/graph?entity=court', { app, asked: [] })).body).toContain('requires an access key');
});

describe.skipIf(missing !== null)('in a browser', () => {
  let browser: Browser;
  const door = openDoor(graphApp().app);
  let address: string;
  beforeAll(async () => {
    browser = await launch();
    address = await door.server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await browser?.close();
    await door.server.close();
  });

  test.each(['light', 'dark'] as const)(
    'fits 320 pixels in %s mode, within its policy',
    async (colorScheme) => {
      const page = await browser.newPage({ viewport: { width: 320, height: 700 }, colorScheme });
      const complaints = complaintsOf(page);
      await page.goto(`${address}/graph?entity=court`);
      await page.locator('.zoom').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      expect(await page.locator('svg:visible').count()).toBe(1);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('works with only the keyboard: zooming, moving and following links', async () => {
    const page = await browser.newPage();
    await page.goto(`${address}/graph?entity=court`);
    await page.locator('.zoom').waitFor();
    const seen = () => page.locator('svg:visible').getAttribute('viewBox');
    const whole = await seen();
    await page.locator('figure').focus();
    await page.keyboard.press('+');
    const closer = await seen();
    expect(closer).not.toBe(whole);
    await page.keyboard.press('ArrowRight');
    expect(await seen()).not.toBe(closer);
    await page.keyboard.press('0');
    expect(await seen()).toBe(whole);
    await page.locator('svg:visible a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/entity=provision/);
    await page.close();
  });

  test('is zoomed with its buttons and dragged with the mouse, without opening a link', async () => {
    const page = await browser.newPage();
    await page.goto(`${address}/graph?entity=court`);
    await page.getByRole('button', { name: 'Closer' }).click();
    const svg = page.locator('svg:visible');
    const before = await svg.getAttribute('viewBox');
    const link = (await svg.locator('a circle').first().boundingBox())!;
    const [x, y] = [link.x + link.width / 2, link.y + link.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y - 20, { steps: 4 });
    await page.mouse.up();
    expect(await svg.getAttribute('viewBox')).not.toBe(before);
    expect(page.url()).toContain('entity=court');
    await page.close();
  });

  test('works without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${address}/graph`);
    await page.getByRole('searchbox').fill('court');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator('svg:visible a', { hasText: 'Nurtau' }).click();
    await page.waitForURL(/entity=name%3Anurtau/);
    await context.close();
  });
});
