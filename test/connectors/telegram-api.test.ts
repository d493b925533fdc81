import type { Telegram } from 'telegraf';
import { expect, it } from 'vitest';
import { Api } from '../../connectors/telegram/api.ts';
import { VirtualTime } from '../support/virtual-time.ts';

it('shows no typing indicator in a rate-limited chat until the limit ends', async () => {
  const time = new VirtualTime();
  const refusal = { response: { error_code: 429, description: '', parameters: { retry_after: 5 } } };
  const calls: number[] = [];
  const callApi = async () => {
    calls.push(time.ms);
    if (calls.length === 1) throw refusal;
  };
  const api = new Api({ callApi } as unknown as Telegram, { time, leave: new AbortController().signal });
  const sign = (chat_id: number) => api.decorate('sendChatAction', { chat_id, action: 'typing' });
  await sign(1);
  await sign(1);
  await sign(2);
  expect(calls).toEqual([0, 0]);
  await time.until(time.sleep(5_000));
  await sign(1);
  expect(calls).toEqual([0, 0, 5_000]);
});
