/** /health for a history that accepts only some writes, or is missing. */
import { expect, test } from 'vitest';
import { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../../src/failures.ts';
import { HealthMonitor } from '../../src/operations/health.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import type { PoisonedEvent } from '../../src/ports/read-models.ts';

function monitor(degraded: () => Promise<string | null>, poisoned: PoisonedEvent[] = []) {
  const reports: string[] = [];
  const log = { head: async () => null, distance: () => 0, degraded } as unknown as EventLog;
  const health = new HealthMonitor({
    modelsDown: () => [],
    spent: () => null,
    version: '2.0.0',
    log,
    poisoned: async () => poisoned,
    threads: { ping: () => {}, state: 'ok' },
    progress: new ProjectionProgress(),
    projections: ['chunks'],
    historyFault: () => null,
    rebuilding: () => false,
    onTrouble: (sentence) => reports.push(sentence),
  });
  return { health, reports };
}

async function look(health: HealthMonitor) {
  await health.start();
  health.stop();
  return health.report();
}

test('a full disk is reported once as a degraded history, with the reason', async () => {
  let full: string | null = 'The disk is full.';
  const { health, reports } = monitor(async () => full);
  const degraded = {
    status: 'degraded',
    reasons: ['The disk is full.'],
    components: { event_log: 'degraded' },
  };
  expect(await look(health)).toMatchObject(degraded);
  expect(await look(health)).toMatchObject(degraded);
  full = null;
  expect(await look(health)).toMatchObject({ status: 'ok', reasons: [], components: { event_log: 'ok' } });
  expect(reports).toEqual(['The disk is full.', 'The history accepts writes again.']);
});

test('a missing history is down, with the reason', async () => {
  const { health } = monitor(async () => {
    throw new Failure('unavailable', 'The history is missing.');
  });
  expect(await look(health)).toMatchObject({
    status: 'down',
    reasons: ['The history is missing.'],
    components: { event_log: 'down' },
  });
});

test('read models that skipped some events are degraded, with the events', async () => {
  const at = '2026-01-01T00:00:00.000Z';
  const event = { projection: 'chunks', position: '0012', event_id: 'e1', error: 'TypeError', at };
  const { health } = monitor(async () => null, [event]);
  expect(await look(health)).toMatchObject({
    status: 'degraded',
    reasons: ['The projection chunks skipped the event at 0012: TypeError.'],
    components: { read_models: 'degraded' },
  });
});
