/** /metrics at a separate address (DOCENT_METRICS). */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Counter, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { openMetricsDoor } from '../../src/http/metrics-door.ts';
import { serve } from './fake-app.ts';

const host = '127.0.0.1';

test('serves the metrics and nothing else', async () => {
  const registry = new Registry();
  new Counter({ name: 'docent_tries_total', help: 'Tries.', registers: [registry] }).inc(3);
  const door = await openMetricsDoor({ host, port: 0 }, registry);
  const at = `http://${host}:${(door.address() as AddressInfo).port}`;

  const figures = await fetch(`${at}/metrics?from=prometheus`);
  expect([figures.status, figures.headers.get('content-type')]).toEqual([200, registry.contentType]);
  const text = await figures.text();
  expect(text).toContain('docent_tries_total 3');
  expect(text).toContain('process_cpu_user_seconds_total');
  expect((await fetch(`${at}/health`)).status).toBe(404);
  expect((await fetch(`${at}/metrics`, { method: 'POST' })).status).toBe(404);

  door.close();
  await once(door, 'close');
});

test('removes the metrics from the main address', async () => {
  const registry = new Registry();
  for (const metricsElsewhere of [true, false]) {
    const { server } = serve({ registry, metricsElsewhere });
    expect((await server.inject('/metrics')).statusCode).toBe(metricsElsewhere ? 404 : 200);
    registry.clear();
  }
});

test('names an address that cannot be bound', async () => {
  const other = createServer().listen(0, host);
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(openMetricsDoor({ host, port }, new Registry())).rejects.toMatchObject({
    code: 'unavailable',
    detail: `DOCENT_METRICS: cannot listen on ${host}:${port} (EADDRINUSE).`,
  });
  other.close();
});
