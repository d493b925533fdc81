import { expect, it } from 'vitest';
import type { DomainEvent } from '../../src/domain/events.ts';
import { type SealHistory, sealing } from '../../src/domain/sealing.ts';
import { given } from './decider-spec.ts';

const sealed = (size: number, key = 'a'): DomainEvent => ({
  type: 'HistorySealed',
  data: { size, checkpoint: `of ${size}`, key },
});
const seal = (size: number, key = 'a', change: SealHistory['change'] = null): SealHistory => ({
  type: 'SealHistory',
  size,
  checkpoint: `of ${size}`,
  key,
  change,
});
const change = { from: 'a', to: 'b', note: 'signed by both' };

it('a history with new events is sealed once', () => {
  given(sealing).when(seal(5)).then(sealed(5));
  given(sealing, sealed(5)).when(seal(7)).then(sealed(7));
  given(sealing, sealed(5)).when(seal(5)).then();
  given(sealing, sealed(5), sealed(9)).when(seal(7)).then();
  expect(given(sealing, sealed(5), sealed(9)).state.last).toMatchObject({ size: 9 });
});

it('a new key needs the signature of the previous one', () => {
  given(sealing, sealed(5))
    .when(seal(7, 'b', change))
    .then({ type: 'SealingKeyChanged', data: change }, sealed(7, 'b'));
  given(sealing, sealed(5)).when(seal(7, 'b')).fails('invalid');
  given(sealing, sealed(5))
    .when(seal(7, 'c', change))
    .fails('invalid');
  given(sealing, sealed(5, 'x'))
    .when(seal(7, 'b', change))
    .fails('invalid');
  // The command includes the key change even though it is already recorded.
  given(sealing, sealed(5), sealed(6, 'b'))
    .when(seal(7, 'b', change))
    .then(sealed(7, 'b'));
});
