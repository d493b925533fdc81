/**
 * Servers that bench/http.ts measures beside the service, each a process of its own: `node doors.ts bare` answers one
 * fixed body read from stdin; `node doors.ts slow <folder> <seconds>` is the service with answers that take so long.
 * The address is the first line of stdout; the process ends with its stdin.
 */
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { openApp } from '../src/app.ts';
import type { App } from '../src/app-port.ts';
import { Asks } from '../src/asks/asks.ts';
import { buildServer } from '../src/http/server.ts';
import { configFor } from './asks.ts';

const [kind, folder = '', seconds = '60'] = process.argv.slice(2);

async function bare() {
  const body: unknown = JSON.parse(await text(process.stdin));
  const server = fastify();
  server.get('/api/corpora', async () => body);
  return server.listen({ host: '127.0.0.1', port: 0 });
}

/** The answers of the service, their text a word a second until the time is over. */
async function slow() {
  const config = { ...configFor(folder), DOCENT_PUBLIC_RPM: 0, DOCENT_PUBLIC_RPH: 0 };
  const app = await openApp(config);
  const ask: App['ask'] = async function* (input, signal) {
    const until = performance.now() + Number(seconds) * 1000;
    for await (const part of app.ask(input, signal)) {
      if (part.type !== 'text') {
        yield part;
        continue;
      }
      for (const word of part.text.match(/\S+\s*|\s+/g) ?? []) {
        if (performance.now() < until) await sleep(1000);
        yield { type: 'text', text: word };
      }
    }
  };
  process.stdin.resume().once('end', () => process.exit());
  const asks = new Asks({
    ask,
    history: app.history,
    secret: () => Buffer.alloc(32),
    clock: { now: () => new Date() },
  });
  return buildServer({ ...app, asks }, { corsOrigins: '*', trustProxy: false }).listen({
    host: '127.0.0.1',
    port: 0,
  });
}

process.stdout.write(`${await (kind === 'bare' ? bare() : slow())}\n`);
