// biome-ignore-all lint/suspicious/noConsole: the client's own warnings are what is kept from it.
/**
 * The client warns on the console about every unknown value in a response, with parts of it, although every used value
 * is validated here, and it has no option to stop that. Answers must not appear on the console, so these warnings, and
 * only these, are dropped.
 */
let quiet: typeof console.warn | null = null;

/** Wraps `console.warn`, once. */
export function silenceClientWarnings(): void {
  if (console.warn === quiet) return;
  const warn = console.warn;
  quiet = (...said: unknown[]) => {
    if (typeof said[0] === 'string' && said[0].startsWith('Failed to validate.') && isOfClient()) return;
    warn.apply(console, said);
  };
  console.warn = quiet;
}

const isOfClient = (): boolean => /[\\/]node_modules[\\/]cohere-ai[\\/]/.test(new Error().stack ?? '');
