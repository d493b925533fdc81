/** Answers requested in a language other than that of the question, over the sample corpora. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Language } from '../../src/domain/events.ts';
import { openSamples, type Question, type SampleService } from './sample-corpora.ts';

let service: SampleService;
beforeAll(async () => {
  service = await openSamples();
});
afterAll(() => service.close());

const wish: Record<Language, string> = {
  ru: 'На русском, пожалуйста',
  kk: 'қазақша айтшы',
  en: 'Can you answer in English?',
};

/** The answer, and the answer requested in another language. */
async function inLanguage(question: Question, lang: Language) {
  const before = await service.ask(question);
  const history = [
    { role: 'user' as const, content: question.q },
    { role: 'assistant' as const, content: before.answer },
  ];
  return service.ask({ ...question, q: wish[lang], history });
}

describe('the constitution in three languages', () => {
  const asked = {
    ru: 'На какой срок избирается Президент?',
    kk: 'Президент қанша жылға сайланады?',
    en: 'For how many years is the President elected?',
  };
  const terms = { ru: 'сроком на шесть лет', kk: 'алты жыл мерзімге', en: 'for a term of six years' };
  const pairs = (['ru', 'kk', 'en'] as const).flatMap((from) =>
    (['ru', 'kk', 'en'] as const).filter((to) => to !== from).map((to) => [from, to] as const),
  );

  it.each(pairs)('answers from the same article in the other language, from %s to %s', async (from, to) => {
    const { lang, answer, refs } = await inLanguage({ q: asked[from] }, to);
    expect(lang).toBe(to);
    expect(answer).toContain(terms[to]);
    expect(refs[0]).toBe(`norm/constitution-${to}#29`);
  });

  it('answers from the article behind a FAQ pair', async () => {
    const { refs } = await inLanguage({ q: 'Does the state recognise dual citizenship?' }, 'ru');
    expect(refs).toEqual(['norm/constitution-ru#10']);
  });

  it('quotes the former constitution from its own twin', async () => {
    const { answer, refs } = await inLanguage({ q: 'На сколько лет избирался Президент раньше?' }, 'en');
    expect(answer).toMatch(/\bPresident\b/);
    expect(refs.map((ref) => ref.split('#')[0])).toContain('old/constitution-1994-en');
    expect(refs.filter((ref) => !ref.includes('-en#'))).toEqual([]);
  });
});

it('quotes a speech without a translation in its original language', async () => {
  const { answer, refs } = await inLanguage(
    { corpus: 'reestr_texts', q: 'What did the ombudsman say about personal data?' },
    'ru',
  );
  expect(refs[0]).toMatch(/ormantai/);
  expect(answer).toContain('На русском языке ответа не нашлось');
});
