/** The FAQ cache: questions that are answered at once, as long as the sources of their answers stay what they are. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
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
  sample,
  Time,
  wholePage,
} from '../schema.ts';
import { type AdministrationDeps, causeOf } from './context.ts';
import { type AdminDoor, adminAt, basicOrNone, operation } from './door.ts';

export const FaqQuery = Type.Object({ ...wholePage, ...asOf });
export const EntryIdPath = Type.Object({ entry_id: Type.Integer() });

const pair = {
  corpus_id: 'krk_2026',
  question: 'When does the Constitution come into force?',
  answer: 'On 1 July 2026.',
};

export const FaqPairRequest = record(
  'FaqPairRequest',
  {
    corpus_id: Type.String({ maxLength: 100 }),
    question: Type.String({ minLength: 1, maxLength: 2000, 'x-not-blank': true }),
    answer: Type.String({ minLength: 1, maxLength: 20_000, 'x-not-blank': true }),
  },
  { example: pair },
);
export type FaqPairRequest = Static<typeof FaqPairRequest>;

export const FaqEntry = record(
  'FaqEntry',
  {
    entry_id: Type.Integer(),
    corpus_id: Type.String(),
    question: Type.String(),
    answer: Type.String(),
    lang: Lang,
    origin: Type.Enum(['layer', 'curated', 'repeated'], {
      description: 'A FAQ layer, an administrator, or an answer that was given several times.',
    }),
    source_refs: Type.Array(Type.String()),
    hits: Count,
    last_hit_at: orNull(Time),
    created_at: Time,
  },
  {
    example: {
      entry_id: 3,
      ...pair,
      lang: 'en',
      origin: 'curated',
      source_refs: [],
      hits: 17,
      last_hit_at: sample.now,
      created_at: sample.earlier,
    },
  },
);
export type FaqEntry = Static<typeof FaqEntry>;
export const FaqList = listOf(FaqEntry);

export interface Faq {
  /** The entries that hold now, newest first. */
  faqEntries(page: Page, acting: Acting): Promise<Listed<FaqEntry>>;
  /** Failure `not_found` for an unknown corpus; `invalid` for a pair that cannot be an entry. */
  addFaqEntry(pair: FaqPairRequest, acting: Acting): Promise<FaqEntry>;
  /** Failure `not_found` for an unknown entry. */
  removeFaqEntry(entryId: number, acting: Acting): Promise<void>;
}

export function faq({ faq: answers, audit }: Pick<AdministrationDeps, 'faq' | 'audit'>): Faq {
  return {
    async faqEntries(page, acting) {
      await audit.read(acting, 'faq_cache', {});
      return { ...(await answers.list(page)), ...page };
    },
    addFaqEntry: (pair, acting) => answers.add(pair, causeOf(acting)),
    removeFaqEntry: (entryId, acting) => answers.remove(entryId, causeOf(acting)),
  };
}

export function faqRoutes(door: AdminDoor<Faq, 'faqEntries'>): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/faq-cache',
    schema: {
      ...operation('admin_faq_cache', 'The FAQ cache'),
      querystring: FaqQuery,
      response: { 200: reply('The entries in effect.', FaqList) },
    },
    config: basicOrNone,
    handler: async (request, reply) =>
      (await adminAt(door, request, reply)).faqEntries(pageOf(request.query), actingIn(request)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/faq-cache',
    schema: {
      ...operation('admin_add_faq_entry', 'Add a question with its answer'),
      body: FaqPairRequest,
      response: { 201: reply('The entry.', FaqEntry) },
    },
    config: basicOrNone,
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
    config: basicOrNone,
    handler: async (request, reply) => {
      await admin.removeFaqEntry(request.params.entry_id, actingIn(request));
      return reply.code(204).send();
    },
  });
}
