import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBits } from '../../src/text/bits.ts';
import { otherLayouts, soundKey } from '../../src/text/variants.ts';

describe('otherLayouts', () => {
  it('types Latin letters on the Russian keyboard', () => {
    expect(otherLayouts('ghbdtn')).toEqual(['привет']);
    expect(otherLayouts('J,]tlbytybt')).toEqual(['объединение']);
  });
  it('types Cyrillic letters on the English keyboard', () => {
    expect(otherLayouts('ыукмук')).toEqual(['server']);
  });
  it('knows the Kazakh upper row', () => {
    expect(otherLayouts('vtvktrtnn3r')).toEqual(['мемлекетт3к', 'мемлекеттік']);
    expect(otherLayouts('0fpf0')).toEqual(['0аза0', 'қазақ']);
  });
  it('has nothing for text without letters', () => {
    expect(otherLayouts('42')).toEqual([]);
  });
});

describe('soundKey', () => {
  it.each([
    ['хабаров', 'khabarov'],
    ['щукин', 'shchukin'],
    ['юлия', 'yuliya'],
    ['виктор', 'wiktor'],
    ['россия', 'rosiya'],
    ['макс', 'max'],
    ['федор', 'phedor'],
    ['әлия', 'aliya'],
  ])('%s sounds as %s', (cyrillic, latin) => {
    expect(soundKey(cyrillic)).toBe(soundKey(latin));
  });
  it('keeps names apart that sound apart', () => {
    expect(soundKey('москва')).not.toBe(soundKey('masha'));
  });
});

it('counts the bits of an integer', () => {
  fc.assert(
    fc.property(fc.integer(), (n) => {
      expect(countBits(n)).toBe([...(n >>> 0).toString(2)].filter((bit) => bit === '1').length);
    }),
  );
});
