import { describe, expect, it } from 'vitest';
import { catalog } from '../../src/domain/catalog.ts';
import type { CorpusSettings, DomainEvent } from '../../src/domain/events.ts';
import { given } from './decider-spec.ts';

const settings: CorpusSettings = {
  title: { ru: 'Устав', en: 'Charter' },
  description: null,
  languages: ['ru', 'en'],
  styles: [],
  layers: [{ name: 'norm', title: null, kind: 'text', visibility: 'public' }],
};
const registered: DomainEvent = { type: 'CorpusRegistered', data: { corpus_id: 'charter', settings } };
const documentRegistered = (
  doc_id: number,
  doc_key: string,
  root: string | null,
  corpus_id = 'charter',
): DomainEvent => ({ type: 'DocumentRegistered', data: { corpus_id, doc_id, doc_key, root } });

describe('a corpus', () => {
  it('is registered once', () => {
    given(catalog).when({ type: 'SetCorpus', corpus_id: 'charter', settings }).then(registered);
    given(catalog, registered)
      .when({ type: 'SetCorpus', corpus_id: 'charter', settings: structuredClone(settings) })
      .then();
  });

  it('changes when its settings differ, including the order of layers', () => {
    const changed = { ...settings, layers: [...settings.layers, { ...settings.layers[0]!, name: 'faq' }] };
    const event: DomainEvent = { type: 'CorpusChanged', data: { corpus_id: 'charter', settings: changed } };
    given(catalog, registered)
      .when({ type: 'SetCorpus', corpus_id: 'charter', settings: changed })
      .then(event);
    given(catalog, registered, event)
      .when({ type: 'SetCorpus', corpus_id: 'charter', settings: changed })
      .then();
    const reordered = { ...changed, layers: changed.layers.toReversed() };
    given(catalog, registered, event)
      .when({ type: 'SetCorpus', corpus_id: 'charter', settings: reordered })
      .then({ type: 'CorpusChanged', data: { corpus_id: 'charter', settings: reordered } });
  });

  it('is registered manually only if unknown, and changes only in the given settings', () => {
    given(catalog).when({ type: 'RegisterCorpus', corpus_id: 'charter', settings }).then(registered);
    given(catalog, registered)
      .when({ type: 'RegisterCorpus', corpus_id: 'charter', settings })
      .fails('conflict');
    given(catalog, registered)
      .when({ type: 'ChangeCorpus', corpus_id: 'charter', changes: { styles: ['brief'] } })
      .then({
        type: 'CorpusChanged',
        data: { corpus_id: 'charter', settings: { ...settings, styles: ['brief'] } },
      });
    given(catalog, registered)
      .when({ type: 'ChangeCorpus', corpus_id: 'charter', changes: { styles: [] } })
      .then();
    given(catalog).when({ type: 'ChangeCorpus', corpus_id: 'charter', changes: {} }).fails('not_found');
  });

  it('keeps its active state and its documents when it changes', () => {
    const { state } = given(
      catalog,
      registered,
      documentRegistered(1, 'a', null),
      { type: 'CorpusDeactivated', data: { corpus_id: 'charter' } },
      { type: 'CorpusChanged', data: { corpus_id: 'charter', settings: { ...settings, styles: ['brief'] } } },
    );
    expect(state.corpora.get('charter')).toEqual({
      corpus_id: 'charter',
      settings: { ...settings, styles: ['brief'] },
      active: false,
    });
    expect(state.documents.get('charter')?.size).toBe(1);
  });

  it.each(['', '_x', '-x', '.x', 'a b', 'a/b', 'устав', 'a'.repeat(101)])(
    'cannot be called "%s"',
    (corpus_id) => {
      given(catalog).when({ type: 'SetCorpus', corpus_id, settings }).fails('invalid');
    },
  );

  it.each(['a', 'krk_2026', 'A.b-c_9', '9', 'a'.repeat(100)])('may be called "%s"', (corpus_id) => {
    given(catalog)
      .when({ type: 'SetCorpus', corpus_id, settings })
      .then({ type: 'CorpusRegistered', data: { corpus_id, settings } });
  });

  it('is deactivated and activated once each', () => {
    const off: DomainEvent = { type: 'CorpusDeactivated', data: { corpus_id: 'charter' } };
    const on: DomainEvent = { type: 'CorpusActivated', data: { corpus_id: 'charter' } };
    given(catalog, registered).when({ type: 'SetActive', corpus_id: 'charter', active: true }).then();
    given(catalog, registered).when({ type: 'SetActive', corpus_id: 'charter', active: false }).then(off);
    given(catalog, registered, off).when({ type: 'SetActive', corpus_id: 'charter', active: false }).then();
    given(catalog, registered, off).when({ type: 'SetActive', corpus_id: 'charter', active: true }).then(on);
    given(catalog).when({ type: 'SetActive', corpus_id: 'charter', active: true }).fails('not_found');
  });
});

describe('documents', () => {
  const register = (...documents: { doc_key: string; root: string | null }[]) =>
    ({ type: 'RegisterDocuments', corpus_id: 'charter', documents }) as const;

  it('get increasing ids across all corpora, even many together', () => {
    const other: DomainEvent = { type: 'CorpusRegistered', data: { corpus_id: 'speeches', settings } };
    given(
      catalog,
      registered,
      other,
      documentRegistered(1, 'x', null),
      documentRegistered(2, 'a', '/r', 'speeches'),
    )
      .when(register({ doc_key: 'a', root: '/r' }, { doc_key: 'b', root: '/r' }))
      .then(documentRegistered(3, 'a', '/r'), documentRegistered(4, 'b', '/r'));
  });

  it('keep their id, and are registered again only if they come from elsewhere', () => {
    const before = [registered, documentRegistered(1, 'a', '/r'), documentRegistered(2, 'b', '/r')];
    given(catalog, ...before)
      .when(register({ doc_key: 'a', root: '/r' }))
      .then();
    given(catalog, ...before)
      .when(register({ doc_key: 'a', root: '/other' }, { doc_key: 'c', root: null }))
      .then(documentRegistered(1, 'a', '/other'), documentRegistered(3, 'c', null));
    given(catalog, ...before, documentRegistered(1, 'a', '/other'))
      .when(register({ doc_key: 'c', root: null }))
      .then(documentRegistered(3, 'c', null));
  });

  it('get one id when a batch contains the same key twice', () => {
    given(catalog, registered)
      .when(register({ doc_key: 'a', root: '/r' }, { doc_key: 'a', root: '/r' }))
      .then(documentRegistered(1, 'a', '/r'));
  });

  it('need a registered corpus', () => {
    given(catalog)
      .when(register({ doc_key: 'a', root: null }))
      .fails('not_found');
  });
});

it('deciding does not change the state', () => {
  const { state } = given(catalog, registered, documentRegistered(1, 'a', null));
  const before = structuredClone(state);
  catalog.decide(
    { type: 'RegisterDocuments', corpus_id: 'charter', documents: [{ doc_key: 'b', root: null }] },
    state,
  );
  catalog.decide({ type: 'SetActive', corpus_id: 'charter', active: false }, state);
  expect(state).toEqual(before);
});

it('events of other streams leave the state unchanged', () => {
  const { state } = given(catalog, {
    type: 'RevisionAbandoned',
    data: { doc_id: 1, corpus_id: 'c', revision: 1, chunk_count: 0, reason: '' },
  });
  expect(state).toBe(catalog.initial);
});
