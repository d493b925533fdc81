/** The sections of the questions. */
import { useTexts } from '../../app/language.ts';

export function useTabs() {
  const { questions } = useTexts();
  return [
    { to: '/questions', label: questions.log },
    { to: '/questions/unanswered', label: questions.unanswered },
  ] as const;
}
