/** Letters of two scripts that look alike and are confused when typing: "cтатья" with a Latin c. */
export const lookAlikes: Readonly<Record<string, string>> = {
  a: 'а',
  b: 'в',
  c: 'с',
  e: 'е',
  h: 'н',
  i: 'і',
  k: 'к',
  m: 'м',
  o: 'о',
  p: 'р',
  t: 'т',
  x: 'х',
  y: 'у',
  ə: 'ә',
};

/** The same from Cyrillic to Latin. */
export const lookAlikesBack: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(lookAlikes).map(([from, to]) => [to, from]),
);
