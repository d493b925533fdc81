import { describe, expect, it } from 'vitest';
import { otherLayouts, soundKey } from '../../src/text/variants.ts';

describe('otherLayouts', () => {
  it('types Latin letters on the Russian keyboard', () => {
    expect(otherLayouts('ghbdtn')).toEqual(['привет']);
    expect(otherLayouts('J,]tlbytybt')).toEqual(['объединение']);
  });
  it('types Cyrillic letters on the English keyboard', () => {
    expect(otherLayouts('ыукмук')).toEqual(['server']);
  });
  it('handles the upper row of the Kazakh keyboard', () => {
    expect(otherLayouts('vtvktrtnn3r')).toEqual(['мемлекетт3к', 'мемлекеттік']);
    expect(otherLayouts('0fpf0')).toEqual(['0аза0', 'қазақ']);
  });
  it('returns nothing for text without letters', () => {
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
  ])('gives %s and %s the same key', (cyrillic, latin) => {
    expect(soundKey(cyrillic)).toBe(soundKey(latin));
  });
  it('gives different keys to names that sound different', () => {
    expect(soundKey('москва')).not.toBe(soundKey('masha'));
  });
});
