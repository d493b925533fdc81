/** Cohere's client. Importing this module loads the client, which takes about 200 ms. */
import { CohereClientV2 } from 'cohere-ai';
import { checkedFetch } from '../calls.ts';
import type { CohereSettings } from './settings.ts';

/** `fetch` is the fetch function that the client uses. */
export const openClient = (
  { apiKey, baseUrl }: Pick<CohereSettings, 'apiKey' | 'baseUrl'>,
  fetch = checkedFetch,
): CohereClientV2 =>
  new CohereClientV2({
    token: apiKey,
    clientName: 'docent',
    fetch,
    ...(baseUrl !== null && { environment: baseUrl }),
  });

/** Disables the client's own retries and time-outs. */
export const requestOptions = (abortSignal: AbortSignal): Parameters<CohereClientV2['embed']>[1] => ({
  maxRetries: 0,
  timeoutInSeconds: 3600,
  abortSignal,
});

/** Escapes text that the client would interpret as the end of a stream. */
export const harmless = (text: string): string => text.replaceAll('[DONE]', '[DONE ]');
