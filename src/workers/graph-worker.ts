/** A thread that holds the knowledge graphs in use and answers queries over them. */
import type { GraphQuestion } from '../graph/query.ts';
import { type GraphScope, graphLimits, KeptGraphs } from '../reads/graphs.ts';
import type { AdapterConfig } from './adapter-config.ts';
import { giveWay } from './give-way.ts';
import { openReadSide } from './open-read-models.ts';
import { servePool } from './pool.ts';

giveWay();
export default servePool((adapters: AdapterConfig) => {
  const opened = openReadSide(adapters.readModels).then((reads) => new KeptGraphs({ reads, ...graphLimits }));
  opened.catch(() => {});
  return {
    query: async (scope: GraphScope, question: GraphQuestion) => (await opened).query(scope, question),
    figures: async (scope: GraphScope, top: number) => (await opened).figures(scope, top),
    part: async (scope: GraphScope, from: number) => (await opened).part(scope, from),
  };
});
