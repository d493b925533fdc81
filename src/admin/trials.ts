/**
 * Trials: a question is answered with different settings, to compare answers. It is processed like any other question,
 * but skips the caches and is not recorded as a question; only the fact of the trial is recorded. Model costs are
 * counted as usual.
 */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import type { TrialSettings } from '../asks/ask-port.ts';
import { styles } from '../domain/events.ts';
import { AskRequest, AskResponse } from '../http/ask-schemas.ts';
import { actingIn } from '../http/auth.ts';
import { disconnected } from '../http/context.ts';
import { reply } from '../http/operation.ts';
import { wholeAnswer } from '../http/whole-answer.ts';
import { orNull, record } from '../schema.ts';
import { type AdministrationDeps, oneAtATime } from './context.ts';
import { type AdminDoor, operation } from './door.ts';
import { promptCharactersMax } from './settings.ts';

export const TrialRequest = record('TrialRequest', {
  query: AskRequest.properties.query,
  corpus_id: Type.String({ minLength: 1, maxLength: 100 }),
  style: Type.Optional(orNull(Type.Enum([...styles]))),
  history: AskRequest.properties.history,
  model: Type.Enum(['none', 'configured'], {
    description: "none: no models; configured: the service's models, if it has any.",
  }),
  system_prompt: Type.Optional(
    orNull(
      Type.String({
        minLength: 1,
        maxLength: promptCharactersMax,
        'x-not-blank': true,
        description: 'A prompt to use instead of the one in force.',
      }),
    ),
  ),
});

export const Trial = record('Trial', {
  ...AskResponse.properties,
  timings: Type.Record(Type.String(), Type.Number(), { description: 'Milliseconds by stage.' }),
});
export type Trial = Static<typeof Trial>;

const subject = 'trial';

export function trials({
  recordTrial,
  trial,
  checkReady,
}: Pick<AdministrationDeps, 'recordTrial' | 'trial' | 'checkReady'>) {
  const alone = oneAtATime('Another trial is running.', 1);

  return {
    /**
     * Answers a question. Only one trial runs at a time in this process. Fails with `not_found` if the corpus is unknown
     * or inactive, and with `unavailable` if another trial is running or the question cannot be answered now. May also
     * fail with `cancelled`.
     */
    async try(
      {
        query,
        corpus_id,
        style = null,
        history = [],
        model,
        system_prompt: prompt = null,
      }: Static<typeof TrialRequest>,
      acting: Acting,
      signal: AbortSignal,
    ): Promise<Trial> {
      checkReady();
      return alone(async () => {
        await recordTrial(acting, { corpus_id, style, model, own_prompt: prompt !== null });
        const timings: Record<string, number> = {};
        const onStages: TrialSettings['onStages'] = (_, stages) => {
          for (const [stage, ms] of stages) timings[stage] = Math.round(ms * 10) / 10;
        };
        const caller = { actor: `admin:${acting.name}`, key_id: null, subject };
        const { request_id } = acting;
        const question = { request_id, query, corpus_id, style, history, channel: 'http' as const, caller };
        const parts = trial(question, { model: model === 'configured', prompt, onStages }, signal);
        const answer = await wholeAnswer(query, parts);
        return { ...answer, timings };
      });
    },
  };
}

export function trialRoutes({ server, admin }: AdminDoor<ReturnType<typeof trials>>): void {
  server.route({
    method: 'POST',
    url: '/admin/api/trials',
    schema: {
      ...operation('admin_try_question', 'Answer a question with different settings'),
      description:
        'Used to compare answers. The question skips the caches and appears neither in the query log nor in the ' +
        'statistics; the audit log records the trial. A process runs one trial at a time.',
      body: TrialRequest,
      response: { 200: reply('The answer.', Trial) },
    },
    config: { errors: [404, 504] },
    handler: (request, reply) => admin.try(request.body, actingIn(request), disconnected(reply)),
  });
}
