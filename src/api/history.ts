/** The history as auditors read it: events as they are stored. */
import { type Static, Type } from 'typebox';
import { eventSchemas } from '../domain/events.ts';
import * as sample from './sample.ts';
import { exampleOf, filter, orNull, record, Time, timeRange } from './schema.ts';

const Position = Type.String({
  pattern: '^\\d{16}$|^\\d{20}/\\d{20}$',
  description: 'A position in the history, as given in events.',
});

const narrowed = {
  stream: filter('Only events of this stream.'),
  type: Type.Optional(Type.Enum(Object.keys(eventSchemas), { description: 'Only events of this type.' })),
  actor: filter('Only events by this actor: admin:<name>, key:<id>, public or system.'),
  correlation_id: filter('Only events of this request.'),
};

export const HistoryQuery = Type.Object({
  position: Type.Optional({ ...Position, description: 'Where to continue: `next` of the previous page.' }),
  direction: Type.Optional(
    Type.Enum(['backwards', 'forwards'], {
      default: 'backwards',
      description: 'backwards: the newest first; forwards: the oldest first.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 50,
      description: 'Maximum number; fewer if events are large, as a page ends with 4 MB of them.',
    }),
  ),
  ...narrowed,
  ...timeRange,
});
export type HistoryQuery = Static<typeof HistoryQuery>;

/** What is followed: everything after a position, narrowed alike. */
export const FollowQuery = Type.Object({
  after: Type.Optional({
    ...Position,
    description: 'Events after this position; absent: only new events.',
  }),
  ...narrowed,
});
export type FollowQuery = Static<typeof FollowQuery>;

export const StreamQuery = Type.Object({
  from_revision: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 ** 31,
      default: 0,
      description: 'The first revision to return.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 50,
      description: 'Maximum number; fewer if events are large, as a page ends with 4 MB of them.',
    }),
  ),
});

export const HistoryEvent = record(
  'HistoryEvent',
  {
    position: Type.String({ description: 'Place in the history; opaque.' }),
    stream: Type.String(),
    revision: Type.Integer({ minimum: 0, description: 'Place in the stream, counted from 0.' }),
    id: Type.String(),
    type: Type.String(),
    version: orNull(Type.Integer({ description: 'Of the schema of `data`, as it was written.' })),
    time: orNull(Time),
    actor: orNull(Type.String()),
    correlation_id: orNull(Type.String({ description: 'The request it belongs to.' })),
    causation_id: orNull(Type.String({ description: 'The event that caused it.' })),
    data: Type.Unknown({ description: 'As it is stored.' }),
  },
  {
    example: {
      position: '0000000000000042',
      stream: 'api-keys',
      revision: 3,
      id: '019aa1c2-8a00-7b11-9d22-1e33f4a5b6c7',
      type: 'ApiKeyRevoked',
      version: 1,
      time: sample.earlier,
      actor: 'admin:olga',
      correlation_id: sample.requestId,
      causation_id: null,
      data: { key_id: 4, revoked_at: sample.earlier, revoked_by: 'olga' },
    },
  },
);
export type HistoryEvent = Static<typeof HistoryEvent>;

export const HistoryPage = record(
  'HistoryPage',
  {
    items: Type.Array(HistoryEvent),
    next: orNull(
      Type.String({ description: 'The `position` to continue from; null at the end of the history.' }),
    ),
    scanned: Type.Integer({
      minimum: 0,
      description: 'Events examined; a page ends after 20,000 even if it is not full.',
    }),
  },
  { example: { items: [exampleOf(HistoryEvent)], next: null, scanned: 42 } },
);
export type HistoryPage = Static<typeof HistoryPage>;

export const StreamPage = record(
  'StreamPage',
  {
    items: Type.Array(HistoryEvent),
    next: orNull(
      Type.Integer({ description: 'The `from_revision` to continue from; null at the end of the stream.' }),
    ),
  },
  { example: { items: [exampleOf(HistoryEvent)], next: null } },
);
export type StreamPage = Static<typeof StreamPage>;
