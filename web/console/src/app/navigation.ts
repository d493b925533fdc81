/** The pages in the navigation. */
import {
  IconChecklist,
  IconFileText,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMessageQuestion,
} from '@tabler/icons-react';

export const navigation = [
  { name: 'overview', to: '/', icon: IconLayoutDashboard },
  { name: 'questions', to: '/questions', icon: IconMessageQuestion },
  { name: 'documents', to: '/documents', icon: IconFileText },
  { name: 'answers', to: '/answers', icon: IconChecklist },
  { name: 'access', to: '/access', icon: IconKey },
  { name: 'history', to: '/history', icon: IconHistory },
] as const;
