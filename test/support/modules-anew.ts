/** Loads the project's modules again, as in a process that has just started. */
import { registerHooks } from 'node:module';

const root = new URL('../../', import.meta.url).href;
let times = 0;

export interface ModulesAnew {
  /** Loads a module by its path from the project root. Loads each project module that it imports once. */
  load<T>(path: string): Promise<T>;
  /** Stops further loading. */
  end(): void;
}

/**
 * `instead`: module paths, each with the path of its replacement, which may import the original. Modules loaded earlier
 * are not affected.
 */
export function modulesAnew(instead: Readonly<Record<string, string>> = {}): ModulesAnew {
  const mark = `?anew=${++times}`;
  const own = (url: string) => url.startsWith(root) && !url.includes('/node_modules/');
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const from = context.parentURL ?? '';
      if (!from.endsWith(mark) || !own(found.url)) return found;
      const path = found.url.slice(root.length);
      const other = instead[path];
      const isOriginal = other !== undefined && from === `${root}${other}${mark}`;
      return { ...found, url: `${root}${isOriginal ? path : (other ?? path)}${mark}` };
    },
  });
  return { load: (path) => import(`${root}${path}${mark}`), end: () => hooks.deregister() };
}
