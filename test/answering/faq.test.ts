/** The FAQ cache in the real service: how entries are created, which questions they answer, and what removes them. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openApp, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { HistoryMessage, Style } from '../../src/domain/events.ts';
import { answerOf } from '../support/asking.ts';
import { newFolder, writeFiles } from '../support/folder.ts';

const manifest = (id: string) => `id: ${id}
title: {ru: Устав библиотеки, kk: Кітапхана жарғысы, en: Library charter}
languages: [ru, kk, en]
${id === 'styled' ? 'styles: [brief]\n' : ''}layers:
  - {name: norm, title: Устав}
  - {name: faq, title: Вопросы и ответы, kind: faq}
  - {name: notes, title: Заметки}
files:
  - {path: "faq/**", layer: faq}
  - {path: "notes/**", layer: notes}
`;
const charter = `# Устав библиотеки

## Статья 1. Срок выдачи

Книга выдаётся читателю на двадцать один день и продлевается один раз.

## Статья 2. Читальный зал

Читальный зал открыт ежедневно с девяти утра до восьми вечера, по воскресеньям с десяти утра.

## Статья 3. Утрата книги

Читатель, утративший книгу, заменяет её таким же изданием или возмещает её двойную стоимость.
`;
const faqRu = `# Вопросы и ответы

## На сколько дней выдаётся книга?

На двадцать один день, продлить можно один раз (статья 1).

## Можно ли выносить журналы?

Нет, журналы читают только в зале.
`;
const faqKk = `question,answer
Кітап неше күнге беріледі?,"Жиырма бір күнге, бір рет ұзартуға болады (1-бап)."
`;
const faqEn = `{"id": "faq-en", "question": "For how many days is a book lent?", "answer": "For twenty-one days, and once more if you ask (Article 1).", "lang": "en"}
`;
const notes = `# Заметки

## Где стоит рояль?

Рояль стоит в малом зале у окна.
`;

let folder: string;
let app: Service;

const write = (corpus: string, files: Record<string, string>) =>
  writeFiles(join(folder, corpus), { 'corpus.yaml': manifest(corpus), ...files });
const ingest = async (corpus: string, files: Record<string, string>) => {
  const path = write(corpus, files);
  await app.ingest({ path, prune: true, yes: true, actor: 'system' });
};
const everything = {
  'norm.md': charter,
  'faq/ru.md': faqRu,
  'faq/kk.csv': faqKk,
  'faq/en.jsonl': faqEn,
  'notes/room.md': notes,
};

beforeAll(async () => {
  folder = newFolder('faq');
  app = await openApp(readConfig({ DOCENT_DATA: join(folder, 'data') }, join(folder, 'none')));
});
afterAll(() => app.close());

let corpora = 0;
let corpus: string;
/** Each test has its own corpus, so that its questions do not affect the others. */
beforeEach(async () => {
  corpus = `library_${++corpora}`;
  await ingest(corpus, everything);
});

interface Asking {
  by?: string;
  in?: string;
  style?: Style;
  history?: HistoryMessage[];
}

async function ask(query: string, { by = 'someone', in: where = corpus, style, history = [] }: Asking = {}) {
  const asking = { corpus_id: where, style: style ?? null, history, subject: by };
  const { parts, done, lang: _, sources, citations, ...said } = await answerOf(app, query, asking);
  for (const { start, end, quote } of citations) expect(done.answer.slice(start, end)).toBe(quote);
  expect(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')).toBe(done.answer);
  expect(parts).toContainEqual(expect.objectContaining({ type: 'meta', mode: done.mode }));
  return { ...said, pages: sources.map(({ page_url }) => page_url), citations };
}

async function rate(requestId: string, by: string, rating: 'up' | 'down') {
  const caller = { actor: 'public', key_id: null, subject: by, mayRead: () => true };
  await app.recordedAsks.rate(requestId, { rating, comment: null }, caller);
}

const acting = { name: 'olga', request_id: 'r' };
const entries = async () =>
  (await app.admin.faqEntries({ limit: 100, offset: 0 }, acting)).items.filter(
    (one) => one.corpus_id === corpus,
  );
const fromCache = { mode: 'faq', cached: true };
const fresh = { mode: 'ordinary' };

describe('a question-answer pair in a FAQ layer', () => {
  test.each([
    ['ru', 'Подскажите, на сколько дней выдаётся книга?', 'На двадцать один день, продлить можно один раз'],
    ['kk', 'кітап неше күнге беріледі', 'Жиырма бір күнге, бір рет ұзартуға болады'],
    ['en', 'For how many days is a book lent', 'For twenty-one days, and once more if you ask'],
  ])('answers the same question (%s) verbatim', async (_lang, question, text) => {
    const answered = await ask(question);
    expect(answered).toMatchObject(fromCache);
    expect(answered.answer).toContain(text);
    expect(answered.citations.map(({ quote }) => quote).join('\n')).toContain(text);
  });

  test('is shown below the provision it names, and labelled as FAQ', async () => {
    const { answer, refs } = await ask('На сколько дней выдаётся книга?');
    expect(refs[0]).toBe('norm#1');
    expect(answer.indexOf('Книга выдаётся читателю')).toBeGreaterThanOrEqual(0);
    expect(answer.indexOf('Вопросы и ответы: На двадцать один день')).toBeGreaterThan(0);
  });

  test.each([
    'На сколько дней не выдаётся книга?',
    'На сколько недель выдаётся книга?',
    'На сколько дней выдаются две книги?',
    'Можно ли выносить книги?',
    'Кітап неше аптаға беріледі?',
    'Кітап неше күнге берілмейді?',
    'For how many weeks is a book lent?',
    'For how many days are two books lent?',
  ])('does not answer another question: %s', async (question) => {
    expect(await ask(question)).toMatchObject({ cached: false });
  });

  test('is not read from a layer of another kind', async () => {
    expect(await ask('Где стоит рояль?')).toMatchObject({ cached: false });
    expect((await entries()).map(({ question }) => question).sort()).toEqual([
      'For how many days is a book lent?',
      'Кітап неше күнге беріледі?',
      'Можно ли выносить журналы?',
      'На сколько дней выдаётся книга?',
    ]);
  });

  test('answers only in its corpus', async () => {
    const before = corpus;
    await ingest('another', { 'norm.md': charter });
    expect(await ask('Можно ли выносить журналы?', { in: before })).toMatchObject(fromCache);
    expect(await ask('Можно ли выносить журналы?', { in: 'another' })).toMatchObject({ cached: false });
  });

  test('is not used for a question with a history', async () => {
    const history: HistoryMessage[] = [{ role: 'user', content: 'Здравствуйте' }];
    expect(await ask('Можно ли выносить журналы?', { history })).toMatchObject({ cached: false });
  });

  test('is removed with its revision and with its document', async () => {
    await ingest(corpus, { ...everything, 'faq/ru.md': faqRu.replace('Нет, журналы', 'Нет. Журналы') });
    const changed = await ask('Можно ли выносить журналы?');
    expect(changed).toMatchObject(fromCache);
    expect(changed.answer).toContain('Нет. Журналы читают только в зале.');
    const { doc_id } = (await app.documents(corpus)).items.find((one) => one.doc_key === 'faq/ru')!;
    await app.admin.withdraw(Number(doc_id), acting);
    await app.caughtUp();
    expect(await ask('Можно ли выносить журналы?')).toMatchObject({ cached: false });
    expect((await entries()).map(({ lang }) => lang).sort()).toEqual(['en', 'kk']);
  });

  test('counts its uses', async () => {
    await ask('Можно ли выносить журналы?');
    await ask('можно ли выносить журналы');
    const entry = (await entries()).find(({ question }) => question === 'Можно ли выносить журналы?');
    expect(entry).toMatchObject({ hits: 2, origin: 'layer', source_refs: ['faq/ru#002'] });
    expect(entry?.last_hit_at).toMatch(/^2\d{3}-/);
  });
});

describe('a curated entry', () => {
  const question = 'Где оставить зонт?';

  test('takes precedence over a pair with the same question until it is removed', async () => {
    const mine = {
      corpus_id: corpus,
      question: 'Можно ли выносить журналы?',
      answer: 'Только с разрешения.',
    };
    const { entry_id, lang } = await app.admin.addFaqEntry(mine, acting);
    expect(lang).toBe('ru');
    expect(await ask(mine.question)).toMatchObject({
      ...fromCache,
      answer: 'Ответ редакции: Только с разрешения.',
    });
    await app.admin.removeFaqEntry(entry_id, acting);
    expect((await ask(mine.question)).answer).toContain('Нет, журналы читают только в зале.');
    await expect(app.admin.removeFaqEntry(entry_id, acting)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('cites the passage that contains its words, and is removed with it', async () => {
    const quote =
      'Читальный зал открыт ежедневно с девяти утра до восьми вечера, по воскресеньям с десяти утра.';
    const answer = `У входа. ${quote}`;
    const entry = await app.admin.addFaqEntry({ corpus_id: corpus, question, answer }, acting);
    expect(entry).toMatchObject({ origin: 'curated', source_refs: ['norm#2'], hits: 0, last_hit_at: null });
    const answered = await ask(question);
    // Text without a source was written by the editors, even if the entry also cites something.
    expect(answered).toMatchObject({ ...fromCache, answer: `Ответ редакции: ${answer}`, refs: ['norm#2'] });
    expect(answered.citations).toMatchObject([{ ref: 'norm#2', quote, start: 25, revision: 1 }]);
    expect(answered.pages[0]).toMatch(/[?&]quote=\d+-\d+/);
    const quoted = { corpus_id: corpus, question: 'Когда открыт читальный зал музея?', answer: quote };
    const { entry_id } = await app.admin.addFaqEntry(quoted, acting);
    expect(await ask(quoted.question)).toMatchObject({ ...fromCache, answer: quote });
    await app.admin.removeFaqEntry(entry_id, acting);
    await ingest(corpus, { ...everything, 'norm.md': `${charter}\nПриложение.\n` });
    expect(await ask(question)).toMatchObject({ cached: false });
    expect((await entries()).map(({ origin }) => origin)).not.toContain('curated');
  });

  test('is kept when the prompt changes, because a person wrote it', async () => {
    await app.admin.addFaqEntry({ corpus_id: corpus, question, answer: 'У входа.' }, acting);
    await app.admin.changeSystemPrompt(`Be brief, ${corpus}.`, acting);
    expect(await ask(question)).toMatchObject(fromCache);
  });

  test('is rejected for an unknown corpus or empty text', async () => {
    await expect(
      app.admin.addFaqEntry({ corpus_id: 'none', question, answer: 'Да.' }, acting),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      app.admin.addFaqEntry({ corpus_id: corpus, question: 'что?', answer: 'Да.' }, acting),
    ).rejects.toMatchObject({ code: 'invalid' });
  });

  test('is recorded in the audit log when it is added or removed', async () => {
    const { entry_id } = await app.admin.addFaqEntry(
      { corpus_id: corpus, question, answer: 'У входа.' },
      acting,
    );
    await app.admin.removeFaqEntry(entry_id, acting);
    await app.caughtUp();
    const { items } = await app.admin.auditLog({ limit: 2, offset: 0 });
    expect(items.map(({ action, target, actor }) => [action, target, actor])).toEqual([
      ['faq.remove', String(entry_id), 'olga'],
      ['faq.add', String(entry_id), 'olga'],
    ]);
  });
});

describe('a repeated answer', () => {
  const question = 'Чем читатель возмещает утраченную книгу?';
  const three = async (asking: Asking = {}, asked = question) => {
    const given = [];
    for (const by of ['a', 'b', 'c']) given.push(await ask(asked, { ...asking, by }));
    for (const one of given) expect(one).toMatchObject(fresh);
    return given[0]!;
  };

  test('enters the cache after three different people received it', async () => {
    const first = await three();
    const repeated = await ask('чем читатель возмещает утраченную книгу', { by: 'd' });
    expect(repeated).toMatchObject({ ...fromCache, answer: first.answer, refs: first.refs });
    expect(repeated.citations).toEqual(first.citations);
    expect((await entries()).filter(({ origin }) => origin === 'repeated')).toMatchObject([
      { question, answer: first.answer, lang: 'ru', source_refs: first.refs, hits: 1 },
    ]);
  });

  test('does not enter the cache if one person asks three times', async () => {
    for (let n = 0; n < 4; n++) expect(await ask(question, { by: 'a' })).toMatchObject(fresh);
  });

  test('does not enter the cache through questions with a history', async () => {
    const history: HistoryMessage[] = [{ role: 'user', content: 'Здравствуйте' }];
    for (const by of ['a', 'b', 'c', 'd'])
      expect(await ask(question, { by, history })).toMatchObject({ cached: false });
    expect(await ask(question, { by: 'e' })).toMatchObject(fresh);
  });

  test.each([
    'Чем читатель не возмещает утраченную книгу?',
    'Чем читатель возмещает две утраченные книги?',
    'Чем читатель возмещает утраченный журнал?',
  ])('does not answer another question: %s', async (other) => {
    await three();
    expect(await ask(other, { by: 'd' })).toMatchObject({ cached: false });
  });

  test('is removed when its source is published again, and then needs three people again', async () => {
    await three();
    expect(await ask(question, { by: 'd' })).toMatchObject(fromCache);
    await ingest(corpus, { ...everything, 'norm.md': charter.replace('двойную', 'тройную') });
    const first = await three();
    expect(first.answer).toContain('тройную стоимость');
    expect(await ask(question, { by: 'd' })).toMatchObject({ ...fromCache, answer: first.answer });
  });

  test('is removed when its source is withdrawn', async () => {
    await three();
    const { doc_id } = (await app.documents(corpus)).items.find((one) => one.doc_key === 'norm')!;
    await app.admin.withdraw(Number(doc_id), acting);
    await app.caughtUp();
    expect(await ask(question, { by: 'd' })).toMatchObject({ cached: false });
    expect((await entries()).map(({ origin }) => origin)).not.toContain('repeated');
  });

  test('is removed when the prompt changes', async () => {
    await three();
    expect(await ask(question, { by: 'd' })).toMatchObject(fromCache);
    await app.admin.changeSystemPrompt(`Answer, ${corpus}.`, acting);
    expect(await ask(question, { by: 'e' })).toMatchObject(fresh);
  });

  test('never enters the cache once somebody has rated it negatively', async () => {
    const { request_id } = await ask(question, { by: 'a' });
    await rate(request_id, 'a', 'down');
    for (const by of ['b', 'c', 'd', 'e']) expect(await ask(question, { by })).toMatchObject(fresh);
  });

  test('is no longer used once two recipients rate it negatively; one alone cannot remove it', async () => {
    await three();
    const rated = [];
    for (const by of ['d', 'e']) rated.push({ by, ...(await ask(question, { by })) });
    const [d, e] = rated;
    expect([d!.cached, e!.cached]).toEqual([true, true]);
    await rate(d!.request_id, 'd', 'down');
    await rate((await ask(question, { by: 'd' })).request_id, 'd', 'down');
    expect(await ask(question, { by: 'f' })).toMatchObject(fromCache);
    await rate(e!.request_id, 'e', 'down');
    expect(await ask(question, { by: 'f' })).toMatchObject(fresh);
    await rate(e!.request_id, 'e', 'up');
    expect(await ask(question, { by: 'f' })).toMatchObject(fromCache);
  });

  test('does not enter the cache through a misspelt question, because its answer is a guess', async () => {
    const misspelt = 'Чем читатиль возмещает утраченную книгу?';
    for (const by of ['a', 'b', 'c', 'd']) expect(await ask(misspelt, { by })).toMatchObject(fresh);
    expect(await ask(question, { by: 'e' })).toMatchObject({ ...fresh, cached: false });
    expect((await entries()).map(({ origin }) => origin)).not.toContain('repeated');
  });

  test('never returns to the cache once an administrator has removed it', async () => {
    await three();
    const [entry] = (await entries()).filter(({ origin }) => origin === 'repeated');
    await app.admin.removeFaqEntry(entry!.entry_id, acting);
    for (const by of ['d', 'e']) expect(await ask(question, { by })).toMatchObject(fresh);
  });

  test('is used only for its own style if the corpus has styles', async () => {
    await ingest('styled', everything);
    await three({ in: 'styled', style: 'brief' });
    expect(await ask(question, { in: 'styled', by: 'd' })).toMatchObject(fresh);
    expect(await ask(question, { in: 'styled', by: 'd', style: 'brief' })).toMatchObject(fromCache);
    expect(await ask('Можно ли выносить журналы?', { in: 'styled', style: 'brief' })).toMatchObject({
      cached: false,
    });
    expect(await ask('Можно ли выносить журналы?', { in: 'styled' })).toMatchObject(fromCache);
  });

  test('enters the cache in Kazakh and English too', async () => {
    await ingest('tongues', {
      'norm.md':
        '# Charter\n\n## Article 1. Lending\n\nA book is lent for twenty-one days to every reader.\n',
      'kk.md': '# Жарғы\n\n## 1-бап. Оқу залы\n\nОқу залы күн сайын сағат тоғыздан сегізге дейін ашық.\n',
    });
    for (const asked of ['How long is a book lent to a reader?', 'Оқу залы қашан ашық?']) {
      await three({ in: 'tongues' }, asked);
      expect(await ask(asked.toLowerCase(), { in: 'tongues', by: 'd' })).toMatchObject(fromCache);
    }
  });
});

test('looks up a provision requested by number, regardless of the cache', async () => {
  await app.admin.addFaqEntry(
    { corpus_id: corpus, question: 'Что говорит статья 1?', answer: 'Ничего.' },
    acting,
  );
  expect(await ask('Что говорит статья 1?')).toMatchObject({ mode: 'exact', cached: false });
});

test('the cache is the same after a rebuild', async () => {
  await app.admin.addFaqEntry(
    { corpus_id: corpus, question: 'Где оставить зонт?', answer: 'У входа.' },
    acting,
  );
  await ask('Где оставить зонт?');
  const before = await entries();
  await app.rebuild();
  expect(await entries()).toEqual(before);
});
