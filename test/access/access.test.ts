import { describe, expect, it } from 'vitest';
import { Access } from '../../src/access/access.ts';
import type { ApiKey } from '../../src/domain/api-keys.ts';
import { catalog } from '../../src/domain/catalog.ts';
import type { CorpusSettings, DomainEvent } from '../../src/domain/events.ts';
import { MemoryLimiter } from '../../src/read-models/memory-limiter.ts';
import { ManualClock } from '../support/manual-clock.ts';

const settings: CorpusSettings = {
  title: 'T',
  description: null,
  languages: ['en'],
  styles: [],
  layers: [{ name: 'main', title: null, kind: 'text', visibility: 'public' }],
};
const corpora: DomainEvent[] = [
  ...['main', 'side', 'third', 'closed'].map((corpus_id) => ({
    type: 'CorpusRegistered' as const,
    data: { corpus_id, settings },
  })),
  { type: 'CorpusDeactivated', data: { corpus_id: 'closed' } },
];
const key = (corpus_ids: string[] = []): ApiKey => ({
  key_id: 1,
  name: 'k',
  owner_email: null,
  prefix: 'dk_1234567',
  hash: '00',
  corpus_ids,
  rate_limit_rpm: 2,
  rate_limit_rph: 3,
  created_at: '2026-01-01T00:00:00.000Z',
  created_by: 'olga',
  revoked_at: null,
  revoked_by: null,
});

function open(
  isPublic = true,
  publicLimits = { perMinute: 1, perHour: 10 },
  events: DomainEvent[] = corpora,
) {
  const clock = new ManualClock();
  const access = new Access({
    clock,
    secret: () => Buffer.alloc(32, 1),
    keys: { find: (text) => (text === 'good' ? key() : null) },
    limiter: new MemoryLimiter({ elapsedMs: () => clock.now().getTime() }),
    catalog: async () => events.reduce((state, event) => catalog.evolve(state, event), catalog.initial),
    defaultCorpus: 'main',
    isPublic,
    publicLimits,
  });
  return { access, clock };
}
const refused = (code: string) => expect.objectContaining({ name: 'Failure', code });

it('a key is one subject; without a key, a network is one subject for a day', () => {
  const { access, clock } = open();
  const subjects = () => [key(), null].map((one) => access.subject(one, '10.0.0.1:80'));
  const [byKey, byNetwork] = subjects();
  expect(byKey).toBe('key:1');
  expect(byNetwork).toBe(access.subject(null, '10.0.0.1'));
  expect(byNetwork).not.toContain('10.0.0.1');
  expect(access.subject(null, '10.0.0.2')).not.toBe(byNetwork);
  clock.ms += 86_400_000;
  expect(subjects()[0]).toBe(byKey);
  expect(subjects()[1]).not.toBe(byNetwork);
});

describe('the default corpus, if the configured one does not exist', () => {
  const corpusFor = (without: readonly string[], scope: string[] | null) => {
    const events = corpora.filter(
      (event) => !without.includes((event.data as { corpus_id: string }).corpus_id),
    );
    return open(true, undefined, events).access.corpusFor(scope && key(scope), null);
  };

  it('is the only active one', async () => {
    expect(await corpusFor(['main', 'third'], null)).toBe('side');
    expect(await corpusFor(['main', 'third'], [])).toBe('side');
  });

  it('is the only active one in the scope of a key', async () => {
    expect(await corpusFor(['main'], ['side', 'closed'])).toBe('side');
    expect(await corpusFor(['main'], ['third'])).toBe('third');
  });

  it('must be given if there are several; those available to the caller are listed', async () => {
    const listed = (choices: string) =>
      expect.objectContaining({
        code: 'not_found',
        detail: `The default corpus "main" is not active: set corpus_id to one of these (${choices}).`,
      });
    await expect(corpusFor(['main'], null)).rejects.toEqual(listed('side, third'));
    await expect(corpusFor(['main'], ['third', 'side', 'none'])).rejects.toEqual(listed('side, third'));
  });

  it('is missing if there are no corpora', async () => {
    await expect(corpusFor(['main', 'side', 'third'], null)).rejects.toThrow(
      'There is no active corpus "main", and there are no others.',
    );
  });

  it('the error for an unknown corpus lists the existing ones', async () => {
    const { access } = open();
    const listed = (choices: string) =>
      `There is no active corpus "nope": specify an existing one (${choices}).`;
    await expect(access.corpusFor(null, 'nope')).rejects.toThrow(listed('main, side, third'));
    await expect(access.corpusFor(key(['nope', 'side', 'closed']), 'nope')).rejects.toThrow(listed('side'));
  });
});

describe('a caller', () => {
  it('needs no key if questions are public, but a key it sends must be valid', () => {
    const { access } = open();
    expect(access.authenticate(undefined)).toBeNull();
    expect(access.authenticate('good')).toMatchObject({ key_id: 1 });
    for (const text of ['', 'bad', 'good ']) expect(() => access.authenticate(text)).toThrow('not valid');
  });

  it('needs a key if questions are not public', () => {
    const { access } = open(false);
    expect(() => access.authenticate(undefined)).toThrow('x-api-key');
    expect(access.authenticate('good')).toMatchObject({ key_id: 1 });
  });
});

describe('the corpus of a question', () => {
  it.each<[string, string[] | null, string | null, string]>([
    ['the default one', null, null, 'main'],
    ['the given one', null, 'side', 'side'],
    ['the default one, for a key to all corpora', [], null, 'main'],
    ['the default one, for a key scoped to it', ['side', 'main'], null, 'main'],
    ['the only one in the scope of a key', ['side'], null, 'side'],
    ['one of several in the scope of a key', ['side', 'third'], 'third', 'third'],
  ])('is %s', async (_, scope, wanted, corpus) => {
    expect(await open().access.corpusFor(scope && key(scope), wanted)).toBe(corpus);
  });

  it.each<[string, string[] | null, string | null, string]>([
    ['a key not scoped to it', ['side'], 'main', 'forbidden'],
    ['a key not scoped to it, whether or not it exists', ['side'], 'none', 'forbidden'],
    ['a key to several corpora without a corpus_id', ['side', 'third'], null, 'forbidden'],
    ['one that does not exist', null, 'none', 'not_found'],
    ['a deactivated one', null, 'closed', 'not_found'],
    ['a deactivated one, for a key scoped to it', ['closed'], null, 'not_found'],
  ])('is rejected for %s', async (_, scope, wanted, code) => {
    await expect(open().access.corpusFor(scope && key(scope), wanted)).rejects.toEqual(refused(code));
  });
});

describe('request counting', () => {
  it('is by key, otherwise by address, and by purpose', async () => {
    const { access } = open();
    const allowed = async (...args: Parameters<Access['count']>) => (await access.count(...args))?.allowed;
    expect(await allowed('ask', null, '10.0.0.1')).toBe(true);
    expect(await allowed('ask', null, '10.0.0.1')).toBe(false);
    expect(await allowed('ask', null, '::ffff:10.0.0.1')).toBe(false);
    expect(await allowed('rate', null, '10.0.0.1')).toBe(true);
    expect(await allowed('ask', null, '10.0.0.2')).toBe(true);
    expect(await allowed('ask', key(), '10.0.0.1')).toBe(true);
    expect(await allowed('ask', key(), '10.0.0.3')).toBe(true);
    expect(await allowed('ask', key(), '10.0.0.4')).toBe(false);
  });

  it('always allows enough requests to resume an answer', async () => {
    const { access } = open();
    const resumed = async () => (await access.count('resume', null, '10.0.0.1'))?.allowed;
    for (let n = 0; n < 60; n++) expect(await resumed()).toBe(true);
    expect(await resumed()).toBe(false);
  });

  it('allows four times as much for all networks of an IPv6 block together', async () => {
    const { access } = open();
    const asked = async (network: string) => (await access.count('ask', null, network))?.allowed;
    for (let n = 0; n < 4; n++) expect(await asked(`2001:db8:1:${n}::1`)).toBe(true);
    expect(await asked('2001:db8:1:5::1')).toBe(false);
    expect(await asked('2001:db8:2:1::1')).toBe(true);
  });

  it('allows other requests in proportion to the limit of questions', () => {
    const share = (rpm: number) =>
      open(true, { perMinute: rpm, perHour: 0 }).access.clientOf(null, '2001:db8:1:2::3');
    expect(share(30)).toEqual({
      name: 'address:2001:db8:1:2::/64',
      block: 'address:2001:db8:1::/48',
      share: 1,
    });
    expect(share(600).share).toBe(10);
    expect(share(0).share).toBe(Number.POSITIVE_INFINITY);
    expect(open().access.clientOf(key(), '10.0.0.1')).toEqual({ name: 'key:1', block: null, share: 1 });
  });

  it('is skipped without a limit', async () => {
    const { access } = open(true, { perMinute: 0, perHour: 0 });
    expect(await access.count('ask', null, '10.0.0.1')).toBeNull();
  });
});
