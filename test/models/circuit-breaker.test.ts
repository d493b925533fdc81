import { beforeEach, expect, it } from 'vitest';
import { CircuitBreaker } from '../../src/models/circuit-breaker.ts';

let ms: number;
let reports: (string | null)[];
let breaker: CircuitBreaker;
beforeEach(() => {
  ms = 0;
  reports = [];
  breaker = new CircuitBreaker({
    name: 'It',
    now: () => ms,
    onChange: (why) => reports.push(why),
    failuresMax: 3,
    openMs: 1000,
    openMsMax: 3000,
  });
});

const fail = (times: number) => {
  for (let n = 0; n < times; n++) breaker.enter().failed('it is away.');
};
const refusal = () => {
  try {
    breaker.enter().left();
    return null;
  } catch (error) {
    return error;
  }
};

it('allows calls up to a number of consecutive failures', () => {
  fail(2);
  breaker.enter().succeeded();
  fail(2);
  expect(refusal()).toBeNull();
  fail(1);
  expect(refusal()).toMatchObject({ code: 'unavailable', retryAfterS: 1 });
  expect(reports).toEqual(['it is away.']);
});

it('allows a trial call after a while, whose outcome decides', () => {
  fail(3);
  ms = 1000;
  const probe = breaker.enter();
  expect(refusal()).toMatchObject({ code: 'unavailable' });
  probe.failed('still away.');
  ms = 2999;
  expect(refusal()).toMatchObject({ code: 'unavailable' });
  ms = 3000;
  breaker.enter().succeeded();
  expect(breaker.isOpen).toBe(false);
  expect(reports).toEqual(['it is away.', null]);
  fail(2);
  expect(refusal()).toBeNull();
});

it('stays open longer each time, up to a maximum', () => {
  fail(3);
  for (const forMs of [1000, 2000, 3000, 3000]) {
    ms += forMs - 1;
    expect(refusal()).not.toBeNull();
    ms += 1;
    breaker.enter().failed('away.');
  }
});

it('stays open for at least the given time', () => {
  fail(2);
  breaker.enter().failed('it rate-limited the service.', 20_000);
  ms = 19_999;
  expect(refusal()).toMatchObject({ retryAfterS: 1 });
  ms = 20_000;
  expect(refusal()).toBeNull();
});

it('allows another trial call if the first was cancelled', () => {
  fail(3);
  ms = 1000;
  breaker.enter().left();
  expect(refusal()).toBeNull();
});

it('counts each call once', () => {
  const call = breaker.enter();
  call.failed('away.');
  call.failed('away.');
  call.failed('away.');
  expect(refusal()).toBeNull();
});
