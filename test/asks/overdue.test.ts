import { expect, test } from 'vitest';
import { OverdueAsks } from '../../src/asks/overdue.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { questionAsked } from '../support/asks.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('ends asks past their deadline once, and leaves the others to the process that runs them', async () => {
  const clock = new ManualClock('2026-11-21T10:00:00.000Z');
  const log = new EmbeddedLog(directLog(new LogStore(':memory:')));
  const commands = new Commands(log, clock);
  const deadlines = { dead: '2026-11-21T10:01:00.000Z', alive: '2026-11-21T10:05:00.000Z' };
  const items = Object.entries(deadlines).map(([request_id, deadline]) => ({ request_id, deadline }));
  for (const { request_id, deadline } of items) {
    const question = questionAsked({ request_id, asked_at: clock.now().toISOString(), deadline });
    await commands
      .ask(request_id)
      .execute({ type: 'Ask', question }, { actor: 'public', correlation_id: request_id });
  }
  const reads = { find: async () => ({ items, total: items.length }) };
  const overdue = new OverdueAsks({ reads, commands, clock, onTrouble: () => {} });
  await overdue.abandon();
  clock.ms = Date.parse('2026-11-21T10:02:00.000Z');
  await overdue.abandon();
  await overdue.abandon();
  const types = async (id: string) => (await log.readStream(`ask-${id}`)).map(({ type }) => type);
  expect(await types('dead')).toEqual(['QuestionAsked', 'AskAbandoned']);
  expect(await types('alive')).toEqual(['QuestionAsked']);
  await log.close();
});
