/** Lowers the priority of background threads, so that they do not delay the threads that answer questions. */
import { constants, getPriority, setPriority } from 'node:os';

/** Lets other threads of this and other processes run first when processors are busy. */
export function giveWay(): void {
  // On other platforms, a priority applies to the whole process.
  if (process.platform !== 'linux') return;
  const { PRIORITY_BELOW_NORMAL: behind } = constants.priority;
  // A process that was started at a lower priority cannot raise it.
  if (getPriority() < behind) setPriority(0, behind);
}
