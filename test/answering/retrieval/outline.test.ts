import { describe, expect, test } from 'vitest';
import { askedOutline } from '../../../src/answering/retrieval/outline/find.ts';
import { stem } from '../../../src/text/words.ts';

describe('a question about the structure of a document', () => {
  test.each([
    ['What chapters does the charter have?', 'chapter', false, ['charter']],
    ['How many articles are there in the treaty?', 'article', true, ['treaty']],
    ['outline of the handbook', null, false, ['handbook']],
    ['Из каких глав состоит устав?', 'chapter', false, ['устав']],
    ['сколько разделов в уставе', 'section', true, ['уставе']],
    ['оглавление', null, false, []],
    ['Жарғы қандай тараулардан тұрады?', 'chapter', false, ['жарғы']],
    ['Жарғыда қанша бап бар?', 'article', true, ['жарғыда']],
  ] as const)('%s', (question, unit, counts, of) => {
    expect(askedOutline(question)).toEqual({ unit, counts, of: of.map(stem) });
  });

  test.each([
    'What does the charter say of chapters?',
    'what is an article',
    'Кто пишет статьи?',
    'Какой срок указан в уставе?',
    'Жарғыны кім қабылдайды?',
  ])('is not recognised in %s', (question) => {
    expect(askedOutline(question)).toBeNull();
  });
});
