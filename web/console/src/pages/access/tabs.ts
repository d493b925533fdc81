/** The sections of access. */
import { useTexts } from '../../app/language.ts';

export function useTabs() {
  const { access } = useTexts();
  return [
    { to: '/access', label: access.keys },
    { to: '/access/chats', label: access.chats },
    { to: '/access/audit', label: access.audit },
    { to: '/access/configuration', label: access.configuration },
    { to: '/access/forgetting', label: access.forgetting },
  ] as const;
}
