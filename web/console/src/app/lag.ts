/** The lag of the read models, according to the latest administration reply. */
import { useSyncExternalStore } from 'react';

let lagMs = 0;
const listeners = new Set<() => void>();

export function setLag(header: string | null): void {
  if (header === null) return;
  const next = Number(header);
  if (next === lagMs || Number.isNaN(next)) return;
  lagMs = next;
  for (const listener of listeners) listener();
}

export const useLagMs = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lagMs,
  );
