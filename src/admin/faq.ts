/** The FAQ cache: questions that are answered immediately, as long as the sources of their answers are unchanged. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import { questionMax } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { actingIn } from '../http/auth.ts';
import { nothing, reply } from '../http/operation.ts';
import {
  asOf,
  Count,
  Lang,
  type Listed,
  listOf,
  orNull,
  type Page,
  pageOf,
  record,
  Time,
  wholePage,
} from '../schema.ts';
import { type AdministrationDeps, causeOf } from './context.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';

export const FaqQuery = Type.Object({ ...wholePage, ...asOf });
export const EntryIdPath = Type.Object({ entry_id: Type.Integer() });

export const FaqPairRequest = record('FaqPairRequest', {
  corpus_id: Type.String({ maxLength: 100 }),
  question: Type.String({ minLength: 1, maxLength: questionMax, 'x-not-blank': true }),
  answer: Type.String({ minLength: 1, maxLength: 20_000, 'x-not-blank': true }),
});
export type FaqPairRequest = Static<typeof FaqPairRequest>;

export const FaqEntry = record('FaqEntry', {
  entry_id: Type.Integer(),
  corpus_id: Type.String(),
  question: Type.String(),
  answer: Type.String(),
  lang: Lang,
  origin: Type.Enum(['layer', 'curated', 'repeated'], {
    description: 'Origin: a FAQ layer, an administrator, or an answer that was given several times.',
  }),
  source_refs: Type.Array(Type.String()),
  hits: Count,
  last_hit_at: orNull(Time),
  created_at: Time,
});
export type FaqEntry = Static<typeof FaqEntry>;
export const FaqList = listOf(FaqEntry);

export const FaqProposal = record(
  'FaqProposal',
  {
    proposal_id: Type.Integer(),
    corpus_id: Type.String(),
    question: Type.String(),
    answer: Type.String(),
    subject: Type.String({ description: 'Opaque name of the proposer.' }),
    proposed_at: Time,
  },
  { description: 'A question and its answer, proposed by a person in a chat.' },
);
export type FaqProposal = Static<typeof FaqProposal>;
export const FaqProposalList = listOf(FaqProposal);
export const ProposalIdPath = Type.Object({ proposal_id: Type.Integer() });

export const AcceptProposalRequest = record(
  'AcceptProposalRequest',
  {
    question: Type.Optional(Type.String({ minLength: 1, maxLength: questionMax, 'x-not-blank': true })),
    answer: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000, 'x-not-blank': true })),
  },
  { description: 'The wording to use instead of the proposed one.' },
);
export type AcceptProposalRequest = Static<typeof AcceptProposalRequest>;

export function faq({ faq: answers, reads, audit }: Pick<AdministrationDeps, 'faq' | 'reads' | 'audit'>) {
  return {
    /** The valid entries, newest first. */
    async faqEntries(page: Page, acting: Acting): Promise<Listed<FaqEntry>> {
      await audit.read(acting, 'faq_cache', {});
      return { ...(await answers.list(page)), ...page };
    },
    /** Fails with `not_found` for an unknown corpus, and with `invalid` for a pair that cannot become an entry. */
    addFaqEntry: (pair: FaqPairRequest, acting: Acting): Promise<FaqEntry> =>
      answers.add(pair, causeOf(acting)),
    /** Fails with `not_found` for an unknown entry. */
    removeFaqEntry: (entryId: number, acting: Acting) => answers.remove(entryId, causeOf(acting)),
    /** The pending proposals, oldest first. */
    async faqProposals(page: Page, acting: Acting): Promise<Listed<FaqProposal>> {
      await audit.read(acting, 'faq_cache', {});
      const { items, total } = await reads.find('faq_proposals', {
        orderBy: { field: 'proposed_at' },
        ...page,
      });
      return { items: items as unknown as FaqProposal[], total, ...page };
    },
    /** Fails with `not_found` if the proposal is unknown or was already decided, and otherwise like `addFaqEntry`. */
    async acceptFaqProposal(
      proposalId: number,
      wording: AcceptProposalRequest,
      acting: Acting,
    ): Promise<FaqEntry> {
      const proposed = (await reads.get(
        'faq_proposals',
        String(proposalId),
      )) as unknown as FaqProposal | null;
      if (proposed === null) throw new Failure('not_found', `There is no pending proposal ${proposalId}.`);
      const { corpus_id, question, answer } = { ...proposed, ...wording };
      return answers.add({ corpus_id, question, answer }, causeOf(acting), proposalId);
    },
    /** Fails with `not_found` like `acceptFaqProposal`. */
    rejectFaqProposal: (proposalId: number, acting: Acting) => answers.reject(proposalId, causeOf(acting)),
  };
}

export function faqRoutes(door: AdminDoor<ReturnType<typeof faq>>): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/faq-cache',
    schema: {
      ...operation('admin_faq_cache', 'The FAQ cache'),
      querystring: FaqQuery,
      response: { 200: reply('The entries in effect.', FaqList) },
    },
    handler: async (request, reply) =>
      (await adminAt(door, request, reply)).faqEntries(pageOf(request.query), actingIn(request)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/faq-cache',
    schema: {
      ...operation('admin_add_faq_entry', 'Add a question and its answer'),
      body: FaqPairRequest,
      response: { 201: reply('The entry.', FaqEntry) },
    },
    handler: async (request, reply) =>
      reply.code(201).send(await admin.addFaqEntry(request.body, actingIn(request))),
  });

  server.route({
    method: 'DELETE',
    url: '/admin/api/faq-cache/:entry_id',
    schema: {
      ...operation('admin_remove_faq_entry', 'Remove an entry'),
      params: EntryIdPath,
      response: { 204: nothing('Removed.') },
    },
    handler: async (request, reply) => {
      await admin.removeFaqEntry(request.params.entry_id, actingIn(request));
      return reply.code(204).send();
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/faq-cache/proposals',
    schema: {
      ...operation('admin_faq_proposals', 'Answers proposed by people in chats'),
      querystring: Type.Object(wholePage),
      response: { 200: reply('Pending proposals, oldest first.', FaqProposalList) },
    },
    config: { errors: [] },
    handler: (request) => admin.faqProposals(pageOf(request.query), actingIn(request)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/faq-cache/proposals/:proposal_id/accept',
    schema: {
      ...operation('admin_accept_faq_proposal', 'Accept a proposed answer as an entry'),
      params: ProposalIdPath,
      body: AcceptProposalRequest,
      response: { 201: reply('The entry.', FaqEntry) },
    },
    handler: async (request, reply) =>
      reply
        .code(201)
        .send(await admin.acceptFaqProposal(request.params.proposal_id, request.body, actingIn(request))),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/faq-cache/proposals/:proposal_id/reject',
    schema: {
      ...operation('admin_reject_faq_proposal', 'Reject a proposed answer'),
      params: ProposalIdPath,
      response: { 204: nothing('Rejected.') },
    },
    handler: async (request, reply) => {
      await admin.rejectFaqProposal(request.params.proposal_id, actingIn(request));
      return reply.code(204).send();
    },
  });
}
