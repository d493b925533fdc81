import { describe, expect, it } from 'vitest';
import { failureText, namedCorpus } from '../../connectors/answer.ts';
import { Draft, opens } from '../../connectors/draft.ts';
import type { ChatApp, Platform } from '../../connectors/platform.ts';
import { type CorporaByChat, Rooms } from '../../connectors/rooms.ts';
import { whole as slackMessages } from '../../connectors/slack/blocks.ts';
import { whole as telegramMessages } from '../../connectors/telegram/view.ts';
import { texts } from '../../connectors/texts.ts';
import type { Part } from '../../src/answering/parts.ts';
import { chatSettingsDefault } from '../../src/domain/events.ts';
import { Failure } from '../../src/failures.ts';
import { partsOf, source } from '../http/fake-app.ts';
import { corpus } from './harness.ts';

const drafted = (parts: readonly Part[]) => {
  const draft = new Draft('en');
  for (const part of parts) draft.take(part);
  return draft;
};
const input = {
  query: 'q',
  channel: 'telegram',
  caller: { actor: 'public', key_id: null, subject: null },
} as const;

describe('an answer from a private file', () => {
  it('shows its quotations with the sources, except those already in the answer', () => {
    const quote = 'Nobody needs to ask before people assemble.';
    const parts = partsOf(input).map((part): Part => {
      if (part.type === 'done') return { ...part, private_file: true };
      return part.type === 'citation' && part.start > 0 ? { ...part, quote } : part;
    });
    const draft = drafted(parts);
    expect(draft.listed()!.sources).toMatchObject([{ quotes: [], shown: [quote] }]);
    expect(draft.remarks()).toEqual([texts.en.fromFile]);
    expect(JSON.stringify(slackMessages(draft))).toContain(`“${quote}”`);
    expect(JSON.stringify(telegramMessages(draft))).toContain(`“${quote}”`);
  });
});

describe('an answer in a chat', () => {
  it('numbers each citation, and lists its sources once', () => {
    const draft = drafted(partsOf(input));
    expect(draft.pieces()).toEqual([
      { text: 'Assemblies are free.' },
      { mark: 1 },
      { text: ' ' },
      { text: 'They are announced a day before.' },
      { mark: 1 },
      { text: ' 🙂' },
    ]);
    expect(draft.listed()).toEqual({
      heading: texts.en.sources,
      sources: [
        {
          number: 1,
          ref: source.ref,
          title: 'The law',
          facts: 'Article 23 · norm',
          url: 'https://example.org/law',
          quotes: ['Assemblies are free.', 'They are announced a day before.'],
        },
      ],
    });
  });

  it('omits labels that only name a source, and places the number after the quotation mark', () => {
    const cite = (end: number): Part => ({
      type: 'citation',
      start: 1,
      end,
      ref: source.ref,
      quote: 'Free',
      revision: 2,
      content_hash: '',
    });
    const draft = drafted([
      { type: 'sources', source_refs: [source.ref], sources: [source] },
      { type: 'text', text: '«Free' },
      cite(5),
      { type: 'text', text: '»' },
      { type: 'text', text: ' (The law)', label: true },
      { type: 'text', text: '\n\nMore.' },
    ]);
    expect(draft.pieces()).toEqual([{ text: '«Free' }, { text: '»' }, { mark: 1 }, { text: '\n\nMore.' }]);
  });

  it('keeps other labels on separate lines, or without a number', () => {
    const draft = drafted([
      { type: 'sources', source_refs: [source.ref], sources: [source] },
      { type: 'text', text: 'There is no article 999.\n\nNext to it:' },
      { type: 'text', text: '\n– Article 50', label: true },
      { type: 'text', text: '\n– Article 51', label: true },
    ]);
    const shown = draft.pieces().map((piece) => ('text' in piece ? piece.text : `[${piece.mark}]`));
    expect(shown.join('')).toBe('There is no article 999.\n\nNext to it:\n– Article 50\n– Article 51');
    const cite = { start: 0, end: 4, ref: source.ref, quote: 'Free', revision: 2, content_hash: '' };
    const cited = drafted([
      { type: 'text', text: 'Free' },
      { type: 'citation', ...cite },
      { type: 'text', text: ' (The law)', label: true },
      { type: 'text', text: '\n– Article 50', label: true },
    ]);
    expect(cited.pieces()).toEqual([{ text: 'Free' }, { mark: 1 }, { text: '\n– Article 50' }]);
  });

  it('says that it was replaced, and does not list earlier citations', () => {
    const parts = partsOf(input);
    const done = parts.pop()!;
    const draft = drafted([...parts, { type: 'replace', answer: 'No.', reason: 'unsupported' }, done]);
    expect(draft.pieces()).toEqual([{ text: 'No.' }]);
    expect(draft.listed()?.heading).toBe(texts.en.nearest);
    expect(draft.remarks()).toEqual([texts.en.replaced]);
  });

  it('links only to addresses that people can open', () => {
    expect(['https://example.org/x', 'http://a.kz'].map(opens)).toEqual([true, true]);
    expect(['/source/x', 'http://localhost:8080/', 'javascript:alert(1)', ''].map(opens)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('reports a failure in three languages, with advice', () => {
    for (const lang of ['ru', 'kk', 'en'] as const) {
      expect(failureText(lang, new Failure('unavailable', 'secret'))).toBe(texts[lang].unavailable);
      expect(failureText(lang, new Failure('rate_limited', '', { retryAfterS: 200 }))).toContain('4');
      expect(failureText(lang, new Error('secret'))).toBe(texts[lang].failed);
    }
  });
});

describe('the corpora of a chat', () => {
  const app = {
    corpora: async () => ['a', 'b'].map((id) => ({ ...corpus(id, id), is_default: id === 'b' })),
  };
  const chosen = async (
    corporaByChat: CorporaByChat,
    around: string[],
    settings: { corpora: string[] | null; corpus_id: string | null } = chatSettingsDefault,
  ) => {
    const rooms = new Rooms({
      app: app as unknown as ChatApp,
      platform: {} as Platform<null>,
      corporaByChat,
    });
    const { corpora, current } = await rooms.choice({ around }, settings, 'en');
    return [corpora.map(({ corpus_id }) => corpus_id), current?.corpus_id];
  };

  it('are those of the most specific matching place', async () => {
    const places = new Map([
      ['*', ['b', 'a']],
      ['C1', ['b']],
      ['C2', []],
    ]);
    expect(await chosen(places, ['C1', 'T1'])).toEqual([['b'], 'b']);
    expect(await chosen(places, ['C2', 'T1'])).toEqual([[], undefined]);
    expect(await chosen(places, ['C3', 'T1'])).toEqual([['b', 'a'], 'b']);
    expect(await chosen(null, ['C1'])).toEqual([['a', 'b'], 'b']);
    expect(await chosen(new Map([['C1', ['b']]]), ['C9'])).toEqual([[], undefined]);
  });

  it('default to the first allowed corpus, unless another allowed one was chosen', async () => {
    const corpora = ['a', 'b', 'unknown'];
    expect(await chosen(null, [], { corpora, corpus_id: null })).toEqual([['a', 'b'], 'a']);
    expect(await chosen(null, [], { corpora, corpus_id: 'b' })).toEqual([['a', 'b'], 'b']);
    expect(await chosen(null, [], { corpora, corpus_id: 'unknown' })).toEqual([['a', 'b'], 'a']);
    expect(await chosen(null, [], { corpora: [], corpus_id: 'a' })).toEqual([[], undefined]);
  });

  it('may be named in the question', () => {
    expect(namedCorpus('in:reestr_texts о воде')).toEqual({ corpus: 'reestr_texts', query: 'о воде' });
    expect(namedCorpus('о воде in:reestr_texts')).toEqual({ corpus: 'reestr_texts', query: 'о воде' });
    expect(namedCorpus('what is in: it?')).toEqual({ corpus: null, query: 'what is in: it?' });
  });
});
