/** Starts the console. */
import './app/nonce.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { whenSignedOut } from './app/api.ts';
import { loadTexts, preferredLanguage } from './app/language.ts';
import { Providers } from './app/providers.tsx';
import { queryClient } from './app/query-client.ts';
import { router } from './app/router.tsx';
import { sessionQuery } from './app/session.ts';

whenSignedOut(() => {
  queryClient.setQueryData(sessionQuery.queryKey, null);
  const { pathname, search } = window.location;
  if (!pathname.startsWith('/admin/sign-in'))
    void router.navigate({ to: '/sign-in', search: { return: pathname + search } });
});

const language = preferredLanguage();
document.documentElement.lang = language;
// The page's session and data are requested while the texts load. Not awaited, because a page's file waits for this
// one.
void Promise.all([loadTexts(language), router.load()]).then(([texts]) =>
  createRoot(document.getElementById('root')!).render(
    <Providers language={language} texts={texts}>
      <RouterProvider router={router} />
    </Providers>,
  ),
);
