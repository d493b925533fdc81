/** How much a subscription buffers for a slow reader. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Feed } from '../../src/log/eventstore/connection.ts';

const bytes = 100_000;

/** The n-th event in the client's wire format. */
const answer = (n: number) => ({
  getEvent: () => ({
    getEvent: () => ({
      getId: () => ({ getString: () => `id-${n}` }),
      getStreamIdentifier: () => ({ getStreamName_asU8: () => Buffer.from('docent.large') }),
      getStreamRevision: () => String(n),
      getCommitPosition: () => String(n),
      getPreparePosition: () => String(n),
      getMetadataMap: () => new Map([['type', 'Large']]),
      getData_asU8: () => Buffer.alloc(bytes),
      getCustomMetadata_asU8: () => Buffer.from('{}'),
    }),
  }),
});

it('a subscription buffers a few megabytes at most, even if that is only a few events', async () => {
  let sent = 0;
  const read = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      this.push(answer(sent++));
    },
  });
  const session = { read: async () => Object.assign(read, { cancel: () => read.destroy() }), retire() {} };
  const feed = new Feed(session as never, {} as never);
  const { signal } = new AbortController();
  let handed = 0;
  for (let turn = 0; turn < 3; turn++) {
    for (let waited = 0; !read.isPaused() && waited < 10_000; waited++) await setImmediate();
    expect(read.isPaused()).toBe(true);
    const messages = await feed.next(60_000, signal);
    expect(messages.length * bytes).toBeLessThanOrEqual(4 * 1024 * 1024 + bytes);
    expect(messages.map(({ revision }) => revision)).toEqual(messages.map((_, n) => handed + n));
    handed += messages.length;
  }
  feed.close();
});
