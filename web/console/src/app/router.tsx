/** All routes of the console with their search parameters. Pages are loaded when they are opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { NotFound, PageError, PagePending } from '../components/page-states.tsx';
import * as access from '../pages/access/search.ts';
import * as answers from '../pages/answers/search.ts';
import * as documents from '../pages/documents/search.ts';
import * as history from '../pages/history/search.ts';
import { Overview, statsQuery } from '../pages/overview/overview.tsx';
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
  validateSearch: searchOf({ return: 'text', error: 'text' }),
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
    // Its figures are loaded while the page is rendered.
    loader: ({ location }) => void queryClient.prefetchQuery(statsQuery(location.search)),
    component: Overview,
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
  createRoute({
    getParentRoute,
    path: '/documents',
    validateSearch: documents.listSearch,
    component: lazyRouteComponent(() => import('../pages/documents/list.tsx'), 'DocumentList'),
  }),
  createRoute({
    getParentRoute,
    path: '/documents/upload',
    validateSearch: documents.uploadSearch,
    component: lazyRouteComponent(() => import('../pages/documents/upload.tsx'), 'Upload'),
  }),
  createRoute({
    getParentRoute,
    path: '/documents/corpora',
    validateSearch: documents.corporaSearch,
    component: lazyRouteComponent(() => import('../pages/documents/corpora.tsx'), 'Corpora'),
  }),
  createRoute({
    getParentRoute,
    path: '/documents/embeddings',
    validateSearch: documents.embeddingsSearch,
    component: lazyRouteComponent(() => import('../pages/documents/embeddings.tsx'), 'Embeddings'),
  }),
  createRoute({
    getParentRoute,
    path: '/answers',
    validateSearch: answers.curatedSearch,
    component: lazyRouteComponent(() => import('../pages/answers/curated.tsx'), 'Curated'),
  }),
  createRoute({
    getParentRoute,
    path: '/answers/proposals',
    component: lazyRouteComponent(() => import('../pages/answers/proposals.tsx'), 'Proposals'),
  }),
  createRoute({
    getParentRoute,
    path: '/answers/prompt',
    validateSearch: answers.promptSearch,
    component: lazyRouteComponent(() => import('../pages/answers/prompt.tsx'), 'Prompt'),
  }),
  createRoute({
    getParentRoute,
    path: '/answers/compare',
    validateSearch: answers.compareSearch,
    component: lazyRouteComponent(() => import('../pages/answers/compare.tsx'), 'Compare'),
  }),
  createRoute({
    getParentRoute,
    path: '/answers/evaluations',
    validateSearch: answers.evaluationsSearch,
    component: lazyRouteComponent(() => import('../pages/answers/evaluations.tsx'), 'Evaluations'),
  }),
  createRoute({
    getParentRoute,
    path: '/access',
    validateSearch: access.keysSearch,
    component: lazyRouteComponent(() => import('../pages/access/keys.tsx'), 'Keys'),
  }),
  createRoute({
    getParentRoute,
    path: '/access/chats',
    validateSearch: access.chatsSearch,
    component: lazyRouteComponent(() => import('../pages/access/chats.tsx'), 'Chats'),
  }),
  createRoute({
    getParentRoute,
    path: '/access/audit',
    validateSearch: access.auditSearch,
    component: lazyRouteComponent(() => import('../pages/access/audit.tsx'), 'Audit'),
  }),
  createRoute({
    getParentRoute,
    path: '/access/configuration',
    component: lazyRouteComponent(() => import('../pages/access/configuration.tsx'), 'Configuration'),
  }),
  createRoute({
    getParentRoute,
    path: '/access/forgetting',
    validateSearch: access.forgettingSearch,
    component: lazyRouteComponent(() => import('../pages/access/forgetting.tsx'), 'Forgetting'),
  }),
  createRoute({
    getParentRoute,
    path: '/history',
    validateSearch: history.eventsSearch,
    component: lazyRouteComponent(() => import('../pages/history/events.tsx'), 'Events'),
  }),
  createRoute({
    getParentRoute,
    path: '/history/live',
    validateSearch: history.liveSearch,
    component: lazyRouteComponent(() => import('../pages/history/live.tsx'), 'Live'),
  }),
  createRoute({
    getParentRoute,
    path: '/history/moments',
    validateSearch: history.momentsSearch,
    component: lazyRouteComponent(() => import('../pages/history/moments.tsx'), 'Moments'),
  }),
  createRoute({
    getParentRoute,
    path: '/history/proof',
    validateSearch: history.proofSearch,
    component: lazyRouteComponent(() => import('../pages/history/proof.tsx'), 'Proof'),
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
