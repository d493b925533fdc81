/** Health of the service and its parts. */
import { type Static, Type } from 'typebox';
import { orNull, record } from './schema.ts';

const ComponentState = Type.Enum(['ok', 'degraded', 'down']);
export type ComponentState = Static<typeof ComponentState>;

export const Health = record(
  'Health',
  {
    status: ComponentState,
    version: Type.String(),
    uptime_s: Type.Number(),
    reasons: Type.Array(Type.String(), {
      description: 'Why a part is degraded or down, if known.',
    }),
    components: Type.Object({
      event_log: ComponentState,
      read_models: ComponentState,
      models: ComponentState,
    }),
    projections: Type.Record(
      Type.String(),
      Type.Object({
        position: orNull(Type.String({ description: 'Opaque.' })),
        lag_ms: Type.Number(),
        lag_events: orNull(Type.Integer()),
      }),
    ),
  },
  {
    example: {
      status: 'ok',
      version: '2.0.0',
      uptime_s: 3600,
      reasons: [],
      components: { event_log: 'ok', read_models: 'ok', models: 'ok' },
      projections: { chunks: { position: '42', lag_ms: 0, lag_events: 0 } },
    },
  },
);
export type Health = Static<typeof Health>;
