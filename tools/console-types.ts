/**
 * Generates the types of the console's client from this version's OpenAPI document: `npm run console:types`. The server
 * is built over use cases that are never called, and does not listen.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import type { Administration } from '../src/admin/administration.ts';
import { adminRoutes } from '../src/admin/routes.ts';
import { buildServer } from '../src/http/server.ts';
import { FakeApp } from '../test/http/fake-app.ts';

const app = new FakeApp();
const administration = adminRoutes({ admin: {} as Administration, health: () => app.health() });
const server = buildServer(app, { corsOrigins: '*', trustProxy: false, administration });
const { body } = await server.inject('/api/openapi.json');
await server.close();

const target = new URL('../web/console/src/api/', import.meta.url);
mkdirSync(target, { recursive: true });
const types = astToString(await openapiTS(body, { defaultNonNullable: false }));
writeFileSync(new URL('schema.d.ts', target), types);
