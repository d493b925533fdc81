/** OpenAI's client. Loading this loads it. */
import OpenAI from 'openai';
import { checkedFetch } from '../calls.ts';
import type { OpenAiSettings } from './settings.ts';

/** Whatever it would take from the environment by itself is said here: it prints nothing, and knows one server. */
export const openClient = ({ baseUrl, apiKey }: Pick<OpenAiSettings, 'baseUrl' | 'apiKey'>): OpenAI =>
  new OpenAI({
    baseURL: baseUrl,
    // It insists on one.
    apiKey: apiKey ?? 'none',
    ...(apiKey === null && { defaultHeaders: { Authorization: null } }),
    ...{ adminAPIKey: null, organization: null, project: null, webhookSecret: null },
    logLevel: 'off',
    fetch: checkedFetch,
    maxRetries: 0,
    timeout: 3_600_000,
  });
