/** Opens the replay of a history into the read models of a folder. */
import { projections } from '../../projections/index.ts';
import { Replay } from '../history/replay.ts';
import type { EventLog } from '../ports/event-log.ts';
import { type OpenedContents, openEmbeddedContents, openEmbeddedModels } from '../read-models/read-models.ts';
import { modelPaths } from './adapter-config.ts';
import { computeVector } from './open-models.ts';

/** The stack closes what is opened. */
export function openReplay(
  opened: AsyncDisposableStack,
  log: Pick<EventLog, 'readAll'>,
  folder: string,
  signal: AbortSignal,
  onEvents: (events: number) => void,
): { replay: Replay; contents: OpenedContents } {
  const paths = modelPaths(folder);
  const models = openEmbeddedModels(paths, projections, computeVector);
  opened.defer(() => models.close());
  const contents = openEmbeddedContents(paths);
  opened.defer(() => contents.close());
  return { replay: new Replay({ log, projections, models, contents, signal, onEvents }), contents };
}
