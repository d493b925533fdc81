/** The sections of the history. */
import { useTexts } from '../../app/language.ts';

export function useTabs() {
  const { history } = useTexts();
  return [
    { to: '/history', label: history.events },
    { to: '/history/live', label: history.live },
    { to: '/history/moments', label: history.moments },
    { to: '/history/proof', label: history.proof },
  ] as const;
}
