import { expect, it } from 'vitest';
import { unlike } from '../../tools/redis-quality.ts';

const row = (set: string, embedded: number, redis: number) => ({
  ...{ set, embedded, redis },
  difference: redis - embedded,
});

it('names the sets that are ranked otherwise by more than .005, or were not measured', () => {
  const rows = [
    row('same', 0.8, 0.8),
    row('near', 0.8, 0.804),
    row('better', 0.8, 0.81),
    row('worse', 0.8, 0.79),
    row('none', Number.NaN, 0.8),
  ];
  expect(unlike(rows)).toEqual(['better', 'worse', 'none']);
});
