/** A replayed answer equals the original: for the same client, from its record, and from the FAQ cache. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Part } from '../../src/app-port.ts';
import { type OpenedDoor, openDoor } from '../http/admin-door.ts';
import { partsOf } from '../support/asking.ts';

let door: OpenedDoor;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.close());

const ask = (query: string, subject: string, request_id?: string) =>
  partsOf(door.app, query, { channel: 'http', subject, ...(request_id !== undefined && { request_id }) });

/** The parts, with adjacent text joined because it may be cut anywhere. */
function whole(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text' && part.label === last.label) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined;
}
const isLabel = (part: Part) => part.type === 'text' && part.label === true;
const said = (parts: readonly Part[]) =>
  whole(parts).filter(({ type }) => type === 'text' || type === 'citation');

test('the record of an answer matches its stream, including labels and citations', async () => {
  for (const [n, query] of [
    'For how long may a vessel moor without a fee?',
    'What does article 2 say?',
    'Where are the submarines repaired?',
  ].entries()) {
    const id = `0198c0de-0000-7000-8000-00000000000${n}`;
    const streamed = await ask(query, 'a', id);
    expect(whole((await door.app.recordedAsks.find(id))?.parts ?? [])).toEqual(whole(streamed));
    if (n === 0) expect(streamed.some(isLabel)).toBe(true);
  }
});

test('an answer from the FAQ cache keeps its labels', async () => {
  const query = 'When are engines switched off?';
  const first = await ask(query, 'subject 0');
  expect(first.some(isLabel)).toBe(true);
  for (const n of [1, 2]) await ask(query, `subject ${n}`);
  const repeated = await ask(query, 'subject 3');
  expect(repeated[0]).toMatchObject({ type: 'meta', mode: 'faq' });
  expect(said(repeated)).toEqual(said(first));
});
