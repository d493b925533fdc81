/**
 * Servers, a folder, and the ingested samples, which all test files of a run share. Vitest's main process creates each
 * one when the first file requests it through a small HTTP service on loopback, and removes it at the end of the run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { ended } from './command.ts';
import { startEventStore, startRedis } from './own-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address for requests. */
    sharedServers: string;
    /** A folder for data that the files of a run share; it is removed after the run. */
    sharedFolder: string;
  }
}

/** A server or another resource that is created once. */
interface Shared {
  /** Its address or path. */
  url: string;
  stop(): Promise<void>;
}

const starts = {
  eventstore: () => startEventStore(),
  redis: () => startRedis(),
  samples: (folder: string) => takenInSamples(folder),
};
type SharedName = keyof typeof starts;

/** Vitest's global setup; returns its teardown. */
export default async function share(project: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<Shared>>();
  const folder = mkdtempSync(join(tmpdir(), 'docent-run-'));
  const service = createServer(async (request, response) => {
    const name = request.url!.slice(1) as SharedName;
    const server = started.get(name) ?? starts[name](folder);
    started.set(name, server);
    server.then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  project.provide('sharedServers', `http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  project.provide('sharedFolder', folder);
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    service.close();
    service.closeAllConnections();
    for (const server of started.values()) await (await server).stop();
  };
}

/** A data folder with the sample corpora; users make a copy of it. */
async function takenInSamples(folder: string): Promise<Shared> {
  const data = join(folder, 'samples');
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const script = fileURLToPath(new URL('take-in-samples.ts', import.meta.url));
  const { status, stderr } = await ended(
    spawn(process.execPath, [script, data], { env: { PATH, NODE_COMPILE_CACHE } }),
  );
  if (status !== 0) throw new Error(`The samples were not ingested: ${stderr}`);
  return { url: data, stop: async () => {} };
}

/** The address of a shared server, or the path of a shared folder; created on the first request. */
export async function sharedUrl(name: SharedName, service: string): Promise<string> {
  const reply = await fetch(`${service}/${name}`);
  const said = await reply.text();
  if (!reply.ok) throw new Error(said);
  return said;
}
