/**
 * What is made from the words of the languages when it is first asked for, and then kept: every process and each of its threads loads
 * these modules, and most never ask.
 */
export function whenAsked<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
