/** The signed-in administrator and their permissions. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, scripted } from './api.ts';

export interface Session {
  name: string;
  role: 'admin' | 'auditor';
  expires_at: string;
}

export interface SignInOptions {
  password: boolean;
  single_sign_on: null | { label: string };
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: { ...scripted, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  throw new ApiError(response, await response.json().catch(() => null));
}

/** null: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    const response = await fetch('/admin/session', { headers: scripted });
    if (response.status === 401) return null;
    const body = await response.json().catch(() => null);
    if (!response.ok) throw new ApiError(response, body);
    return body;
  },
  staleTime: 60_000,
});

export const signInOptionsQuery = queryOptions({
  queryKey: ['session', 'options'],
  queryFn: async (): Promise<SignInOptions> => (await send('GET', '/admin/session/options')).json(),
  staleTime: 60_000,
});

export const signIn = async (given: { name: string; password: string }): Promise<Session> =>
  (await send('POST', '/admin/session', given)).json();

export const signOut = async (): Promise<void> => {
  await send('DELETE', '/admin/session');
};

/** The session, for components inside the shell, where somebody is signed in. */
export function useSession() {
  const { data } = useQuery(sessionQuery);
  return {
    name: data?.name ?? '',
    role: data?.role ?? 'auditor',
    can: (_what: 'write'): boolean => data?.role === 'admin',
  };
}
