/** Search queries that a model derives from a question: few in number, and optional. */
import { expect, it } from 'vitest';
import { createQueryMaker } from '../../src/answering/search-queries.ts';
import { Failure } from '../../src/failures.ts';
import { noUsage, type StructuredModel, type StructuredRequest } from '../../src/ports/models.ts';

function asked(says: unknown) {
  const requests: StructuredRequest[] = [];
  const model: StructuredModel = {
    name: 'm',
    async complete(request, _signal, onUsage) {
      requests.push(request);
      if (says instanceof Failure) throw says;
      onUsage?.({ ...noUsage, input_tokens: 9 });
      return says;
    },
  };
  const history = [{ role: 'user' as const, content: 'Who elects the ombudsman?' }];
  const make = createQueryMaker(model, 1_500);
  return { requests, made: make('for how long?', history, 'en', new AbortController().signal) };
}

it('derives at most three search queries, distinct and different from the question', async () => {
  const { requests, made } = asked({
    queries: ['term of  the ombudsman', 'for how long?', 'term of the ombudsman', 'a', 'b', 'c', 7, ''],
  });
  expect(await made).toEqual({
    queries: ['term of the ombudsman', 'a', 'b'],
    model: 'm',
    usage: { ...noUsage, input_tokens: 9 },
  });
  expect(requests[0]).toMatchObject({ withinMs: 1_500 });
  expect(JSON.parse(requests[0]!.content).dialogue).toMatchObject([
    { content: 'Who elects the ombudsman?' },
    { content: 'for how long?' },
  ]);
});

it.each([[null], ['x'], [{}], [{ queries: 'x' }], [new Failure('timeout', 'Late.')]])(
  'derives no search queries if the model replies %j',
  async (says) => {
    expect((await asked(says).made).queries).toEqual([]);
  },
);
