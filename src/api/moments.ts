/** Moments of the past as the administration shows them. */
import { type Static, Type } from 'typebox';
import { AsOf, Count, exampleOf, filter, NullableText, orNull, record } from './schema.ts';

export const MomentState = record(
  'Moment',
  {
    position: Type.String({ description: 'The last event included.' }),
    status: Type.Enum(['making', 'ready', 'failed']),
    events: { ...Count, description: 'Events replayed so far to build it.' },
    bytes: { ...Count, description: 'Its size on disk, once ready.' },
    error: NullableText,
  },
  {
    example: { position: '0000000000000042', status: 'ready', events: 42, bytes: 409_600, error: null },
  },
);
export const MomentList = record(
  'MomentList',
  { items: Type.Array(MomentState) },
  {
    example: {
      items: [{ position: '0000000000000042', status: 'ready', events: 42, bytes: 409_600, error: null }],
    },
  },
);
export type MomentList = Static<typeof MomentList>;

const compared = (description: string) => ({ ...AsOf, description });

/** Two moments, and which of their changes are told. */
export const DiffQuery = Type.Object({
  from: compared('The first moment: a position, or the end of a day (UTC) or RFC 3339 time.'),
  to: compared('The second moment, likewise.'),
  projection: filter('Only this one of the read models: documents, chunks, corpora, queries, …'),
  offset: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: 2 ** 31, default: 0 },
      description: 'Where to continue: `next` of the previous page, with its positions as `from` and `to`.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 500, default: 50 },
      description:
        'Maximum number; fewer if changes are large: a page ends with 4 MB of them, or after 20,000 entries ' +
        'compared.',
    }),
  ),
});

export const MomentChange = record(
  'MomentChange',
  {
    projection: Type.String(),
    name: Type.String({ description: 'Which entry of its read models.' }),
    kind: Type.Enum(['surplus', 'missing', 'changed'], {
      description:
        'surplus: only at the second moment; missing: only at the first; changed: at both, but different.',
    }),
    fields: Type.Array(Type.String(), {
      description: 'The fields that differ; empty unless it was changed.',
    }),
    before: Type.Unknown({ description: 'Its value at the first moment; null: it did not exist.' }),
    after: Type.Unknown({ description: 'Its value at the second moment; null: it does not exist.' }),
  },
  {
    example: {
      projection: 'api-keys',
      name: 'record api_keys 0000000004',
      kind: 'changed',
      fields: ['doc.revoked_by'],
      before: { id: 4, doc: { key_id: 4, revoked_by: null } },
      after: { id: 4, doc: { key_id: 4, revoked_by: 'olga' } },
    },
  },
);

export const MomentChanges = record(
  'MomentChanges',
  {
    from: Type.String({ description: 'The position of the first moment.' }),
    to: Type.String({ description: 'The position of the second.' }),
    items: Type.Array(MomentChange),
    next: orNull(
      Type.Integer({ minimum: 0, description: 'The `offset` to continue from; null at the end.' }),
    ),
    compared: { ...Count, description: 'Entries that were compared for this page.' },
  },
  {
    example: {
      ...{ from: '0000000000000042', to: '0000000000000057' },
      ...{ items: [exampleOf(MomentChange)], next: null, compared: 1_204 },
    },
  },
);
export type MomentChanges = Static<typeof MomentChanges>;
