/** Latin letters that are often typed instead of similar Cyrillic ones ("cтатья" with a Latin c), mapped to these. */
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

/** The inverse mapping, from Cyrillic to Latin. */
export const lookAlikesBack: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(lookAlikes).map(([from, to]) => [to, from]),
);
