import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PostedReceiver } from '../../connectors/slack/receivers.ts';

const secret = 'a secret of the test';
const body = '{"type":"url_verification","challenge":"c"}';
const receiver = new PostedReceiver(secret);

const signed = (time: string, { by = secret, of = body } = {}) =>
  `v0=${createHmac('sha256', by).update(`v0:${time}:${of}`).digest('hex')}`;
const inS = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
const post = async (time: string, signature = signed(time)) => {
  const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': signature };
  return (await receiver.receive({ ...headers, 'content-type': 'application/json' }, Buffer.from(body)))
    .status;
};

describe('a request that claims to come from Slack', () => {
  it('is accepted with a fresh signature', async () => {
    expect(await post(inS(0))).toBe(200);
    expect(await post(inS(-200))).toBe(200);
  });

  it.each([
    ['long ago', inS(-400)],
    ['with a timestamp far in the future, which would allow replays', inS(400)],
    ['without a valid timestamp', 'soon'],
    ['with an infinite timestamp', '1e400'],
  ])('is rejected if it was signed %s, even with the right secret', async (_, time) => {
    expect(await post(time)).toBe(401);
  });

  it.each([
    ['made with another secret', signed(inS(0), { by: 'another' })],
    ['for another body', signed(inS(0), { of: '{}' })],
    ['with another version', signed(inS(0)).replace('v0', 'v1')],
    ['that is too short', 'v0=ab'],
    ['that is not a signature', ''],
  ])('is rejected with a signature %s', async (_, signature) => {
    expect(await post(inS(0), signature)).toBe(401);
  });
});
