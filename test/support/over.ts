/** An object that behaves like another except for some methods, even if that one has private fields. */
export function over<T extends object>(of: T, methods: Partial<T>): T {
  return new Proxy(of, {
    get: (target, name) => {
      if (Object.hasOwn(methods, name)) return methods[name as keyof T];
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
