/** The console in a real browser, over the real service with a small library. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Config } from '../../src/config.ts';
import { isBuilt } from '../../web/console/build.ts';
import { type OpenedDoor, openDoor } from '../http/admin-door.ts';
import { complaintsOf, launch, missing } from '../web/browser.ts';

/** Why these tests cannot run here; null if they can. */
export const unable = missing ?? (isBuilt() ? null : 'the console is not built: npm run prepare');
if (unable !== null && missing === null)
  process.stderr.write(`The console's tests are skipped: ${unable}.\n`);

export const passwords = { olga: 'пароль: с двоеточием', aidar: 'look only' };

export interface OpenedConsole {
  door: OpenedDoor;
  address: string;
  browser: Browser;
  /** Opens a page below /admin, signed in, and closes it after the test. `complaints`: the browser's errors. */
  open(path: string, of?: Visit): Promise<{ page: Page; complaints: string[]; context: BrowserContext }>;
}

export interface Visit extends BrowserContextOptions {
  /** null: not signed in. Default: olga, an administrator. */
  name?: keyof typeof passwords | null;
  /**
   * Whether to use a separate session, because the test ends or alters it. Visits with browser options always have one.
   */
  own?: boolean;
}

/** One browser for all files of a process; Playwright ends it with the process. */
const shared = globalThis as { consoleBrowser?: Promise<Browser> };

/** Opens the service before the tests of a file, and closes it afterwards. */
export function useConsole(more: Partial<Config> = {}): OpenedConsole {
  const opened = {} as OpenedConsole;
  /** A context for each user, whose pages share a session and the browser's cache. */
  const kept = new Map<string, BrowserContext>();
  const closing: (BrowserContext | Page)[] = [];
  beforeAll(async () => {
    opened.door = await openDoor(more);
    opened.address = await opened.door.server.listen({ host: '127.0.0.1', port: 0 });
    shared.consoleBrowser ??= launch();
    opened.browser = await shared.consoleBrowser;
  });
  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
  });
  afterAll(async () => {
    for (const context of kept.values()) await context.close();
    await opened.door?.close();
  });

  async function contextOf(name: keyof typeof passwords | null, options: BrowserContextOptions) {
    const { address, browser } = opened;
    const context = await browser.newContext({
      baseURL: address,
      locale: 'en',
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    if (name !== null) {
      const data = { name, password: passwords[name] };
      const reply = await context.request.post('/admin/session', { data });
      if (reply.status() !== 201) throw new Error(`${name} is not signed in: ${reply.status()}`);
    }
    return context;
  }

  opened.open = async (path, { name = 'olga', own = false, ...options } = {}) => {
    const isKept = !own && Object.keys(options).length === 0;
    const context = (isKept && kept.get(`${name}`)) || (await contextOf(name, options));
    if (isKept) {
      kept.set(`${name}`, context);
      if (name === null) await context.clearCookies();
    }
    const page = await context.newPage();
    closing.push(isKept ? page : context);
    // A service that is busy or still building a moment replies with 503, which the browser reports.
    const complaints = complaintsOf(page, (text) => text.includes('status of 503'));
    await page.goto(`/admin${path}`);
    return { page, complaints, context };
  };
  return opened;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** The violations that axe finds on a page, one line for each element. `rules`: default: all. */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  const options = JSON.stringify(rules === undefined ? {} : { runOnly: rules });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
