/** The Model Context Protocol over the real service, with the SDK's client and with hostile clients. */
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenedDoor, openDoor } from './admin-door.ts';

let door: OpenedDoor;
let closed: OpenedDoor;
let address: string;
const clients: Client[] = [];

const listening = async ({ server }: OpenedDoor) => {
  await server.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
};
beforeAll(async () => {
  door = await openDoor();
  closed = await openDoor({ DOCENT_PUBLIC: 'key' });
  address = await listening(door);
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await door.close();
  await closed.close();
});

async function connect(base = address, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } }) as never,
  );
  clients.push(client);
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: checked by the assertions.
type Result = any;
const call = (client: Client, name: string, args: object = {}): Promise<Result> =>
  client.callTool({ name, arguments: args as Record<string, unknown> });

test('a client lists the tools, asks a question, and reads the sources of the answer', async () => {
  const client = await connect();
  expect(client.getInstructions()).toContain('Docent');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['ask', 'find_sources', 'read_source', 'list_corpora']);
  for (const { annotations, outputSchema } of tools)
    expect([annotations?.readOnlyHint, outputSchema?.type]).toEqual([true, 'object']);

  const asked = await call(client, 'ask', { query: 'How long may a vessel moor without a fee?' });
  expect(asked.structuredContent).toMatchObject({
    answer: expect.stringContaining('three days'),
    citations: [{ ref: 'berths#1' }],
  });
  expect(JSON.parse(asked.content[0].text)).toEqual(asked.structuredContent);

  const found = await call(client, 'find_sources', { query: 'fish market', limit: 1 });
  expect(found.structuredContent).toMatchObject({ sources: [{ doc_key: 'fish' }], raw_text_included: false });
  const [{ page_url }] = found.structuredContent.sources;
  const read = await call(client, 'read_source', { page_url });
  expect(read.structuredContent).toMatchObject({
    doc_key: 'fish',
    corpus_id: 'krk_2026',
    revision: 1,
    current_revision: 1,
    part: 1,
    parts: 1,
    passage: expect.stringContaining('opens at five'),
    text: expect.stringContaining('opens at five'),
  });
  expect((await call(client, 'list_corpora')).structuredContent).toMatchObject({
    corpora: [{ corpus_id: 'krk_2026' }],
  });

  const { items } = (await door.call('GET', '/admin/api/queries')).body;
  expect(items.map(({ channel }: { channel: string }) => channel)).toEqual(['source-refs', 'mcp']);
});

test('reports errors to the model without internal details', async () => {
  const client = await connect();
  const failed = async (name: string, args: object) => {
    const { isError, content } = await call(client, name, args);
    expect([isError, content.length]).toEqual([true, 1]);
    return content[0].text;
  };
  expect(await failed('ask', {})).toMatch(/^query: /);
  expect(await failed('ask', { query: ' ' })).toMatch(/^query: /);
  expect(await failed('ask', { query: 'x'.repeat(2001) })).toMatch(/^query: /);
  expect(await failed('ask', { query: 'Berths', corpus_id: 'none' })).toContain('no active corpus "none"');
  expect(await failed('find_sources', { query: 'Berths', limit: 21 })).toMatch(/^limit: /);
  const documents = (await door.call('GET', '/admin/api/documents')).body.items;
  const plan = documents.find(({ layer }: { layer: string }) => layer === 'plans').doc_id;
  expect(await failed('read_source', { page_url: `/source/krk_2026/${plan}` })).toContain('not public');
  for (const page_url of [
    '',
    'file:///etc/passwd',
    '/admin/api/queries',
    '/source/krk_2026/99',
    '/source/%E0%A4%A/1',
  ])
    expect(await failed('read_source', { page_url })).toMatch(/not the page_url|not found/i);
  await expect(call(client, 'forget', {})).rejects.toThrow('no tool');
});

test('applies keys, corpora and limits as over HTTP', async () => {
  const base = await listening(closed);
  const made = async (body: object) => (await closed.call('POST', '/admin/api/api-keys', body)).body.key;
  await expect(connect(base)).rejects.toThrow(/key is required/);
  await expect(connect(base, { authorization: 'Bearer dk_none' })).rejects.toThrow(/not valid/);
  await expect(connect(base, { authorization: 'Basic b2xnYTp4' })).rejects.toThrow(/not valid/);
  await closed.call('POST', '/admin/api/corpora', { corpus_id: 'other', title: 'Other' });
  const scoped = await connect(base, { 'x-api-key': await made({ name: 'a', corpus_ids: ['other'] }) });
  expect((await call(scoped, 'list_corpora')).structuredContent.corpora).toMatchObject([
    { corpus_id: 'other' },
  ]);
  const forbidden = await call(scoped, 'ask', { query: 'Berths', corpus_id: 'krk_2026' });
  expect(forbidden).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('not scoped') }],
  });

  const limited = await made({ name: 'b', rate_limit_rpm: 2, rate_limit_rph: 2 });
  const client = await connect(base, { authorization: `Bearer ${limited}` });
  const { structuredContent } = await call(client, 'ask', { query: 'When does the fish market open?' });
  // If questions need a key, the URL is signed, so that anyone who has it can open it.
  const { page_url } = structuredContent.sources[0];
  expect((await call(client, 'read_source', { page_url })).structuredContent).toMatchObject({
    doc_key: 'fish',
  });
  expect((await call(scoped, 'read_source', { page_url })).structuredContent).toMatchObject({
    doc_key: 'fish',
  });
  const bare = page_url.replace(/&signature.*/, '');
  expect((await call(scoped, 'read_source', { page_url: bare })).content[0].text).toContain('requires a key');
  await call(client, 'find_sources', { query: 'Berths' });
  expect(await call(client, 'ask', { query: 'Berths' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/limit of questions is exhausted.* Wait \d+ seconds\./) }],
  });
});

test('rejects other messages as the protocol requires', async () => {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const post = (payload: string, more: Record<string, string> = {}) =>
    door.server.inject({ method: 'POST', url: '/mcp', headers: { ...headers, ...more }, payload });
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ask', arguments: { query: 'x' } },
  };
  for (const method of ['GET', 'DELETE'] as const) {
    const reply = await door.server.inject({ method, url: '/mcp' });
    expect([reply.statusCode, reply.headers.allow]).toEqual([405, 'POST']);
  }
  expect((await post('{')).statusCode).toBe(422);
  expect((await post(JSON.stringify(Array(1000).fill(call)))).statusCode).toBe(422);
  expect((await post(JSON.stringify({ ...call, jsonrpc: '1.0' }))).statusCode).toBe(400);
  expect((await post(JSON.stringify(call), { accept: 'application/json' })).statusCode).toBe(406);
  expect((await post('x=1', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode).toBe(415);
  expect((await post(`"${'a'.repeat(2 * 1024 * 1024)}"`)).statusCode).toBe(413);
  expect(
    (await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))).statusCode,
  ).toBe(202);
  expect((await post(JSON.stringify({ ...call, method: 'resources/list' }))).json()).toMatchObject({
    error: { code: -32601 },
  });
  const poisoned =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}';
  expect((await post(poisoned)).json()).toMatchObject({
    error: { message: expect.stringContaining('no tool') },
  });
});
