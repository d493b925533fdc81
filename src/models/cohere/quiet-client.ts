// biome-ignore-all lint/suspicious/noConsole: this wraps console.warn to drop the client's warnings.
/**
 * For every unknown value, the client logs a warning that contains parts of the response, and has no option to disable
 * that. Answers must not appear on the console, so these warnings are dropped. Every value that is used is validated
 * here.
 */
let quiet: typeof console.warn | null = null;

/** Wraps `console.warn`, only once. */
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
