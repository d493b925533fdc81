import { describe, expect, test } from 'vitest';
import { resolveFollowUp } from '../../src/question/follow-up.ts';
import { stems } from '../../src/text/words.ts';
import { dialogues } from '../answering/cases/dialogues.ts';
import { turns } from '../answering/cases/types.ts';

const following = (before: string, question: string, said = '…') =>
  resolveFollowUp(question, turns(before, said));

describe('resolveFollowUp', () => {
  test.each([
    ['Какой срок у мэра?', 'а раньше?', 'Какой срок у мэра раньше'],
    ['Мэр неше жылға сайланады?', 'бұрын ше?', 'Мэр неше жылға сайланады бұрын'],
    ['Какой срок у мэра?', 'а кто его избирает?', 'кто его избирает у мэра'],
    ['Кто избирает мэра?', 'На какой срок?', 'На какой срок избирает мэра'],
    ['Кто избирает мэра?', 'а какой у него возраст?', 'какой у него возраст избирает мэра'],
    ['Who elects the mayor?', 'For how long?', 'For how long elects the mayor'],
    ['Who elects the mayor?', 'How old must he be?', 'How old must he be elects the mayor'],
    ['Мэрді кім сайлайды?', 'Қанша жылға?', 'Қанша жылға Мэрді сайлайды'],
    ['Мэрді кім сайлайды?', 'Оны кім босатады?', 'Оны кім босатады Мэрді сайлайды'],
    ['Можно ли парковаться на площади?', 'а если я инвалид?', 'Можно ли парковаться на площади я инвалид'],
    ['Что было на площади в 2018?', 'а в 2019?', 'Что было на площади в 2019'],
    ['Что говорит статья 5?', 'а статья 7?', 'Что говорит статья 7?'],
    ['Что говорит статья 5?', 'а 7?', 'Что говорит статья 7?'],
    ['Что говорит статья 5?', 'а второй пункт?', 'второй пункт статьи 5'],
    ['What does Article 5 say?', 'and the second one?', 'point 2 of Article 5'],
    ['5-бапта не айтылған?', 'екінші тармағы ше?', '5-баптың екінші тармағы'],
    ['Сравни статьи 5 и 7', 'а вторая?', 'статья 7'],
    ['пункт 1 статьи 5', 'а второй?', 'пункта 2 статьи 5'],
    ['Article 5 paragraph 1', 'and the second one?', 'paragraph 2 of Article 5'],
    ['Article 5(1)', 'and the third one?', 'point 3 of Article 5'],
    ['5-баптың 1-тармағы', 'ал екіншісі?', '5-баптың 2-тармағы'],
    ['Какой срок у мэра?', 'сравни со старой редакцией', 'Какой срок у мэра сравни со старой редакцией'],
    ['Мэр неше жылға сайланады?', 'Ескісімен салыстыр', 'Мэр неше жылға сайланады Ескісімен салыстыр'],
    ['When is the ticket office open?', 'And on Sundays?', 'When is the ticket office open on Sundays'],
    ['Когда открыта касса?', 'а по воскресеньям?', 'Когда открыта касса по воскресеньям'],
    ['Касса қашан ашық?', 'ал жексенбіде?', 'Касса қашан ашық жексенбіде'],
    ['Когда паром ходит в среду?', 'а в субботу?', 'Когда паром ходит в среду в субботу'],
    ['How much does a ticket cost?', 'And a season pass?', 'How much does a ticket cost a season pass'],
    ['When is the market open?', 'What about the museum?', 'When is the market open the museum'],
    ['How long is the term?', 'compare with the old one', 'How long is the term compare with the old one'],
  ])('%s … %s', (before, question, whole) => {
    expect(following(before, question)).toMatchObject({ question: whole, rewritten: true, more: false });
  });

  test.each<[string, string, string]>([
    ['How much is a ticket?', 'на русском, пожалуйста', 'ru'],
    ['Сколько стоит билет?', 'Can you answer in English?', 'en'],
    ['Сколько стоит билет?', 'қазақша айтшы', 'kk'],
    ['Билет қанша тұрады?', 'переведи на английский', 'en'],
  ])('%s … %s: repeats the question in that language', (before, question, inLanguage) => {
    expect(following(before, question)).toMatchObject({ question: before, more: false, inLanguage });
  });

  test.each(['What is the role of Russian?', 'На русском языке издают законы?', 'Орысша мектептер қайда?'])(
    '%s asks about a language, not for an answer in it',
    (question) => {
      expect(following('How much is a ticket?', question).inLanguage).toBeUndefined();
    },
  );

  test('does not add the earlier subject to a question about the owner of a named object', () => {
    expect(following('Сколько стоит билет?', 'У кого ключ?')).toMatchObject({ rewritten: false });
  });

  test.each(['подробнее', 'Расскажи подробнее', 'ещё', 'tell me more', 'толығырақ'])(
    '%s asks for more of the same',
    (question) => {
      expect(following('Какой срок у мэра?', question)).toEqual({
        question: 'Какой срок у мэра?',
        rewritten: true,
        more: true,
      });
    },
  );

  test('adds a new subject, and requires it in the answer', () => {
    expect(following('Сколько мест в Совете?', 'а в Собрании?')).toMatchObject({
      question: 'Сколько мест в Совете в Собрании',
      focus: 'собрании',
    });
  });

  test('adds no subject for a pronoun that the question itself explains, or that refers to nothing', () => {
    for (const question of [
      'Когда мэр подписывает бюджет и где он его публикует?',
      'Where does Mayor Hill live and who guards him?',
      'Is it allowed to fish in the lake?',
    ])
      expect(following('Какой срок у судьи?', question)).toMatchObject({ question, rewritten: false });
  });

  test('only adds a hint where to look first to a short self-contained question', () => {
    const said = 'Мэра избирают жители на пять лет.';
    expect(following('Кто избирает мэра?', 'Кто утверждает бюджет?', said)).toEqual({
      question: 'Кто утверждает бюджет?',
      rewritten: false,
      more: false,
      context: said,
    });
  });

  test('an ordinal selects a line of the answer if the question named no provision', () => {
    const said = 'Мэра избирают жители города.\nСовет утверждает годовой бюджет.';
    expect(following('Кто что делает в городе?', 'а второе?', said).question).toBe(
      'Совет утверждает годовой бюджет.',
    );
  });

  test('traces follow-ups of follow-ups back to the question', () => {
    expect(
      resolveFollowUp('подробнее', turns('Что говорит статья 5?', '…', 'а статья 7?', '…')).question,
    ).toBe('Что говорит статья 7?');
  });

  test('leaves a self-contained question unchanged', () => {
    for (const question of [
      'Кто утверждает городской бюджет?',
      'статья 9',
      'Where is the town hall of Nordby?',
    ]) {
      expect(following('Какой срок у мэра?', question)).toMatchObject({ question, rewritten: false });
    }
    expect(resolveFollowUp('подробнее', [])).toEqual({
      question: 'подробнее',
      rewritten: false,
      more: false,
    });
  });
});

test.each(dialogues.map((one) => [one.before, one.q, one] as const))(
  '%s … %s',
  (before, q, { said, asks }) => {
    expect(stems(resolveFollowUp(q, turns(before, said)).question)).toEqual(
      expect.arrayContaining(stems(asks)),
    );
  },
);
