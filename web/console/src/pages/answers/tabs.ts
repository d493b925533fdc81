/** The sections of the answers. */
import { useTexts } from '../../app/language.ts';

export function useTabs() {
  const { answers, compare, evaluations } = useTexts();
  return [
    { to: '/answers', label: answers.curated },
    { to: '/answers/proposals', label: answers.proposals },
    { to: '/answers/prompt', label: answers.prompt },
    { to: '/answers/compare', label: compare.tab },
    { to: '/answers/evaluations', label: evaluations.tab },
  ] as const;
}
