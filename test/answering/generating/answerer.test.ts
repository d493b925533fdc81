/** Answers that a model writes: told as they come, checked before they end, and made without it where it fails. */
import { describe, expect, it } from 'vitest';
import type { Answerer } from '../../../src/answering/answerer.ts';
import { replacedReasons } from '../../../src/answering/generating/answerer.ts';
import type { CorpusSettings } from '../../../src/domain/events.ts';
import { Failure } from '../../../src/failures.ts';
import { MemoryCache } from '../../../src/stores/embedded/cache.ts';
import { eventually } from '../../support/eventually.ts';
import { bridge, found, town } from '../passages.ts';
import { said, scripted } from './scripted.ts';

const first = bridge(
  'The bridge was built in 1932. It is painted red every spring. Nobody may fish from it.',
);
const other = {
  ...bridge('Fishing is allowed below the bridge in summer.'),
  id: 2,
  chunk: { ...first.chunk, chunk_index: '002', start: 200, end: 247 },
};
const question = 'When was the bridge built?';
const away = new Failure('unavailable', 'The model is away.');

describe('an answer', () => {
  it('is told as it is written, with what its sentences rest on', async () => {
    const { model, ask, prompt } = scripted(town, [first, other]);
    model.script = [
      [
        'The bridge was ',
        'built in 1932.',
        ' It is red.',
        ...said('The bridge was built in 1932.', '1').slice(1),
        { cites: 'It is red.', documents: ['1'] },
      ],
    ];
    const asked = await ask(question);
    expect(asked).toMatchObject({
      answer: 'The bridge was built in 1932. It is red.',
      mode: 'ordinary',
      reason: null,
      degraded: false,
    });
    expect(asked.parts.map(({ type }) => type)).toEqual([
      ...['meta', 'sources', 'text', 'text', 'text', 'citation', 'citation', 'done'],
    ]);
    expect(
      asked.citations.map(({ start, end, ref, quote, source_start }) => [
        start,
        end,
        ref,
        quote,
        source_start,
      ]),
    ).toEqual([
      [0, 29, 'bridge#001', 'The bridge was built in 1932.', 0],
      [30, 40, 'bridge#001', 'It is painted red every spring.', 30],
    ]);
    expect(asked.ending).toMatchObject({
      model: 'scripted',
      prompt_version: prompt.version,
      prompt_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      usage: { input_tokens: 100, output_tokens: 20, embed_tokens: 0, search_units: 0, cost_micro_usd: 420 },
      citations: [
        { start: 0, end: 29 },
        { start: 30, end: 40, quote: 'It is painted red every spring.' },
      ],
    });
    expect(asked.ending).not.toHaveProperty('degraded');
  });

  it('is asked for with the prompt, the rules, the question and the passages', async () => {
    const { model, ask, prompt } = scripted(town, [first, other]);
    model.script = [said('The bridge was built in 1932.', '1')];
    await ask(question);
    const [request] = model.requests;
    expect(request!.system.startsWith(prompt.content)).toBe(true);
    expect(request!.system).toContain('Answer in English');
    expect(request!.messages).toEqual([{ role: 'user', content: question }]);
    expect(request!.documents.map(({ id, text }) => [id, text])).toEqual([
      ['1', first.text],
      ['2', other.text],
    ]);
  });

  it('is told before the model has said all', async () => {
    const { model, asking } = scripted(town, [first]);
    const rest = Promise.withResolvers<void>();
    model.script = [
      ['The bridge was built', { until: rest.promise }, ' in 1932.', { cites: 'in 1932.', documents: ['1'] }],
    ];
    const partTypes: string[] = [];
    for await (const part of asking(question)) {
      partTypes.push(part.type);
      if (part.type === 'text' && part.text === 'The bridge was built') rest.resolve();
    }
    expect(partTypes).toEqual(['meta', 'sources', 'text', 'text', 'citation', 'done']);
  });

  it('loses what no source supports, and says so', async () => {
    const { model, ask } = scripted(town, [first]);
    model.script = [said('The bridge was built in 1932. It cost nine million. It is painted red.', '1')];
    const asked = await ask(question);
    expect(asked).toMatchObject({
      streamed: 'The bridge was built in 1932. It cost nine million. It is painted red.',
      answer: 'The bridge was built in 1932. It is painted red.',
      reason: replacedReasons.unsupported,
    });
    for (const { start, end } of asked.citations)
      expect(['The bridge was built in 1932.', 'It is painted red.']).toContain(
        asked.answer.slice(start, end),
      );
    expect(asked.ending.replaced).toBe(replacedReasons.unsupported);
  });

  it('without any source says that nothing was found', async () => {
    const { model, ask, recorded } = scripted(town, [first]);
    model.script = [['The bridge was built in 1932.']];
    const asked = await ask(question);
    expect(asked).toMatchObject({ mode: 'no_answer', reason: replacedReasons.unsupported, citations: [] });
    expect(asked.answer).toContain('did not find enough');
    expect(recorded.at(-1)).toMatchObject({ ending: { type: 'AnswerWithheld' } });
  });

  it('cut for its length loses half a sentence and says so', async () => {
    const { model, ask } = scripted(town, [first]);
    model.finish = 'length';
    model.script = [said('The bridge was built in 1932. It is painted red every', '1')];
    const asked = await ask(question);
    expect(asked.answer).toBe('The bridge was built in 1932.');
    expect(asked.parts.at(-1)).toMatchObject({ finish_reason: 'length' });
  });

  it('asked to be brief has two sentences', async () => {
    const { model, ask } = scripted({ ...town, styles: ['brief'] }, [first]);
    model.script = [said('The bridge was built in 1932. It is painted red. Nobody may fish from it.', '1')];
    expect((await ask(question, { style: 'brief' })).answer).toBe(
      'The bridge was built in 1932. It is painted red.',
    );
  });

  it('laid out in quotations is no model’s', async () => {
    const { model, ask } = scripted({ ...town, styles: ['quotes'] }, [first]);
    await ask(question, { style: 'quotes' });
    expect(model.requests).toEqual([]);
  });

  it('takes no side, and says that a list may be incomplete', async () => {
    const { model, ask } = scripted(town, [first]);
    model.script = [said('The bridge was built in 1932.', '1')];
    expect((await ask('Is it right that the bridge is red?')).answer).toMatch(
      /^I give no verdict[\s\S]*1932\.$/,
    );
    expect((await ask('List all bridges.')).answer).toMatch(/1932\.\n\nThese are the passages found/);
  });
});

describe('the answer without the model', () => {
  const extract = 'The bridge was built in 1932. (The bridge)';

  it('takes the place of one that never came', async () => {
    const { model, ask } = scripted(town, [first]);
    model.script = [[away]];
    const asked = await ask(question);
    expect(asked).toMatchObject({ answer: extract, reason: null, degraded: true });
    expect(asked.ending).toMatchObject({ model: null, degraded: true });
  });

  it('takes the place of one that was empty', async () => {
    const { model, ask } = scripted(town, [first]);
    model.script = [[]];
    expect(await ask(question)).toMatchObject({ answer: extract, degraded: true });
  });

  it('takes the place of one that broke off before it said anything with a source', async () => {
    const { model, ask } = scripted(town, [first]);
    model.script = [['The bridge is', away]];
    expect(await ask(question)).toMatchObject({
      streamed: 'The bridge is',
      answer: extract,
      reason: replacedReasons.without,
      degraded: true,
    });
  });

  it('is not needed where what was said before it broke off has sources', async () => {
    const { model, ask } = scripted(town, [first]);
    model.script = [[...said('The bridge was built in 1932.', '1'), ' It is', away]];
    const asked = await ask(question);
    expect(asked).toMatchObject({
      answer: 'The bridge was built in 1932.',
      reason: replacedReasons.brokeOff,
      degraded: true,
    });
    expect(asked.parts.at(-1)).toMatchObject({ finish_reason: 'length', degraded: true });
  });

  it('takes the place of one that repeats what the model was told, before much of that is told', async () => {
    const { model, ask, prompt } = scripted(town, [first]);
    model.script = [[...said('The bridge was built in 1932.', '1'), ' ', ...prompt.content.split(/(?<= )/)]];
    const asked = await ask(question);
    expect(asked).toMatchObject({ answer: 'The bridge was built in 1932.', degraded: true });
    expect(asked.streamed).not.toContain('ostrich');
    await eventually(() => expect(model.aborted).toBe(1));
  });

  it('takes the place of one that does not come to an end', async () => {
    const { model, ask } = scripted(town, [first]);
    model.script = [Array.from({ length: 20_000 }, (_, n) => `Bridge ${n} was built by ${n} men. `)];
    const asked = await ask(question);
    expect(asked).toMatchObject({ answer: extract, degraded: true });
    expect(asked.streamed.length).toBeLessThan(20_000);
    await eventually(() => expect(model.aborted).toBe(1));

    const citing = scripted(town, [first]);
    const text = 'The bridge was built in 1932.';
    const cites = Array.from({ length: 300 }, () => ({ cites: text, documents: ['1'] }));
    const more = Promise.withResolvers<void>();
    citing.model.script = [[text, ...cites, { until: more.promise }, ...cites]];
    expect(await citing.ask(question)).toMatchObject({ answer: text, degraded: true });
    more.resolve();
    await eventually(() => expect(citing.model.aborted).toBe(1));
  });

  it('takes the place of one in another language', async () => {
    const { model, ask } = scripted(town, [first]);
    model.script = [said('Мост через реку построили в 1932 году.', '1')];
    expect(await ask(question)).toMatchObject({ answer: extract, degraded: true });
  });

  it('is not given again once the model is back', async () => {
    const answers = {
      cache: new MemoryCache(),
      corpusChangedAt: async () => '5' as never,
      indexHolds: () => true,
    };
    const { model, ask } = scripted(town, [first], { answers });
    model.script = [[away], said('It was built in 1932.', '1')];
    expect((await ask(question)).degraded).toBe(true);
    expect((await ask(question)).answer).toBe('It was built in 1932.');
    const third = await ask(question);
    expect(model.requests).toHaveLength(2);
    expect(third.ending).toMatchObject({ cached: true, usage: null, model: 'scripted' });
  });
});

it('a refusal of the answer without the model stands, and the model is not asked', async () => {
  const instead: Answerer = {
    async *answer() {
      yield { type: 'opening', mode: 'no_answer', sources: [], citations: [] };
      yield { type: 'text', text: 'Nothing was found.' };
      yield { type: 'closing', finish: 'stop', model: null, prompt_version: null, usage: null };
    },
  };
  const { model, ask } = scripted(town, [first], { instead });
  model.script = [said('The bridge was built in 1932.', '1')];
  expect(await ask(question)).toMatchObject({
    mode: 'no_answer',
    answer: 'Nothing was found.',
    degraded: false,
  });
  expect(model.requests).toEqual([]);
});

describe('equal questions', () => {
  it('at once cost one call, and end it when the last asker has left', async () => {
    const answers = {
      cache: new MemoryCache(),
      corpusChangedAt: async () => '5' as never,
      indexHolds: () => true,
    };
    const { model, asking, recorded } = scripted(town, [first], { answers });
    const never = new Promise(() => {});
    model.script = [['The bridge', { until: never }]];
    const leaving = new AbortController();
    const ends = [0, 1].map(async () => {
      let last: { type: string } | null = null;
      for await (const part of asking(question, {}, leaving.signal)) {
        last = part;
        if (part.type === 'text') leaving.abort();
      }
      return last;
    });
    expect(await Promise.all(ends)).toMatchObject([
      { type: 'error', code: 'cancelled' },
      { type: 'error', code: 'cancelled' },
    ]);
    expect(model.requests).toHaveLength(1);
    expect(recorded.filter((one) => one.type === 'End').map((one) => one.ending.type)).toEqual([
      'AskCancelled',
      'AskCancelled',
    ]);
  });
});

describe('layers', () => {
  const layers: CorpusSettings['layers'] = [
    { name: 'norm', title: 'Charter', kind: 'text', visibility: 'public' },
    { name: 'notes', title: 'Commentary', kind: 'text', visibility: 'public' },
  ];
  const settings = { ...town, layers };
  const norm = { ...first, facts: { ...first.facts, doc_key: 'charter', layer: layers[0]! } };
  const note = { ...other, facts: { ...other.facts, doc_key: 'notes', layer: layers[1]! } };

  it('that do not lead are named', async () => {
    const { model, ask } = scripted(settings, [norm, note]);
    model.script = [
      said('The bridge was built in 1932. Fishing is allowed below the bridge in summer.', '1', '2'),
    ];
    expect(await ask(question)).toMatchObject({
      answer: 'The bridge was built in 1932. Commentary: Fishing is allowed below the bridge in summer.',
      reason: replacedReasons.layers,
    });
    model.script = [
      said(
        'The bridge was built in 1932. Commentary: Fishing is allowed below the bridge in summer.',
        '1',
        '2',
      ),
    ];
    expect((await ask(question)).reason).toBeNull();
  });

  it('are named before all where the leading one says nothing', async () => {
    const { model, ask } = scripted(settings, [note]);
    model.script = [said('Fishing is allowed below the bridge in summer.', '1')];
    const { answer, reason } = await ask('Is fishing allowed?');
    expect(answer).toBe(
      'The main text (“Charter”) holds no direct answer. “Commentary” says:\n\nFishing is allowed below the bridge in summer.',
    );
    expect(reason).toBeNull();
  });

  it('of a comparison stand apart, each from its own passages', async () => {
    const { model, ask } = scripted(settings, [], {
      retrieve: async ({ question: asked }) => found([asked.includes('fishing') ? note : norm], asked),
    });
    model.script = [
      said('The bridge was built in 1932.', '1'),
      said('Fishing is allowed below the bridge in summer.', '2'),
    ];
    const { answer, mode } = await ask('What is the difference between the bridge and fishing?');
    expect(mode).toBe('comparison');
    expect(answer).toMatch(
      /^Bridge:\nThe bridge was built in 1932\.\n\nFishing:\nCommentary: Fishing is allowed/,
    );
    expect(model.requests.map(({ documents }) => documents.map(({ id }) => id))).toEqual([['1'], ['2']]);
  });
});

it('a cancelled ask ends the model’s work and is recorded as cancelled', async () => {
  const { model, asking, recorded } = scripted(town, [first]);
  model.script = [['The bridge', ' was', ' built.']];
  for await (const part of asking(question)) if (part.type === 'text') break;
  await eventually(() => expect(model.aborted).toBe(1));
  expect(recorded.at(-1)).toMatchObject({ ending: { type: 'AskCancelled' } });
});
