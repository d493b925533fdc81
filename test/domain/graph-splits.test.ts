import { expect, it } from 'vitest';
import type { DomainEvent } from '../../src/domain/events.ts';
import { apartIn, graphSplits, splitsMax } from '../../src/domain/graph-splits.ts';
import { given } from './decider-spec.ts';

const by = { split_at: '2026-01-01T10:00:00.000Z', split_by: 'olga' };
const undone = { undone_at: '2026-01-02T10:00:00.000Z', undone_by: 'olga' };
const split = (split_id: number, key: string, corpus_id = 'law'): DomainEvent => ({
  type: 'GraphEntitySplit',
  data: { split_id, corpus_id, key, ...by },
});
const part = (key: string, corpus_id = 'law') =>
  ({ type: 'Split', split: { corpus_id, key, ...by } }) as const;
const undo = (split_id: number) => ({ type: 'Undo', split_id, ...undone }) as const;
const undoing: DomainEvent = {
  type: 'GraphSplitUndone',
  data: { split_id: 1, corpus_id: 'law', key: 'name:a', ...undone },
};

it('parts a form once in each corpus', () => {
  given(graphSplits).when(part('name:a')).then(split(1, 'name:a'));
  given(graphSplits, split(1, 'name:a')).when(part('name:a')).then();
  given(graphSplits, split(1, 'name:a'))
    .when(part('name:a', 'other'))
    .then(split(2, 'name:a', 'other'));
});

it('undoes a split, once, and a form can be parted anew under another number', () => {
  given(graphSplits, split(1, 'name:a')).when(undo(1)).then(undoing);
  given(graphSplits, split(1, 'name:a'), undoing).when(undo(1)).fails('not_found');
  given(graphSplits).when(undo(1)).fails('not_found');
  given(graphSplits, split(1, 'name:a'), undoing).when(part('name:a')).then(split(2, 'name:a'));
});

it('tells the forms of a corpus that stand apart', () => {
  const { state } = given(graphSplits, split(1, 'name:b'), split(2, 'name:a'), split(3, 'name:c', 'other'));
  expect(apartIn(state, 'law')).toEqual(['name:a', 'name:b']);
});

it('has a bound', () => {
  const many = Array.from({ length: splitsMax }, (_, n) => split(n + 1, `name:${n}`));
  const initial = many.reduce(graphSplits.evolve, graphSplits.initial);
  given({ ...graphSplits, initial })
    .when(part('name:more'))
    .fails('conflict');
});
