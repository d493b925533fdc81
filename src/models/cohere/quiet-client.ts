// biome-ignore-all lint/suspicious/noConsole: the client's own warnings are what is kept from it.
/**
 * The client prints a warning for whatever it does not know in what comes, with pieces of it, though all that is used is
 * checked here; it has no switch for that. Nothing of an answer belongs on the console: these warnings, and no others, are
 * dropped.
 */
let quiet: typeof console.warn | null = null;

/** Puts itself before `console.warn`, once. */
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
