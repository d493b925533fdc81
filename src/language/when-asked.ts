/**
 * Returns a function that computes a value on its first call. It is for values built from the languages' word files,
 * because every process and thread loads these modules but most do not use the values.
 */
export function whenAsked<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
