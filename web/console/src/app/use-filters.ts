/** Changes to the URL: a new search replaces the browser's history entry, an opened drawer adds one. */
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Search } from '../components/filter-bar.tsx';

export function useSearchChange() {
  const navigate = useNavigate();
  return useCallback(
    (change: Search, { adds = false } = {}) =>
      navigate({ to: '.', search: ((known: Search) => ({ ...known, ...change })) as never, replace: !adds }),
    [navigate],
  );
}
