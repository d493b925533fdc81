import { describe, expect, it } from 'vitest';
import { asMeant, inKnownLayout } from '../../src/search/known-layout.ts';

const documents = new Set(
  'eligibility sdk api html css hr links nfs quota смертная казнь столица сервер'.split(' '),
);
const meant = (typed: string) => asMeant(typed, (word) => documents.has(word));

describe('a question in some keyboard layout', () => {
  it.each(['vltp eligibility', 'sdk vs api', 'html css', 'nfs quota', 'Tock vs HR Links', 'столица'])(
    '%s is meant as it was typed, since the documents know words of it',
    (typed) => {
      expect(meant(typed)).toBe(typed);
    },
  );

  it.each([
    ['cvthnyfz rfpym', 'смертная казнь', 'which the documents know'],
    ['xnj nfrjt ghtpbltyn', 'что такое президент', 'by the words of the language'],
    ['ыукмук', 'ыукмук', 'nobody knows'],
    ['ктулинг', 'ктулинг', 'nobody knows'],
    ['srok sluzhby', 'срок службы', 'in Latin letters'],
    ['html cthdth', 'html сервер', 'a word of two'],
  ])('%s is meant as %s (%s)', (typed, expected) => {
    expect(meant(typed)).toBe(expected);
  });

  it('is typed anew only where the documents know long words then', () => {
    expect(inKnownLayout('vs', (word) => word === 'мы')).toBe('vs');
  });
});
