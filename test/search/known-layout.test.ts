import { describe, expect, it } from 'vitest';
import { asMeant, inKnownLayout } from '../../src/search/known-layout.ts';

const documents = new Set(
  'eligibility sdk api html css hr links nfs quota смертная казнь столица сервер'.split(' '),
);
const meant = (typed: string) => asMeant(typed, (word) => documents.has(word));

describe('the keyboard layout of a question', () => {
  it.each(['vltp eligibility', 'sdk vs api', 'html css', 'nfs quota', 'Tock vs HR Links', 'столица'])(
    'keeps %s as typed, because the documents contain some of its words',
    (typed) => {
      expect(meant(typed)).toBe(typed);
    },
  );

  it.each([
    ['cvthnyfz rfpym', 'смертная казнь', 'the documents contain it'],
    ['xnj nfrjt ghtpbltyn', 'что такое президент', 'by the words of the language'],
    ['ыукмук', 'ыукмук', 'nobody knows'],
    ['ктулинг', 'ктулинг', 'nobody knows'],
    ['srok sluzhby', 'срок службы', 'transliterated'],
    ['html cthdth', 'html сервер', 'one word of two'],
  ])('reads %s as %s (%s)', (typed, expected) => {
    expect(meant(typed)).toBe(expected);
  });

  it('changes only if the documents contain a long word of the converted text', () => {
    expect(inKnownLayout('vs', (word) => word === 'мы')).toBe('vs');
  });
});
