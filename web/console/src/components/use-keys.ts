/** The keys, and their names. */
import { useQuery } from '@tanstack/react-query';
import { api, taken } from '../app/api.ts';

export function useKeys(enabled = true) {
  return useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => taken(api.GET('/admin/api/api-keys', { signal })),
    enabled,
  });
}

/** The name of a key, or its number until the name is known; null: there is no key. */
export function useKeyName(keyId: number | null): string | null {
  const { data } = useKeys(keyId !== null);
  return keyId === null ? null : (data?.items.find(({ key_id }) => key_id === keyId)?.name ?? `${keyId}`);
}
