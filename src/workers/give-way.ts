/** Lowers the priority of background threads, so that they do not delay those that answer questions. */
import { constants, getPriority, setPriority } from 'node:os';

/** Lets the other threads of this process, and of others, go first where there are more than processors. */
export function giveWay(): void {
  // Elsewhere a priority is the whole process', not a thread's.
  if (process.platform !== 'linux') return;
  const { PRIORITY_BELOW_NORMAL: behind } = constants.priority;
  // Whoever was started behind others may not come forward.
  if (getPriority() < behind) setPriority(0, behind);
}
