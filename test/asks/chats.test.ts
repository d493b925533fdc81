import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { ReplyLost } from '../../src/asks/chat.ts';
import { Chats } from '../../src/asks/chats.ts';
import { readConfig } from '../../src/config.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { newFolder } from '../support/folder.ts';

const folder = newFolder('chats');

describe('chats', () => {
  let apps: App[] = [];
  const open = async () => {
    const app = await openApp(readConfig({ DOCENT_DATA: join(folder, 'data') }, join(folder, 'none')), {
      asksSoon: false,
    });
    await app.chats.open();
    apps.push(app);
    return app;
  };
  beforeAll(open);
  afterAll(() => Promise.all(apps.map((app) => app.close())));

  it('answer a message once', async () => {
    const chat = apps[0]!.chats.chat('telegram', 'bot', '1');
    const first = await chat.start('7', 'someone', { text: 'What?' });
    expect(first?.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await chat.start('7', 'someone', { text: 'What?' })).toBeNull();
    await first!.end(false);
    expect(await chat.start('7', 'someone', { text: 'What?' })).toBeNull();
    expect(await apps[0]!.chats.chat('telegram', 'bot', '2').start('7', 'someone', {})).not.toBeNull();
  });

  it('pass the work of a dead process to one other process, with the messages already posted', async () => {
    const dying = await open();
    const left = await dying.chats.chat('slack', 'T1', 'C1').start('1.2', 'someone', { text: 'Left?' });
    await left!.posted({ ts: '1.3' });
    await dying.caughtUp();
    const [first] = apps;
    await first!.caughtUp();
    expect(await first!.chats.takeOver('slack')).toEqual([]);
    // The process ends without closing, so its lease is no longer renewed. Closing would release it immediately.
    apps = [first!];
    await dying.close();
    const taken = await first!.chats.takeOver('slack');
    expect(taken).toMatchObject([{ task: { text: 'Left?' }, messages: { ts: '1.3' }, isTaken: true }]);
    expect(taken[0]!.request_id).not.toBe(left!.request_id);
    expect(await first!.chats.takeOver('slack')).toEqual([]);
    await taken[0]!.end(true);
    await first!.caughtUp();
    expect(await first!.chats.chat('slack', 'T1', 'C1').isKnown()).toBe(true);
  });

  it('pass on even messages posted at the last moment', async () => {
    const log = new EmbeddedLog(directLog(new LogStore(':memory:')));
    const clock = { now: () => new Date() };
    let held = true;
    const leases = { take: async () => true, isHeld: async () => held, release: async () => {} };
    let meanwhile = async () => {};
    const recordedAsks = {
      find: async () => {
        await meanwhile();
        return null;
      },
      cancel: async () => {},
    };
    const found: { chat_id: string; delivery: string; worker: string }[] = [];
    const reads = { find: async () => ({ items: found, total: found.length }) };
    const secret = () => Buffer.from('of the test');
    const open_ = () =>
      new Chats({ commands: new Commands(log, clock), reads, leases, recordedAsks, secret, clock });
    const [starved, other] = [open_(), open_()];
    const reply = await starved.chat('telegram', 'bot', '1').start('7', 'someone', { text: 'What?' });
    await reply!.posted({ ids: [], sending: 0 });
    const [started] = await log.readAll(null, 10);
    found.push(started!.data as (typeof found)[number]);
    held = false;
    // The starved process wakes while the other one reads, and records what it has sent.
    meanwhile = () => reply!.posted({ ids: [42], sending: null });
    const [taken] = await other.takeOver('telegram');
    expect(taken!.messages).toEqual({ ids: [42], sending: null });
    await expect(reply!.posted({ ids: [42, 43], sending: null })).rejects.toThrow(ReplyLost);
    await log.close();
  });

  it('hash people to stable subjects that do not reveal them', () => {
    const { chats } = apps[0]!;
    // As long as Slack's ids, because two letters could occur in a hash by chance.
    const [person, other] = ['U024BE7LHEXAMPLE', 'U024BE7LHEXAMPLF'];
    expect(chats.subject('slack', 'T1', person)).toBe(chats.subject('slack', 'T1', person));
    expect(chats.subject('slack', 'T1', person)).not.toBe(chats.subject('slack', 'T1', other));
    expect(chats.subject('slack', 'T1', person)).not.toContain(person);
  });
});
