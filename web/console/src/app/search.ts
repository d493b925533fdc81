/** Typed search parameters; unknown ones are dropped. */
type Kind = 'text' | 'flag' | 'whole';
type ValueOf<K extends Kind> = K extends 'text' ? string : K extends 'flag' ? boolean : number;
export type SearchOf<S extends Record<string, Kind>> = { [Name in keyof S]?: ValueOf<S[Name]> };

const readers: Record<Kind, (value: unknown) => unknown> = {
  text: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined),
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  whole: (value) => (Number.isInteger(value) ? value : undefined),
};

export const searchOf =
  <const S extends Record<string, Kind>>(shape: S) =>
  (given: Record<string, unknown>): SearchOf<S> =>
    Object.fromEntries(
      Object.entries(shape)
        .map(([name, kind]) => [name, readers[kind](given[name])])
        .filter(([, value]) => value !== undefined && value !== ''),
    );
