/** Parses JSON written by a model or its server. */
import { garbled } from './calls.ts';

/** Fails with `unavailable` if the JSON is invalid. */
export function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw garbled(name);
  }
}

/** The content of a code block if it is the entire answer; otherwise the answer itself. */
export const unfenced = (text: string): string =>
  /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/i.exec(text)?.[1] ?? text;
