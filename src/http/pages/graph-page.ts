/** The knowledge graph page. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AskView, chosenCorpus } from '../../../web/pages/ask.ts';
import { graphPage, type Shown } from '../../../web/pages/graph.ts';
import { asLanguage } from '../../../web/pages/texts.ts';
import { count, identifyIfSent } from '../auth.ts';
import { type Door, graphFor } from '../context.ts';
import { askView, readerOf, refusalBy, send } from './page.ts';

const GraphQuery = Type.Object({
  corpus: Type.Optional(Type.String()),
  lang: Type.Optional(Type.String()),
  entity: Type.Optional(Type.String()),
});
/** Maximum number of nodes drawn and listed. */
const graphNodes = 60;
/** Maximum number of other meanings shown for a name. */
const alsoMeant = 6;
const entityMax = 200;

export function graphPageRoutes(door: Door): void {
  const { server, app } = door;
  server.route({
    method: 'GET',
    url: '/graph',
    schema: { querystring: GraphQuery },
    handler: async (request, reply) => {
      const { corpus, lang, entity = '' } = request.query;
      const reader = asLanguage(lang) ?? readerOf(request);
      const asked = [...entity.trim()].slice(0, entityMax).join('');
      let view: Omit<AskView, 'query'> = { corpora: [], wanted: corpus, keyNeeded: false };
      let status = 200;
      let shown: Shown;
      try {
        identifyIfSent(app.access, request);
        view = await askView(door, request, reader, corpus);
        const chosen = chosenCorpus(view.corpora, corpus)?.corpus_id;
        if (chosen !== undefined)
          await count(door, request, reply, { corpus: chosen, channel: 'source-page' });
        shown = chosen === undefined ? { top: [] } : await shownOf(request, reply, chosen, asked);
      } catch (error) {
        const refused = refusalBy(reply, error);
        status = refused.status;
        shown = { asked, failed: refused.reason };
      }
      return send(reply, status, () => graphPage(reader, { ...view, shown }));
    },
  });

  async function shownOf(
    request: FastifyRequest,
    reply: FastifyReply,
    corpusId: string,
    asked: string,
  ): Promise<Shown> {
    const graph = graphFor(app, request, reply);
    if (asked === '') return { top: (await graph.stats([corpusId])).top_entities };
    const question = { to: null, query: null, relation: null, depth: 1 };
    const meant = await graph.query(corpusId, { ...question, entity: asked, limit: alsoMeant });
    const [id, ...others] = meant.found;
    if (id === undefined) return { asked, answer: meant, also: [] };
    const answer = await graph.query(corpusId, { ...question, entity: id, limit: graphNodes });
    return { asked, answer, also: meant.nodes.filter((node) => others.includes(node.id)) };
  }
}
