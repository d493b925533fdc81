/**
 * Pages for browsers: the ask page, recorded answers, the graph, sources, the scripts they load, and the administration
 * console.
 */
import type { Door } from '../context.ts';
import { answerPageRoutes } from './answer-page.ts';
import { askPageRoutes } from './ask-page.ts';
import { consoleRoutes } from './console.ts';
import { graphPageRoutes } from './graph-page.ts';
import { scriptRoutes } from './scripts.ts';
import { sourcePageRoutes } from './source-page.ts';

export function pageRoutes(door: Door): void {
  askPageRoutes(door);
  answerPageRoutes(door);
  consoleRoutes(door);
  graphPageRoutes(door);
  scriptRoutes(door);
  sourcePageRoutes(door);
}
