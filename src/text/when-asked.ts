/**
 * A lazily computed value from the languages' words: every process and thread loads these modules, and most never use
 * them.
 */
export function whenAsked<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
