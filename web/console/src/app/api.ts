/** The typed client of the administration API, and the service's state according to its replies. */
import createClient from 'openapi-fetch';
import type { components, paths } from '../api/schema.d.ts';
import { setLag } from './lag.ts';

export type Schema = components['schemas'];

/** An unsuccessful reply. `detail` is the service's own message. */
export class ApiError extends Error {
  readonly status: number;
  readonly retryAfterS: number | null;
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    super(detailOf(body) ?? `HTTP ${response.status}`);
    this.status = response.status;
    this.body = body;
    const retry = Number(response.headers.get('retry-after'));
    this.retryAfterS = retry > 0 ? retry : null;
  }
}

/** `detail` is a sentence, or a list of errors in the request, each with its field. */
export function detailOf(body: unknown): string | null {
  const { detail } = (body ?? {}) as { detail?: unknown };
  if (typeof detail === 'string') return detail;
  if (!Array.isArray(detail)) return null;
  return detail
    .map(({ loc, msg }: { loc?: unknown[]; msg?: string }) => {
      const field = loc?.slice(1).join('.') ?? '';
      const words = msg?.replace(/^Value error, /, '') ?? '';
      return field === '' ? words : `${field}: ${words}`;
    })
    .join('; ');
}

/** Called when a reply says that nobody is signed in. */
let onSignedOut: () => void = () => {};
export const whenSignedOut = (listener: () => void): void => {
  onSignedOut = listener;
};
export const signedOut = (): void => onSignedOut();

/** Marks requests made by a script; otherwise the browser would ask for a password over the page. */
export const scripted = { 'x-requested-with': 'docent-console' };

export const api = createClient<paths>({ baseUrl: '', headers: scripted });
api.use({
  onResponse({ response, schemaPath }) {
    setLag(response.headers.get('x-read-models-lag-ms'));
    // Other routes may require a key, so a 401 there says nothing about the session.
    if (response.status === 401 && schemaPath.startsWith('/admin/')) signedOut();
  },
});

interface Answered<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The JSON of a successful reply; throws ApiError for any other reply. */
export async function taken<T>(answered: Promise<Answered<T>>): Promise<Exclude<T, string>> {
  const { data, error, response } = await answered;
  if (!response.ok) throw new ApiError(response, error);
  return data as Exclude<T, string>;
}

/** A query string of the defined values. */
export function queryOf(values: Record<string, string | number | boolean | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) params.set(name, String(value));
  return params.size === 0 ? '' : `?${params}`;
}
