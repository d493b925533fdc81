/** OpenAI's client. Importing this module loads the client. */
import OpenAI from 'openai';
import { checkedFetch } from '../calls.ts';
import type { OpenAiSettings } from './settings.ts';

/**
 * Overrides every setting that the client would read from the environment, so that it prints nothing and uses only this
 * server.
 */
export const openClient = ({ baseUrl, apiKey }: Pick<OpenAiSettings, 'baseUrl' | 'apiKey'>): OpenAI =>
  new OpenAI({
    baseURL: baseUrl,
    // The client requires a key.
    apiKey: apiKey ?? 'none',
    ...(apiKey === null && { defaultHeaders: { Authorization: null } }),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    fetch: checkedFetch,
    maxRetries: 0,
    timeout: 3_600_000,
  });
