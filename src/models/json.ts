/** JSON that a model or its server wrote. */
import { garbled } from './calls.ts';

/** Failure `unavailable` for what is none. */
export function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw garbled(name);
  }
}

/** What stands in a block of code that is the whole answer, or the answer. */
export const unfenced = (text: string): string =>
  /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/i.exec(text)?.[1] ?? text;
