/** Moments of the past as the administration shows them. */
import { type Static, Type } from 'typebox';
import { Count, NullableText, record } from './schema.ts';

export const MomentState = record(
  'Moment',
  {
    position: Type.String({ description: 'The last event it holds.' }),
    status: Type.Enum(['making', 'ready', 'failed']),
    events: { ...Count, description: 'Events replayed so far to make it.' },
    bytes: { ...Count, description: 'What it takes on disk, once it is ready.' },
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
