import {
  AdminCorpus,
  AdminCorpusList,
  ChangeCorpusRequest,
  CorporaQuery,
  CorpusIdPath,
  CreateCorpusRequest,
} from '../../api/corpora.ts';
import { exampleOf, pageOf } from '../../api/schema.ts';
import { languages as allLanguages, type CorpusSettings, type Layer } from '../../domain/events.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import { ValidationFailure } from '../validation.ts';
import { type AdminDoor, adminAt } from './door.ts';
import { basic, basicOrNone, operation } from './operation.ts';

const empty: AdminCorpus = {
  ...(exampleOf(AdminCorpus) as AdminCorpus),
  corpus_id: 'handbook',
  title: 'Staff handbook',
  languages: ['en'],
  layers: [{ name: 'main', title: null, kind: 'text', visibility: 'public' }],
  is_default: false,
  document_count: 0,
  chunk_count: 0,
  embedded_chunks: 0,
  embedding_coverage: 1,
  question_count: 0,
};

export function corpusRoutes(door: AdminDoor): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/corpora',
    schema: {
      ...operation('admin_corpora', 'All corpora with statistics'),
      querystring: CorporaQuery,
      response: { 200: reply('Corpora by their id, inactive ones too.', AdminCorpusList) },
    },
    config: basicOrNone,
    handler: async (request, reply) => (await adminAt(door, request, reply)).corpora(pageOf(request.query)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/corpora',
    schema: {
      ...operation('admin_create_corpus', 'Register a corpus'),
      body: CreateCorpusRequest,
      response: { 201: reply('The corpus, without documents.', AdminCorpus, { example: empty }) },
    },
    config: { ...basic, errors: [409] },
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
      response: { 200: reply('The corpus.', AdminCorpus, { example: empty }) },
    },
    config: basicOrNone,
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

/** Layers with what was left out; no name twice, and at least one. */
function layersOf(given: readonly GivenLayer[]): Layer[] {
  const fault = (msg: string, ...rest: (string | number)[]) =>
    new ValidationFailure([
      { type: 'value_error', loc: ['body', 'layers', ...rest], msg: `Value error, ${msg}` },
    ]);
  if (given.length === 0) throw fault('a corpus has at least one layer');
  const names = new Set<string>();
  return given.map(({ name, title = null, kind = 'text', visibility = 'public' }, i) => {
    if (names.has(name)) throw fault('two layers have the same name', i, 'name');
    names.add(name);
    return { name, title, kind, visibility };
  });
}
