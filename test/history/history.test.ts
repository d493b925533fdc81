/** A sealed history over each log: verified, exported, imported, proved, and tampered with. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { copyHistory } from '../../src/event-sourcing/copy-history.ts';
import { readCheckpoint, signCheckpoint } from '../../src/history/checkpoint.ts';
import { eventLeaf } from '../../src/history/event-leaf.ts';
import { exportedLines, exportedLog, exportLines, fromLine, toLine } from '../../src/history/export-file.ts';
import { HistoryCheck, type HistoryReport } from '../../src/history/history-check.ts';
import { rootOf } from '../../src/history/merkle.ts';
import { checkProof, proveConsistency, proveEvent } from '../../src/history/proofs.ts';
import { type CheckpointTarget, checkpointTarget } from '../../src/history/publish.ts';
import { SealedLog } from '../../src/history/sealed-log.ts';
import { Sealer } from '../../src/history/sealer.ts';
import { newSigningKey, readSigningKey, type SigningKey } from '../../src/history/signed-note.ts';
import { EventStoreLog } from '../../src/log/eventstore/log.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import type { EventLog, StoredEvent } from '../../src/ports/event-log.ts';
import { note, notes } from '../support/events.ts';
import { newFolder } from '../support/folder.ts';
import { withEventStore } from '../support/servers.ts';

const newKey = () => readSigningKey(newSigningKey('docent.example'));
const [key, other] = [newKey(), newKey()];

let folder: string;
const opened: EventLog[] = [];
beforeEach(() => {
  folder = newFolder('history');
});
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});

function embedded(name = 'history.sqlite'): EventLog {
  const log = new EmbeddedLog(directLog(new LogStore(join(folder, name))));
  opened.push(log);
  return log;
}

interface Sealing {
  sealer: Sealer;
  published: string[];
}

function sealerOf(
  log: EventLog,
  {
    signing = key,
    before = null,
    place,
  }: { signing?: SigningKey; before?: SigningKey | null; place?: CheckpointTarget } = {},
): Sealing {
  const published: string[] = [];
  const sealed = new SealedLog(log);
  const sealer = new Sealer({
    key: signing,
    before,
    head: (signal) => sealed.head(signal),
    commands: new Commands(log, { now: () => new Date() }),
    target: place ?? {
      publish: async (_, checkpoint) => void published.push(checkpoint),
      kept: async () => 0,
    },
    onTrouble: () => {},
    everyMs: 60_000,
  });
  return { sealer, published };
}

/** Streams of several events, sealed three times, with some events after the last seal. */
async function sealedHistory(log: EventLog): Promise<{ published: string[] }> {
  const { sealer, published } = sealerOf(log);
  for (let round = 0; round < 3; round++) {
    await log.append('catalog', round * 3 - 1, notes(3));
    for (let i = 0; i < 4; i++) await log.append(`ask-${round}-${i}`, -1, notes(2));
    await sealer.seal();
  }
  await log.append('catalog', 8, [note('after the last seal')]);
  return { published };
}

async function all(log: Pick<EventLog, 'readStored'>): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await log.readStored(events.at(-1)?.position ?? null, 7);
    if (page.length === 0) return events;
    events.push(...page);
  }
}

function check(
  events: readonly StoredEvent[],
  { trusted = [key], outside = [] }: { trusted?: SigningKey[]; outside?: string[] } = {},
): HistoryReport {
  const held = new HistoryCheck({
    trusted: trusted.map(({ verifying }) => verifying),
    outside: outside.map((text) => readCheckpoint(text)!),
  });
  for (const event of events) held.add(event);
  return held.finish();
}

const kinds = ({ problems }: HistoryReport) => [...new Set(problems.map(({ kind }) => kind))];

async function exported(log: EventLog): Promise<string> {
  const path = join(folder, 'export.jsonl');
  let text = '';
  for await (const piece of exportLines(log)) text += piece.text;
  writeFileSync(path, text);
  return path;
}

/** The operations that every log must support. */
function historySuite(name: string, open: () => EventLog): void {
  describe(name, () => {
    it('is sealed once it has grown, and can be verified', async () => {
      const log = open();
      const { published } = await sealedHistory(log);
      expect(published.map((text) => readCheckpoint(text)!.size)).toEqual([11, 23, 35]);
      const events = await all(log);
      expect(check(events, { outside: published })).toEqual({
        intact: true,
        events: 37,
        streams: 14,
        checkpoints: 3,
        sealed: 35,
        outside: 3,
        problems: [],
        more: 0,
      });
      const { sealer, published: again } = sealerOf(log);
      await sealer.seal();
      await sealer.seal();
      expect(again.map((text) => readCheckpoint(text)!.size)).toEqual([37]);
      expect((await all(log)).length).toBe(38);
    });

    it('is sealed once by several concurrent sealers', async () => {
      const log = open();
      await log.append('catalog', -1, notes(5));
      const sealers = [sealerOf(log), sealerOf(log), sealerOf(log)];
      await Promise.all(sealers.map(({ sealer }) => sealer.seal()));
      const events = await all(log);
      expect(events.map(({ type }) => type).filter((type) => type === 'HistorySealed')).toHaveLength(1);
      const published = new Set(sealers.flatMap((one) => one.published));
      expect(published.size).toBe(1);
      expect(check(events).intact).toBe(true);
    });

    it('continues under another key, signed by both', async () => {
      const log = open();
      await sealedHistory(log);
      await expect(sealerOf(log, { signing: other }).sealer.seal()).rejects.toMatchObject({
        code: 'invalid',
      });
      await sealerOf(log, { signing: other, before: key }).sealer.seal();
      const events = await all(log);
      expect(check(events, { trusted: [other] })).toMatchObject({ intact: true, sealed: 37 });
      // A verifier that trusts only the old key learns that another key is used now.
      expect(kinds(check(events, { trusted: [key] }))).toEqual(['signature']);
      expect(kinds(check(events, { trusted: [newKey()] }))).toEqual(['signature', 'unsealed']);
    });

    it('is exported and imported, and every proof remains valid', async () => {
      const log = open();
      const { published } = await sealedHistory(log);
      const path = await exported(log);
      const back = embedded('back.sqlite');
      const report = await copyHistory(exportedLog(path), back);
      expect(report).toMatchObject({ events: 37, copied: 37, verified: true });
      expect(check(await all(back), { outside: published }).intact).toBe(true);
      const [event] = await log.readStored(null, 5);
      expect(await proveEvent(back, event!.id)).toBe(await proveEvent(log, event!.id));
    });

    it('has proofs that it contains each sealed event and has only grown', async () => {
      const log = open();
      const { published } = await sealedHistory(log);
      const trusted = [key.verifying];
      const events = await all(log);
      for (const [index, { id }] of events.slice(0, 35).entries()) {
        const proof = await proveEvent(log, id);
        expect(checkProof(proof, trusted)).toMatchObject({ holds: true, index, size: 35, event: { id } });
        expect(checkProof(proof, [other.verifying])).toMatchObject({ holds: false });
        const line = Buffer.from(/^extra (.*)$/m.exec(proof)![1]!, 'base64').toString();
        const forged = Buffer.from(line.replace('a note', 'a lie!')).toString('base64');
        if (line.includes('a note'))
          expect(checkProof(proof.replace(/^extra .*$/m, `extra ${forged}`), trusted)).toMatchObject({
            holds: false,
          });
      }
      await expect(proveEvent(log, events[36]!.id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(proveEvent(log, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
      for (const checkpoint of published) {
        const proof = await proveConsistency(log, checkpoint);
        const from = readCheckpoint(checkpoint)!.size;
        expect(checkProof(proof, trusted)).toEqual({ holds: true, of: 'consistency', from, to: 35 });
        expect(checkProof(proof, [other.verifying])).toMatchObject({ holds: false });
      }
    });
  });
}

historySuite('a history in a folder', () => embedded());

withEventStore('a real EventStoreDB', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  historySuite('a history in EventStoreDB', () => {
    const log = EventStoreLog.open({ url: server.url, namespace: `history-${randomUUID()}` });
    opened.push(log);
    return log;
  });
});

describe('tampering is detected', () => {
  const rng = fc.integer({ min: 0, max: 34 });

  it.each<[string, (events: StoredEvent[], at: number) => StoredEvent[], string[]]>([
    [
      'a changed byte',
      (events, at) =>
        events.with(at, { ...events[at]!, metadata: Buffer.from(`${Buffer.from(events[at]!.metadata)} `) }),
      ['root'],
    ],
    [
      'a removed event',
      (events, at) => events.toSpliced(at, 1),
      ['revision', 'root', 'checkpoint', 'unsealed'],
    ],
    [
      'two swapped events',
      (events, at) => {
        const to = (at + 1) % 35;
        return events.with(at, events[to]!).with(to, events[at]!);
      },
      ['revision', 'root', 'checkpoint'],
    ],
    [
      'an inserted event',
      (events, at) =>
        events.toSpliced(at, 0, { ...events[at]!, id: randomUUID(), stream: 'made-up', revision: 0 }),
      ['root'],
    ],
  ])('%s', async (_, tamper, expected) => {
    const log = embedded();
    const { published } = await sealedHistory(log);
    const events = await all(log);
    fc.assert(
      fc.property(rng, (at) => {
        const report = check(tamper(events, at), { outside: published });
        expect(report.intact).toBe(false);
        expect(expected).toEqual(
          expect.arrayContaining(kinds(report).filter((kind) => kind !== 'outside' && kind !== 'short')),
        );
      }),
    );
  });

  it('a forged checkpoint', async () => {
    const log = embedded();
    await sealedHistory(log);
    const events = await all(log);
    const at = events.findLastIndex(({ type }) => type === 'HistorySealed');
    const data = JSON.parse(Buffer.from(events[at]!.data).toString());
    const withData = (change: object) =>
      events.with(at, { ...events[at]!, data: Buffer.from(JSON.stringify({ ...data, ...change })) });
    const bigger = data.checkpoint.replace('\n35\n', '\n34\n');
    expect(kinds(check(withData({ checkpoint: bigger })))).toEqual(['signature']);
    expect(kinds(check(withData({ key: other.verifying.text })))).toEqual(['signature']);
    expect(kinds(check(withData({ checkpoint: 'x' })))).toEqual(['checkpoint']);
  });

  it('a past rewritten with the old key', async () => {
    const log = embedded();
    const { published } = await sealedHistory(log);
    await sealerOf(log, { signing: other, before: key }).sealer.seal();
    // A new history, sealed with the stolen old key.
    const forged = embedded('forged.sqlite');
    await sealedHistory(forged);
    const report = check(await all(forged), { trusted: [other] });
    expect(kinds(report)).toEqual(['signature', 'unsealed']);
    expect(report.sealed).toBe(0);
    expect(kinds(check(await all(forged), { trusted: [key], outside: published }))).toEqual(['outside']);
    // The rewritten past with the current end, which the thief cannot sign.
    const [old, now] = [await all(forged), await all(log)];
    expect(kinds(check([...old.slice(0, 37), ...now.slice(37)], { trusted: [other] }))).toEqual(['root']);
  });

  const inFile = <T>(work: (file: DatabaseSync) => T): T => {
    const file = new DatabaseSync(join(folder, 'history.sqlite'));
    try {
      return work(file);
    } finally {
      file.close();
    }
  };
  interface Row {
    id: string;
    type: string;
    data: string;
  }
  /** Changes that a person with write access to the data folder could make. */
  const store = {
    /** In log order. */
    events: () =>
      inFile((file) =>
        file.prepare('SELECT id, type, data FROM events ORDER BY position').all(),
      ) as unknown as Row[],
    setData: (id: string, data: string) =>
      inFile((file) => file.prepare('UPDATE events SET data = ? WHERE id = ?').run(data, id)),
    remove: (events: readonly Row[]) =>
      inFile((file) => {
        for (const { id } of events) file.prepare('DELETE FROM events WHERE id = ?').run(id);
      }),
    /** Swaps their positions. */
    swap: (one: Row, other: Row) =>
      inFile((file) => {
        const place = file.prepare('SELECT position FROM events WHERE id = ?');
        const move = file.prepare('UPDATE events SET position = ? WHERE id = ?');
        const [a, b] = [one, other].map(({ id }) => Number(place.get(id)!.position));
        move.run(-1, one.id);
        move.run(a!, other.id);
        move.run(b!, one.id);
      }),
    /** Everything after the last seal but one; the rest looks like a complete history. */
    truncate: () => {
      const events = store.events();
      store.remove(events.slice(events.indexOf(seal(events, -2)) + 1));
    },
  };
  const seal = (events: readonly Row[], n: number) =>
    events.filter(({ type }) => type === 'HistorySealed').at(n)!;

  // EventStoreDB: taken-away.test.ts
  describe('in a live data folder', () => {
    it.each<[string, () => void, string[], RegExp]>([
      [
        'a changed byte',
        () => {
          const { id, data } = store.events()[15]!;
          store.setData(id, data.replace(/note/, 'nots'));
        },
        ['root', 'outside'],
        /^Events 12 to 23 differ from the sealed ones/,
      ],
      [
        'a missing event',
        () => store.remove([store.events()[13]!]),
        ['revision', 'root', 'outside', 'short', 'checkpoint'],
        /continues with revision \d, expected \d/,
      ],
      [
        'two swapped events of one stream',
        () => {
          const [, one, other] = store.events();
          store.swap(one!, other!);
        },
        ['revision', 'root', 'outside'],
        /^catalog continues with revision 2, expected 1/,
      ],
      [
        'two swapped events of different streams',
        () => {
          const events = store.events();
          store.swap(events[2]!, events[3]!);
        },
        ['root', 'outside'],
        /^Events 1 to 11 differ from the sealed ones/,
      ],
      ['a truncated end', () => store.truncate(), ['short'], /covers 35 events, but there are only 24/],
      [
        'a forged checkpoint',
        () => {
          const { id, data } = seal(store.events(), -1);
          store.setData(id, data.replace('\\n35\\n', '\\n34\\n'));
        },
        ['signature'],
        /checkpoint of 34 events is not signed by its key/,
      ],
    ])('reports %s', async (_name, tamper, expected, named) => {
      const log = embedded();
      const { published } = await sealedHistory(log);
      expect(check(await all(log), { outside: published }).intact).toBe(true);
      tamper();
      const report = check(await all(log), { outside: published });
      expect(report.intact).toBe(false);
      expect(expected).toEqual(expect.arrayContaining(kinds(report)));
      expect(report.problems.some(({ detail }) => named.test(detail))).toBe(true);
      // A sealer that starts over it seals nothing more, or has a different checkpoint than the stored one.
      const { sealer } = sealerOf(log);
      await sealer.seal().catch(() => {});
      expect(check(await all(log), { outside: published }).intact).toBe(false);
    });

    it('a running sealer, and one that starts with stored checkpoints, report a truncated end', async () => {
      const log = embedded();
      await log.append('catalog', -1, notes(3));
      const kept = checkpointTarget(join(folder, 'kept'));
      const { sealer } = sealerOf(log, { place: kept });
      await sealer.seal();
      await log.append('catalog', 2, notes(4));
      await sealer.seal();
      store.truncate();
      const cut = { code: 'internal', detail: expect.stringContaining('was truncated') };
      // The first time, the node may only lag; the second time, it is an error.
      await expect(sealer.seal()).rejects.toMatchObject(cut);
      expect(sealer.fault).toBeNull();
      await expect(sealer.seal()).rejects.toMatchObject(cut);
      expect(sealer.fault).toContain('no longer contains all of its 8 events');
      const { sealer: fresh } = sealerOf(log, { place: kept });
      for (let n = 0; n < 2; n++) await expect(fresh.seal()).rejects.toMatchObject(cut);
      expect(fresh.fault).toContain('has 4 events, and the last published checkpoint covers 8');
      expect(await kept.kept()).toBe(8);
      expect(await all(log)).toHaveLength(4);
      // Without a stored checkpoint, the rest is a complete history.
      const { sealer: unknowing } = sealerOf(log);
      await unknowing.seal();
      expect(unknowing.fault).toBeNull();
    });

    it('a checkpoint stored elsewhere reveals a past rewritten and sealed again with the old key', async () => {
      const log = embedded();
      const { published } = await sealedHistory(log);
      // The thief has the key, changes the first event, and seals everything again.
      const { id, data } = store.events()[0]!;
      store.setData(id, data.replace(/note/, 'lies'));
      const tree = new HistoryCheck({ trusted: [key.verifying] });
      for (const event of await all(log)) tree.add(event);
      expect(kinds(tree.finish())).toEqual(['root']);
      for (const n of [0, 1, 2]) {
        const sealed = seal(store.events(), n);
        const before = (await all(log)).slice(0, readCheckpoint(JSON.parse(sealed.data).checkpoint)!.size);
        const size = before.length;
        const root = rootOf(before.map(eventLeaf));
        const checkpoint = signCheckpoint({ origin: key.verifying.name, size, root }, key);
        store.setData(sealed.id, canonicalJson({ ...JSON.parse(sealed.data), checkpoint }));
      }
      // The history by itself is consistent.
      expect(check(await all(log)).intact).toBe(true);
      const report = check(await all(log), { outside: published });
      expect(kinds(report)).toEqual(['outside']);
      expect(report.problems[0]!.detail).toBe(
        'The first 11 events differ from those of the external checkpoint of that size.',
      );
    });
  });

  it('damage in the live history stops further sealing', async () => {
    const log = embedded();
    await sealedHistory(log);
    const { sealer } = sealerOf(log);
    await sealer.seal();
    const path = join(folder, 'history.sqlite');
    const file = new DatabaseSync(path);
    file.exec("UPDATE events SET data = replace(data, 'corpus_id', 'corpus_no') WHERE stream = 'catalog'");
    file.close();
    await log.append('catalog', 9, notes(1));
    const after = sealerOf(log);
    await expect(after.sealer.seal()).rejects.toMatchObject({ code: 'internal' });
    expect(after.sealer.fault).toContain('differs from the sealed one');
    expect(after.published).toEqual([]);
    expect(kinds(check(await all(log)))).toEqual(['root']);
  });
});

describe('an export', () => {
  it('is read line by line, and invalid events are reported', async () => {
    const log = embedded();
    await sealedHistory(log);
    const path = await exported(log);
    const lines: Buffer[] = [];
    for await (const some of exportedLines(path)) lines.push(...some);
    expect(lines.map((line) => fromLine(line)?.id)).toEqual((await all(log)).map(({ id }) => id));
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"revision":1', '"revision":one'));
    await expect(all(exportedLog(path))).rejects.toMatchObject({ code: 'invalid' });
    writeFileSync(path, text.slice(5));
    await expect(all(exportedLog(path))).rejects.toMatchObject({ code: 'invalid' });
    await expect(all(exportedLog(join(folder, 'none')))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('preserves bytes that are not text', () => {
    const data = Buffer.from([0xff, 0x00, 0x22]);
    const event = { id: 'i', stream: 's', revision: 0, type: 't', data, metadata: data, position: '' };
    expect(fromLine(Buffer.from(toLine(event)))).toEqual(event);
    expect(fromLine(Buffer.from(toLine({ ...event, data: Buffer.from('{}\n') })))?.data).toEqual(
      Buffer.from('{}\n'),
    );
  });
});
