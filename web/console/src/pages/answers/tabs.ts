/** The sections of the answers. */
import { useTexts } from '../../app/language.ts';

export function useTabs() {
  const { answers } = useTexts();
  return [
    { to: '/answers', label: answers.curated },
    { to: '/answers/proposals', label: answers.proposals },
    { to: '/answers/prompt', label: answers.prompt },
  ] as const;
}
