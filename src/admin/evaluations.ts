/** The reports stored by `docent eval --keep`, and comparisons between two of them. */
import { Type } from 'typebox';
import { reply } from '../http/operation.ts';
import { Count, NullableText, orNull, type Page, page, pageOf, record, Time } from '../schema.ts';
import type { AdministrationDeps } from './context.ts';
import { type AdminDoor, operation } from './door.ts';

const Name = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' });
const MaybeNumber = orNull(Type.Number());

export const EvaluationPath = Type.Object({ name: Name });
export const EvaluationQuery = Type.Object({
  ...page(500),
  against: Type.Optional({ ...Name, description: 'An earlier report to compare with.' }),
});

const evaluation = {
  name: Type.String(),
  set: Type.String({ description: 'The file that contains the questions.' }),
  at: Time,
  version: Type.String({ description: 'Version of Docent.' }),
  service: Type.String({ description: 'embedded, or the address of the evaluated server.' }),
  questions: Count,
  figures: Type.Record(Type.String(), MaybeNumber, {
    description: 'A figure is null if the set has no data for it.',
  }),
};
export const Evaluation = record('Evaluation', evaluation);
export const EvaluationList = record('EvaluationList', { items: Type.Array(Evaluation) });

const EvaluatedQuestion = record('EvaluatedQuestion', {
  id: Type.String(),
  query: Type.String(),
  corpus: NullableText,
  category: NullableText,
  request_id: NullableText,
  answer: Type.String(),
  mode: NullableText,
  verdict: NullableText,
  why: Type.String(),
  ms: Type.Number(),
  scores: Type.Record(Type.String(), Type.Number()),
  failed: Type.Optional(Type.String({ description: 'Why there is no answer.' })),
});

const EvaluationComparison = record('EvaluationComparison', {
  questions: { ...Count, description: 'Questions in both runs.' },
  left_out: Count,
  figures: Type.Array(
    Type.Object({
      name: Type.String(),
      before: MaybeNumber,
      after: MaybeNumber,
      interval: orNull(Type.Object({ low: Type.Number(), high: Type.Number() }), {
        description: '95% interval of the difference (paired bootstrap); null if unknown.',
      }),
      significant: Type.Boolean({ description: 'Whether the interval excludes zero.' }),
    }),
  ),
  changed: Type.Array(
    Type.Object({ id: Type.String(), query: Type.String(), before: Type.String(), after: Type.String() }),
    { description: 'Questions with a different verdict, score or mode.' },
  ),
  reworded: { ...Count, description: 'Other questions with a differently worded answer.' },
});

export const EvaluationReport = record('EvaluationReport', {
  ...evaluation,
  rows: Type.Array(EvaluatedQuestion, { description: 'A page of questions, in the order of the set.' }),
  comparison: orNull(EvaluationComparison, {
    description: 'The differences from the report `against`; null if none was named.',
  }),
});

export const evaluations = ({ evaluations: kept }: Pick<AdministrationDeps, 'evaluations'>) => ({
  /** The stored reports, latest first. */
  evaluations: async () => ({ items: await kept.list() }),
  /** Fails with `not_found` for an unknown report. */
  evaluation: (name: string, page: Page & { against: string | null }) => kept.read(name, page),
});

export function evaluationRoutes({ server, admin }: AdminDoor<ReturnType<typeof evaluations>>): void {
  server.route({
    method: 'GET',
    url: '/admin/api/evaluations',
    schema: {
      ...operation('admin_evaluations', 'Stored reports of docent eval'),
      description: "The reports in this instance's data folder.",
      response: { 200: reply('Latest report first.', EvaluationList) },
    },
    config: { errors: [] },
    handler: () => admin.evaluations(),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/evaluations/:name',
    schema: {
      ...operation('admin_evaluation', 'A report of docent eval, compared with another'),
      params: EvaluationPath,
      querystring: EvaluationQuery,
      response: { 200: reply('The report.', EvaluationReport) },
    },
    handler: ({ params, query }) =>
      admin.evaluation(params.name, { ...pageOf(query), against: query.against ?? null }),
  });
}
