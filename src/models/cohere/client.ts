/** Cohere's client. Loading this loads it, which takes some 200 ms. */
import { CohereClientV2 } from 'cohere-ai';
import { checkedFetch } from '../calls.ts';
import type { CohereSettings } from './settings.ts';

/** `fetch`: its way to the network. */
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

/** The client waits for nothing of itself. */
export const requestOptions = (abortSignal: AbortSignal): Parameters<CohereClientV2['embed']>[1] => ({
  maxRetries: 0,
  timeoutInSeconds: 3600,
  abortSignal,
});

/** What the client would take for the end of a stream. */
export const harmless = (text: string): string => text.replaceAll('[DONE]', '[DONE ]');
