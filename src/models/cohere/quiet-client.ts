// biome-ignore-all lint/suspicious/noConsole: this wraps console.warn to drop the client's warnings.
/**
 * The client logs a warning with parts of the response for every unknown value, and has no option to disable that.
 * Answers must not appear on the console, so these warnings are dropped. Every value in use is validated here.
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
