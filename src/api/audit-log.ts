/** The audit log: who changed what, and who read people's questions. */
import { type Static, Type } from 'typebox';
import * as sample from './sample.ts';
import { asOf, filter, format, listOf, page, record, Time, timeRange } from './schema.ts';

export const AuditLogQuery = Type.Object({
  ...asOf,
  ...page(500),
  action: filter('Only entries of this action.'),
  actor: filter("Only changes by this actor: an administrator's name; else system, public or key:<id>."),
  target: filter('Only changes to this target.'),
  ...timeRange,
  ...format,
});

export const AuditLogEntry = record(
  'AuditLogEntry',
  {
    entry_id: Type.String(),
    occurred_at: Time,
    actor: Type.String({ description: "The administrator's name; else system, public or key:<id>." }),
    action: Type.String({ examples: ['api_key.create'] }),
    target: Type.String(),
    detail: Type.Record(Type.String(), Type.Unknown()),
    request_id: Type.String(),
    position: Type.String({ description: 'Place in the history; opaque.' }),
  },
  {
    example: {
      entry_id: '019aa1c2-8a00-7b11-9d22-1e33f4a5b6c7',
      occurred_at: sample.earlier,
      actor: 'olga',
      action: 'api_key.create',
      target: '4',
      detail: {
        name: 'Portal',
        prefix: 'dk_Zx8Qw1p',
        corpus_ids: ['krk_2026'],
        rate_limit_rpm: 60,
        rate_limit_rph: 1000,
      },
      request_id: sample.requestId,
      position: '0000000000000042',
    },
  },
);
export type AuditLogEntry = Static<typeof AuditLogEntry>;
export const AuditLog = listOf(AuditLogEntry);
