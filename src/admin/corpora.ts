/** Corpora in the administration. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import { activeCorpora, defaultCorpus } from '../domain/catalog.ts';
import { languages as allLanguages, type CorpusSettings, type Layer, styles } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import { ValidationFailure } from '../http/validation.ts';
import type { Doc } from '../ports/read-models.ts';
import {
  asOf,
  Count,
  exampleOf,
  Lang,
  type Listed,
  listOf,
  orNull,
  type Page,
  pageOf,
  record,
  Share,
  Time,
  wholePage,
} from '../schema.ts';
import { type AdministrationDeps, causeOf, shown } from './context.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';
import { coverageByCorpus } from './embeddings.ts';

export const CorpusIdPath = Type.Object({ corpus_id: Type.String() });
export const CorporaQuery = Type.Object({ ...wholePage, ...asOf });

const kinds = ['text', 'faq', 'superseded'] as const;
const visibilities = ['public', 'restricted'] as const;

const LayerSettings = record('LayerSettings', {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  title: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
  kind: Type.Optional(
    Type.Enum([...kinds], {
      default: 'text',
      description: 'faq: question–answer pairs; superseded: no longer in force. Default: text.',
    }),
  ),
  visibility: Type.Optional(
    Type.Enum([...visibilities], {
      default: 'public',
      description: 'restricted: never retrieved, but listed for administrators. Default: public.',
    }),
  ),
});
const corpusSettings = {
  description: Type.Optional(orNull(Type.String({ maxLength: 2000 }))),
  languages: Type.Optional(Type.Array(Type.Enum([...allLanguages]), { maxItems: allLanguages.length })),
  styles: Type.Optional(Type.Array(Type.Enum([...styles]), { maxItems: 4 })),
  layers: Type.Optional(
    Type.Array(LayerSettings, { maxItems: 50, description: 'In order of rank, highest first.' }),
  ),
};
export const CreateCorpusRequest = record('CreateCorpusRequest', {
  corpus_id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$', examples: ['handbook'] }),
  title: Type.String({ minLength: 1, maxLength: 200 }),
  ...corpusSettings,
});
export const ChangeCorpusRequest = record(
  'ChangeCorpusRequest',
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    ...corpusSettings,
    is_active: Type.Optional(Type.Boolean({ description: 'Whether questions to the corpus are answered.' })),
  },
  { description: 'Only the given fields are changed.' },
);

/** A single text, or one per language. */
const Localized = Type.Union([
  Type.String(),
  Type.Object({
    ru: Type.Optional(Type.String()),
    kk: Type.Optional(Type.String()),
    en: Type.Optional(Type.String()),
  }),
]);

export const AdminCorpus = record('AdminCorpus', {
  corpus_id: Type.String(),
  title: Localized,
  description: orNull(Localized),
  languages: Type.Array(Lang),
  styles: Type.Array(Type.Enum([...styles])),
  layers: Type.Array(
    Type.Object({
      name: Type.String(),
      title: orNull(Localized),
      kind: Type.Enum([...kinds]),
      visibility: Type.Enum([...visibilities]),
    }),
  ),
  is_active: Type.Boolean(),
  is_default: Type.Boolean(),
  document_count: Count,
  chunk_count: Count,
  embedded_chunks: Count,
  embedding_coverage: Share,
  question_count: Count,
  created_at: Time,
  updated_at: Time,
});
export type AdminCorpus = Static<typeof AdminCorpus>;
export const AdminCorpusList = listOf(AdminCorpus);

export function corpora(
  deps: Pick<AdministrationDeps, 'commands' | 'reads' | 'progress' | 'config' | 'embedder'>,
) {
  const { commands, reads, config, embedder } = deps;

  async function records(docs: readonly Doc[]): Promise<AdminCorpus[]> {
    const ids = docs.map(({ corpus_id }) => String(corpus_id));
    const [rows, counters, catalog] = await Promise.all([
      reads.coverage(embedder?.name ?? ''),
      reads.getMany(
        'stats',
        ids.map((id) => `corpus:${id}`),
      ),
      commands.catalog.load(),
    ]);
    const ofCorpus = coverageByCorpus(rows);
    const byDefault = defaultCorpus(activeCorpora(catalog), config.DOCENT_DEFAULT_CORPUS);
    return docs.map((doc, i) => {
      const { changed_at: _, ...stored } = doc as StoredCorpus;
      const { embedded_chunks, coverage } = ofCorpus(ids[i]!);
      return {
        ...stored,
        is_default: ids[i] === byDefault,
        embedded_chunks,
        embedding_coverage: coverage,
        question_count: Number(counters[i]?.asked ?? 0),
      };
    });
  }

  async function corpus(corpusId: string): Promise<AdminCorpus> {
    const doc = await reads.get('corpora', corpusId);
    if (doc === null)
      throw new Failure('unavailable', 'The corpus is registered but not visible yet.', { retryAfterS: 1 });
    return (await records([doc]))[0]!;
  }

  return {
    /** All corpora by id, including inactive ones. */
    async corpora({ limit, offset }: Page): Promise<Listed<AdminCorpus>> {
      const { items, total } = await reads.find('corpora', { limit, offset });
      return { items: await records(items), total, limit, offset };
    },

    /** Fails with `conflict` if the corpus exists, and with `invalid` if its id is malformed. */
    async createCorpus(corpus_id: string, settings: CorpusSettings, acting: Acting): Promise<AdminCorpus> {
      const { position } = await commands.catalog.execute(
        { type: 'RegisterCorpus', corpus_id, settings },
        causeOf(acting),
      );
      await shown(deps, position, 'corpora');
      return corpus(corpus_id);
    },

    /** Fails with `not_found` for an unknown corpus. */
    async changeCorpus(
      corpus_id: string,
      { is_active, ...changes }: Partial<CorpusSettings> & { is_active?: boolean },
      acting: Acting,
    ): Promise<AdminCorpus> {
      const { position } = await commands.catalog.execute(
        [
          { type: 'ChangeCorpus', corpus_id, changes },
          ...(is_active === undefined ? [] : [{ type: 'SetActive' as const, corpus_id, active: is_active }]),
        ],
        causeOf(acting),
      );
      await shown(deps, position, 'corpora');
      return corpus(corpus_id);
    },
  };
}

/** The stored form of a corpus; `changed_at` is internal. */
type StoredCorpus = Doc &
  Omit<AdminCorpus, 'is_default' | 'embedded_chunks' | 'embedding_coverage' | 'question_count'>;

export function corpusRoutes(door: AdminDoor<ReturnType<typeof corpora>>): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/corpora',
    schema: {
      ...operation('admin_corpora', 'All corpora with statistics'),
      querystring: CorporaQuery,
      response: { 200: reply('Corpora by id, including inactive ones.', AdminCorpusList) },
    },
    handler: async (request, reply) => (await adminAt(door, request, reply)).corpora(pageOf(request.query)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/corpora',
    schema: {
      ...operation('admin_create_corpus', 'Register a corpus'),
      body: CreateCorpusRequest,
      response: {
        201: reply('The corpus, without documents.', AdminCorpus, {
          example: {
            ...(exampleOf(AdminCorpus) as AdminCorpus),
            document_count: 0,
            chunk_count: 0,
            embedded_chunks: 0,
            embedding_coverage: 0,
            question_count: 0,
          },
        }),
      },
    },
    config: { errors: [409] },
    handler: async (request, reply) => {
      const { corpus_id, title, description = null, languages, styles = [], layers } = request.body;
      const settings: CorpusSettings = {
        title,
        description,
        languages: [...(languages ?? allLanguages)],
        styles: [...styles],
        layers: layersOf(layers ?? [{ name: 'main' }]),
      };
      return reply.code(201).send(await admin.createCorpus(corpus_id, settings, actingIn(request)));
    },
  });

  server.route({
    method: 'PATCH',
    url: '/admin/api/corpora/:corpus_id',
    schema: {
      ...operation('admin_change_corpus', 'Change a corpus'),
      params: CorpusIdPath,
      body: ChangeCorpusRequest,
      response: { 200: reply('The corpus.', AdminCorpus) },
    },
    handler: (request) => {
      const { layers, ...changes } = request.body;
      return admin.changeCorpus(
        request.params.corpus_id,
        { ...changes, ...(layers && { layers: layersOf(layers) }) },
        actingIn(request),
      );
    },
  });
}

type GivenLayer = Pick<Layer, 'name'> & {
  title?: string | null;
  kind?: Layer['kind'];
  visibility?: Layer['visibility'];
};

/** Fills in defaults for the layers. Requires unique names and at least one layer. */
function layersOf(given: readonly GivenLayer[]): Layer[] {
  const fault = (msg: string, ...rest: (string | number)[]) =>
    new ValidationFailure([
      { type: 'value_error', loc: ['body', 'layers', ...rest], msg: `Value error, ${msg}` },
    ]);
  if (given.length === 0) throw fault('a corpus needs at least one layer');
  const names = new Set<string>();
  return given.map(({ name, title = null, kind = 'text', visibility = 'public' }, i) => {
    if (names.has(name)) throw fault('two layers have the same name', i, 'name');
    names.add(name);
    return { name, title, kind, visibility };
  });
}
