/** The core of all modules: the history, the commands that write to it, and the read models that follow it. */
import { projections } from '../../projections/index.ts';
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Leases } from '../ports/leases.ts';
import type { ReadModelReads } from '../ports/read-model-reads.ts';
import type { PoisonedEvent } from '../ports/read-models.ts';
import type { SubjectKeys } from '../ports/subject-keys.ts';
import { CatchingUp } from './catching-up.ts';
import { Commands } from './commands.ts';
import { FreshCatalog } from './fresh-catalog.ts';
import { ReadYourWrites } from './read-your-writes.ts';

/** The adapters of the core. */
export interface CoreStores {
  log: EventLog;
  /** The keys that seal people's words. If null, the words are not sealed. */
  keys: SubjectKeys | null;
  reads: ReadModelReads;
  progress: ProjectionProgress;
  leases: Leases;
  /** The events on which projections failed. Rejects while the records or the index are unreachable. */
  poisoned(): Promise<PoisonedEvent[]>;
  /** The secret for signatures. */
  secret(): Buffer;
}

export interface Core extends CoreStores {
  clock: Clock;
  commands: Commands;
  catalog: FreshCatalog;
  catchingUp: CatchingUp;
  /** The same reads, except that each waits up to a second for this process's own writes to be included. */
  ownReads: ReadModelReads;
  /** Resolves when a projection includes this process's own writes, or after a second. */
  showsOwnWrites(projection: string): Promise<void>;
  /** Receives messages for the operator, which contain no question, prompt or secret. */
  onTrouble(sentence: string): void;
}

/** Fails with `unavailable` if the history cannot be read. */
export async function openCore(stores: CoreStores, onTrouble: Core['onTrouble']): Promise<Core> {
  const { reads, progress, keys, leases } = stores;
  const readYourWrites = new ReadYourWrites(progress, projections);
  const log = readYourWrites.track(stores.log);
  const clock: Clock = { now: () => new Date() };
  const commands = new Commands(log, clock);
  await commands.catalog.load();
  const poisoned = () => stores.poisoned();
  return {
    log,
    keys,
    reads,
    progress,
    leases,
    clock,
    commands,
    poisoned,
    onTrouble,
    secret: () => stores.secret(),
    catalog: new FreshCatalog(commands.catalog, progress),
    catchingUp: new CatchingUp({ log, progress, projections, readModels: poisoned }),
    ownReads: readYourWrites.consistentReads(reads),
    showsOwnWrites: (projection) => readYourWrites.waitFor(projection),
  };
}
