/** A number with its noun in the form that the language requires. */
export function plural(language: string) {
  const rules = new Intl.PluralRules(language);
  // As in app/language.ts.
  const number = new Intl.NumberFormat(language === 'kk' ? 'ru' : language);
  return (n: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }): string =>
    `${number.format(n)} ${forms[rules.select(n)] ?? forms.other}`;
}
