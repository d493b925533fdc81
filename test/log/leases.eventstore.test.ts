import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStoreConnection } from '../../src/log/eventstore/connection.ts';
import { EventStoreLeases } from '../../src/log/eventstore/leases.ts';
import { EventStoreLog } from '../../src/log/eventstore/log.ts';
import { leaseMs, renewMs } from '../../src/ports/leases.ts';
import { leasesContract } from '../read-models/leases.contract.ts';
import { EventStoreDouble } from '../support/eventstore-double.ts';
import { testNamespace, withEventStore } from '../support/servers.ts';

/** `deletes`: whether the server deletes all but the last event of a stream as its metadata says. */
function leasesIn(start: () => Promise<{ url: string; stop(): Promise<void> }>, deletes: boolean): void {
  let server: Awaited<ReturnType<typeof start>>;
  const opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await server.stop();
  });
  const instances = () => {
    const namespace = testNamespace();
    const time = { ms: 0 };
    const open = () => {
      const leases = new EventStoreLeases({ url: server.url, namespace, now: () => time.ms });
      opened.push(leases);
      return leases;
    };
    return { namespace, time, open };
  };

  leasesContract(() => {
    const { time, open } = instances();
    return {
      open,
      runOut: async () => {
        time.ms += leaseMs;
      },
    };
  });

  it('last as long as their holder renews them', async () => {
    const { time, open } = instances();
    const [one, other] = [open(), open()];
    expect(await one.take('a')).toBe(true);
    for (let n = 0; n < 8; n++) {
      time.ms += renewMs;
      expect(await one.take('a')).toBe(true);
      expect(await other.take('a')).toBe(false);
    }
  });

  it('are lost by a holder that was unavailable while another took them', async () => {
    const { time, open } = instances();
    const [one, other] = [open(), open()];
    await one.take('a');
    await other.isHeld('a');
    time.ms += leaseMs;
    expect(await other.take('a')).toBe(true);
    expect(await one.take('a')).toBe(false);
    await one.release('a');
    expect(await one.isHeld('a')).toBe(true);
  });

  it('are kept outside the history, each with its last event only if the server deletes', async () => {
    const { namespace, time, open } = instances();
    const one = open();
    await one.take('a');
    time.ms += leaseMs;
    await one.take('a');
    const connection = new EventStoreConnection({ url: server.url });
    const log = EventStoreLog.open({ url: server.url, namespace });
    opened.push(connection, log);
    expect(await log.head()).toBeNull();
    const all = await connection.readAll({ from: 'end', backwards: true, maxCount: 100 });
    const stream = all.messages.find((one) => one.stream.startsWith(`${namespace}:lease:`))!.stream;
    expect((await connection.readStream({ stream, from: 0, maxCount: 100 })).messages).toHaveLength(
      deletes ? 1 : 2,
    );
  });
}

describe('leases in the double of EventStoreDB', () => {
  leasesIn(() => EventStoreDouble.start(), false);
});
withEventStore('leases in EventStoreDB', (start) => leasesIn(start, true));
