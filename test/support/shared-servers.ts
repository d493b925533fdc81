/**
 * Servers, and a folder, that all test files of a run share. Vitest's own process starts one when the first file asks for it, over a
 * small HTTP service on loopback, and ends all of them with the run: a run that needs none starts none.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type OwnServer, startEventStore, startRedis } from './own-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for them. */
    sharedServers: string;
    /** A folder for what files of the run share; it goes with the run. */
    sharedFolder: string;
  }
}

const starts = { eventstore: startEventStore, redis: startRedis };
export type SharedName = keyof typeof starts;

/** Vitest's global set-up; returns its tear-down. */
export default async function share(project: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<OwnServer>>();
  const service = createServer(async (request, response) => {
    const name = request.url!.slice(1) as SharedName;
    const server = started.get(name) ?? starts[name]();
    started.set(name, server);
    server.then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  project.provide('sharedServers', `http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  const folder = mkdtempSync(join(tmpdir(), 'docent-run-'));
  project.provide('sharedFolder', folder);
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    service.close();
    service.closeAllConnections();
    for (const server of started.values()) await (await server).stop();
  };
}

/** The address of a shared server, which is started if it has not been yet. */
export async function sharedUrl(name: SharedName, service: string): Promise<string> {
  const reply = await fetch(`${service}/${name}`);
  const said = await reply.text();
  if (!reply.ok) throw new Error(said);
  return said;
}
