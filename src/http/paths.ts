/** The known paths and their methods, used for 404, 405 with `Allow`, and preflights. */
import type { RouteOptions } from 'fastify';

export class Paths {
  readonly #known: { pattern: RegExp; methods: Set<string> }[] = [];

  /** HEAD counts only for documented routes; some others answer it implicitly. */
  add({ url, method, schema }: RouteOptions): void {
    const source = url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[a-z_]+/g, '[^/]+')
      .replace('*', '.*');
    const pattern = new RegExp(`^${source}$`);
    const known = this.#known.find((path) => path.pattern.source === pattern.source);
    const methods = known?.methods ?? new Set();
    for (const name of [method].flat())
      if (name !== 'HEAD' || schema?.operationId !== undefined) methods.add(name);
    if (!known) this.#known.push({ pattern, methods });
  }

  /** The methods of a path from `pathOf`, sorted; empty for an unknown path. */
  methods(path: string): string[] {
    const methods = this.#known
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((known) => [...known.methods]);
    return [...new Set(methods)].sort();
  }
}

/** `%63` becomes `c`; invalid encodings stay unchanged. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The decoded path of a URL as matched by the router, because a path can be spelled in several ways. */
export function pathOf(url: string): string {
  return decoded(url.split('?', 1)[0] ?? url);
}
