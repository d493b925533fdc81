import { describe, expect, it } from 'vitest';
import { type EventType, eventSchemas } from '../../src/domain/events.ts';
import { mapPersonal } from '../../src/domain/personal.ts';
import { storedSamples } from './stored-samples.ts';

const types = Object.keys(eventSchemas) as EventType[];
const today = (type: EventType) => storedSamples[type].at(-1) as object;

describe('personal fields', () => {
  it.each(types)('of %s are all found, and no others', (type) => {
    const before = structuredClone(today(type));
    const seen: string[] = [];
    const mapped = mapPersonal(type, today(type), (_, path) => {
      seen.push(path);
      return { sealed: path };
    });
    expect(seen).toEqual(eventSchemas[type].personal);
    expect(today(type)).toEqual(before);
    const values = new Map(seen.map((path) => [path, valueAt(before, path)]));
    expect(mapPersonal(type, mapped, (_, path) => values.get(path))).toEqual(before);
  });

  it('that are missing or null stay so', () => {
    const rated = { request_id: 'r', subject: 's', rating: 'up', comment: null };
    const none = {
      question_key: undefined,
      repeatable: null,
      faq: undefined,
      writing: undefined,
      searches: undefined,
    };
    const given = { ...today('AnswerGiven'), ...none };
    const paths = (type: EventType, data: object) => {
      const seen: string[] = [];
      mapPersonal(type, data, (_, path) => seen.push(path));
      return seen;
    };
    expect(paths('AnswerRated', rated)).toEqual(['rating']);
    expect(paths('AnswerGiven', given)).toEqual(['answer', 'rewritten']);
  });

  it('cover all of a person’s words, and all fields that could confirm a guess', () => {
    const said = /устав\?|его подписывает|Не о том|owner@|Президент подписывает|^[ade]0$/u;
    const theirs: Partial<Record<EventType, string[]>> = {};
    for (const type of types) {
      const left = JSON.stringify(
        mapPersonal(type, today(type), () => 'sealed'),
        (_, value) => (typeof value === 'string' && said.test(value) ? 'SAID' : value),
      );
      if (left.includes('SAID')) theirs[type] = [left];
    }
    // A document's text and a curated entry are not personal.
    expect(Object.keys(theirs)).toEqual(['ChunksAdded', 'FaqEntryAdded']);
  });

  it('are not searched for in types unknown to this program', () => {
    expect(mapPersonal('CorpusPainted' as EventType, { query: 'q' }, () => 'sealed')).toEqual({ query: 'q' });
  });
});

function valueAt(data: object, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], data);
}
