/** Pages for browsers: the ask page, recorded answers, the graph, sources, and the scripts they load. */
import type { Door } from '../context.ts';
import { answerPageRoutes } from './answer-page.ts';
import { askPageRoutes } from './ask-page.ts';
import { graphPageRoutes } from './graph-page.ts';
import { scriptRoutes } from './scripts.ts';
import { sourcePageRoutes } from './source-page.ts';

export function pageRoutes(door: Door): void {
  askPageRoutes(door);
  answerPageRoutes(door);
  graphPageRoutes(door);
  scriptRoutes(door);
  sourcePageRoutes(door);
}
