/** How the console is served: its policy, caching, and the page shown without a build. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpServer } from '../../src/http/context.ts';
import { consoleRoutes } from '../../src/http/pages/console.ts';
import { isBuilt } from '../../web/console/build.ts';
import { type OpenedDoor, openDoor } from '../http/admin-door.ts';
import { newFolder } from '../support/folder.ts';

/** An entry in Vite's manifest. */
interface Chunk {
  file: string;
  imports?: string[];
}
const dist = new URL('../../web/console/dist/', import.meta.url);
const firstViewMax = 300 * 1024;

describe.skipIf(!isBuilt())('the built console', () => {
  let door: OpenedDoor;
  beforeAll(async () => {
    door = await openDoor({}, { library: false });
  });
  afterAll(() => door.close());

  test.each([
    '/admin',
    '/admin/',
    '/admin/questions?mode=no_answer',
    '/admin/access/audit',
    '/admin/sign-in',
  ])('serves %s with a new nonce each time', async (url) => {
    const replies = [await door.call('GET', url), await door.call('GET', url)];
    const nonces = replies.map(({ status, headers, body }) => {
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'private, no-store',
      ]);
      const policy = String(headers['content-security-policy']);
      expect(policy).not.toContain('unsafe');
      expect(policy).toContain("default-src 'none'; script-src 'self'; ");
      const [, nonce] = /style-src 'self' 'nonce-([\w+/=]{24})'/.exec(policy) ?? [];
      expect(body).toContain(`<meta name="csp-nonce" content="${nonce}" />`);
      expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=/);
      return nonce;
    });
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('serves its scripts compressed and cached for a year', async () => {
    const { body } = await door.call('GET', '/admin');
    const [script] = /\/admin\/assets\/index-[\w-]+\.js/.exec(body) ?? [];
    const reply = await door.call('GET', script!, undefined, { 'accept-encoding': 'gzip, br' });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const plain = await door.call('GET', script!);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(readFileSync(new URL(script!.slice('/admin/'.length), dist), 'utf8'));
  });

  test('loads at most 300 KB compressed in few files for the first view, and its charts later', () => {
    const manifest: Record<string, Chunk> = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8'));
    const { file, imports } = manifest['src/texts/ru.ts']!;
    const page = readFileSync(new URL('index.html', dist), 'utf8');
    const named = [...page.matchAll(/assets\/[\w.-]+/g)].map(([path]) => path);
    const files = [...named, file, ...imports!.map((name) => manifest[name]!.file)];
    const bytes = files.map((path) => gzipSync(readFileSync(new URL(path, dist))).length);
    expect(files.length).toBeLessThan(10);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(firstViewMax);
    expect(files.map((path) => readFileSync(new URL(path, dist), 'utf8')).join()).not.toContain('recharts');
  });

  test.each(['/admin/assets/none.js', '/admin/assets/..%2findex.html', '/admin/nowhere'])(
    '%s does not exist',
    async (url) => {
      expect((await door.call('GET', url)).status).toBe(404);
    },
  );

  test('leaves the paths of the administration API unaffected', async () => {
    expect((await door.call('GET', '/admin/api/nothing')).status).toBe(404);
    expect((await door.call('GET', '/admin/api/nothing', undefined, { authorization: '' })).status).toBe(401);
    expect((await door.call('GET', '/admin/api/corpora')).body.items).toBeInstanceOf(Array);
  });
});

test('without a build, the page names the command that builds it', async () => {
  const server = fastify();
  consoleRoutes({ server: server as unknown as HttpServer }, pathToFileURL(`${newFolder('no-console')}/`));
  const reply = await server.inject('/admin/questions');
  await server.close();
  expect(reply.statusCode).toBe(503);
  expect(reply.body).toContain('<code>npm ci</code>');
});
