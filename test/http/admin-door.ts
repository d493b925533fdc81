/** The real service over embedded stores in its own folder, with a small library, and its HTTP interface. */
import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { Registry } from 'prom-client';
import { inject } from 'vitest';
import { newAdmin } from '../../src/access/admins.ts';
import { adminRoutes } from '../../src/admin/routes.ts';
import { openApp, type Service } from '../../src/app.ts';
import { type Admin, type Config, readConfig } from '../../src/config.ts';
import type { HttpServer } from '../../src/http/context.ts';
import { buildServer } from '../../src/http/server.ts';
import { CoreMetrics } from '../../src/operations/metrics/core.ts';
import { newFolder, writeFiles } from '../support/folder.ts';
import { patient } from './fake-app.ts';

const manifest = `id: krk_2026
title: {en: Harbour rules, ru: Правила гавани}
languages: [en, ru]
layers:
  - {name: rules, title: Rules}
  - {name: plans, visibility: restricted}
files:
  - {path: "plans/**", layer: plans}
`;
const files: Record<string, string> = {
  'corpus.yaml': manifest,
  'berths.md': `# Berths

## Article 1. Mooring

A vessel may moor at the northern quay for three days without a fee.

## Article 2. Night

Engines are switched off between ten in the evening and six in the morning.
`,
  'fish.md': `# Fish market

The fish market opens at five in the morning on every day but Monday.
`,
  'plans/lighthouse.md': `# Lighthouse

The lighthouse is to be painted green.
`,
};

/** Computed once, because deriving a key takes 60 ms. */
export const admins: Promise<Admin[]> = Promise.all([
  newAdmin('olga', 'admin', 'пароль: с двоеточием'),
  newAdmin('aidar', 'auditor', 'look only'),
]);
export const olga = basic('olga', 'пароль: с двоеточием');
export const aidar = basic('aidar', 'look only');

export function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

export interface OpenedDoor {
  app: Service;
  registry: Registry;
  server: HttpServer;
  folder: string;
  /** Sends a request as olga unless `headers` say otherwise; `body` is sent as JSON. */
  call(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  close(): Promise<void>;
}

export interface Reply {
  status: number;
  headers: LightMyRequestResponse['headers'];
  /** The parsed JSON, or the text if it is not JSON. */
  body: ReturnType<typeof JSON.parse>;
}

export async function openDoor(
  more: Partial<Config> = {},
  { folder = newFolder('admin'), library = true, trustProxy = false } = {},
): Promise<OpenedDoor> {
  const config: Config = {
    ...readConfig({}, join(folder, 'no.env')),
    DOCENT_DATA: join(folder, 'data'),
    DOCENT_ADMINS: await admins,
    DOCENT_PUBLIC_RPM: 0,
    DOCENT_PUBLIC_RPH: 0,
    ...more,
  };
  const registry = new Registry();
  const isEmbedded = config.EVENTSTOREDB_URL === null && config.REDIS_URL === null;
  if (library && isEmbedded) cpSync(await libraryData(), config.DOCENT_DATA, { recursive: true });
  const app = await openApp(config, { asksSoon: false, metrics: new CoreMetrics(registry) });
  if (library && !isEmbedded) await ingestLibrary(app, folder);
  const server = buildServer(app, {
    corsOrigins: '*',
    trustProxy,
    registry,
    loopDelayMsMax: patient,
    administration: adminRoutes(app),
  });
  return {
    app,
    registry,
    server,
    folder,
    call: (method, url, body, headers = {}) =>
      send(server, {
        method: method as NonNullable<InjectOptions['method']>,
        url,
        headers: { authorization: olga, ...headers },
        ...(body !== undefined && { payload: body as object }),
      }),
    async close() {
      await server.close();
      await app.close();
    },
  };
}

export async function send(server: HttpServer, request: InjectOptions): Promise<Reply> {
  const { statusCode, headers, body } = await server.inject(request);
  const json = body !== '' && String(headers['content-type']).startsWith('application/json');
  return { status: statusCode, headers, body: json ? JSON.parse(body) : body };
}

/** Process-wide, because each test file may load its own copies of the modules. */
const shared = globalThis as { libraryData?: Promise<string> };

/** A data folder that contains the library, created once per process. */
function libraryData(): Promise<string> {
  shared.libraryData ??= (async () => {
    const folder = mkdtempSync(join(inject('sharedFolder'), 'library-'));
    const data = join(folder, 'data');
    const config = { ...readConfig({}, join(folder, 'no.env')), DOCENT_DATA: data };
    const app = await openApp(config, { asksSoon: false });
    await ingestLibrary(app, folder);
    await app.close();
    return data;
  })();
  return shared.libraryData;
}

async function ingestLibrary(app: Service, folder: string): Promise<void> {
  const path = writeFiles(join(folder, 'library'), files);
  await app.ingest({ path, actor: 'system' });
}
