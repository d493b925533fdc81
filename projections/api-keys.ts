/** API key usage, counted from asks. The properties and permissions of a key come from the key's own stream. */
import type { Write } from '../src/ports/read-models.ts';
import type { Projection } from './runner.ts';

const collection = 'api_keys';

function used({ key_id, asked_at }: { key_id: number | null; asked_at: string }): Write[] {
  if (key_id === null) return [];
  const key = String(key_id);
  return [
    { op: 'merge', collection, key, doc: { key_id, last_used_at: asked_at } },
    { op: 'increment', collection, key, by: { request_count: 1 } },
  ];
}

export const apiKeys: Projection = {
  name: 'api_keys',
  version: 1,
  collections: [{ name: collection, fields: {} }],
  on: { QuestionAsked: ({ data }) => used(data), SourcesLookedUp: ({ data }) => used(data) },
};
