/** Every address of the console, with what its search may say. Pages are loaded when they are opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { NotFound, PageError, PagePending } from '../components/page-states.tsx';
import { overviewSearch } from '../pages/overview/search.ts';
import * as questions from '../pages/questions/search.ts';
import { queryClient } from './query-client.ts';
import { searchOf } from './search.ts';
import { sessionQuery } from './session.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf({ return: 'text' }),
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in.tsx'), 'SignIn'),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async () => {
    if ((await queryClient.ensureQueryData(sessionQuery)) !== null) return;
    const { pathname, search } = window.location;
    throw redirect({ to: '/sign-in', search: { return: pathname + search } });
  },
});
const getParentRoute = () => shell;

const pages = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: overviewSearch,
    component: lazyRouteComponent(() => import('../pages/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute,
    path: '/questions',
    validateSearch: questions.logSearch,
    component: lazyRouteComponent(() => import('../pages/questions/log.tsx'), 'QuestionLog'),
  }),
  createRoute({
    getParentRoute,
    path: '/questions/unanswered',
    validateSearch: questions.unansweredSearch,
    component: lazyRouteComponent(() => import('../pages/questions/unanswered.tsx'), 'Unanswered'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([signIn, shell.addChildren(pages)]),
  basepath: '/admin',
  defaultPendingComponent: PagePending,
  defaultPendingMs: 150,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
