/** Fills in the placeholders in a template by name. The value of "{Name}" is capitalised. */
export const filled = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replace(/\{(\w)(\w*)\}/g, (_, first: string, rest: string) => {
    const value = String(values[first.toLowerCase() + rest]);
    return first === first.toLowerCase() ? value : value.charAt(0).toUpperCase() + value.slice(1);
  });
