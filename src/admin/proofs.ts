/** Proofs that an event is in the sealed history. */
import { Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import { actingIn } from '../http/auth.ts';
import { disconnected } from '../http/context.ts';
import { reply } from '../http/operation.ts';
import { sample } from '../schema.ts';
import { type AdministrationDeps, oneAtATime } from './context.ts';
import { type AdminDoor, operation } from './door.ts';

const EventPath = Type.Object({
  event_id: Type.String({ minLength: 1, maxLength: 100, examples: [sample.request_id] }),
});
const Proof = Type.String({
  examples: [
    'c2sp.org/tlog-proof@v1\nextra eyJpZCI6…\nindex 3\nq1Zk…\n\ndocent.example\n12\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— docent.example Az3grn…\n',
  ],
});

export function proofs({ audit, proveEvent }: Pick<AdministrationDeps, 'audit' | 'proveEvent'>) {
  const alone = oneAtATime('Another proof is being generated; try again shortly.', 2);
  return {
    /**
     * A proof in the format of c2sp.org/tlog-proof, with the event as stored. Fails with `not_found` if there is no such
     * event or it is not sealed yet, and with `unavailable` if this process is already making a proof. May also fail with
     * `cancelled`.
     */
    async proof(eventId: string, acting: Acting, signal: AbortSignal): Promise<string> {
      await audit.read(acting, 'history', { proof: eventId });
      return alone(() => proveEvent(eventId, signal));
    },
  };
}

export function proofRoute({ server, admin }: AdminDoor<ReturnType<typeof proofs>>): void {
  server.route({
    method: 'GET',
    url: '/admin/api/events/:event_id/proof',
    schema: {
      ...operation('admin_event_proof', 'A proof that an event is in the sealed history'),
      description:
        'In the format of c2sp.org/tlog-proof. It contains the event as stored, and can be checked without this ' +
        'service: by `docent verify proof`, or in the console. The whole history is read.',
      params: EventPath,
      response: { 200: reply('The proof.', Proof, { media: 'text/plain' }) },
    },
    handler: async (request, reply) => {
      const proof = await admin.proof(request.params.event_id, actingIn(request), disconnected(reply));
      return reply.type('text/plain; charset=utf-8').send(proof);
    },
  });
}
