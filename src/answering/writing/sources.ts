/** Passages as sources of an answer: their records and names. */
import {
  type CorpusSettings,
  isPublic,
  type Language,
  type Layer,
  type Localized,
  type RecordedSource,
} from '../../domain/events.ts';
import { pageAt } from '../../domain/marks.ts';
import type { Edition } from '../../question/editions.ts';
import type { Found } from '../../reading/passages.ts';
import { phrases } from '../../text/phrases.ts';
import { withoutInjections } from '../../text/prompt-injection.ts';

/** Shortens a long heading. In some documents, the heading contains all the text. */
const headingUnitsMax = 300;

const headingOf = (heading: string): string =>
  heading.length <= headingUnitsMax ? heading : `${[...heading].slice(0, headingUnitsMax / 2).join('')}…`;

export const refOf = ({ facts, chunk }: Found): string => `${facts.doc_key}#${chunk.chunk_index}`;

/** The record of a passage as a source. `at`: the offset of its first quotation. */
export function recordedSource(passage: Found, at = 0): RecordedSource {
  const { facts, chunk, score } = passage;
  const { doc_id, doc_key, revision, content_hash, title, url, source_url, event_date, layer } = facts;
  return {
    ref: refOf(passage),
    doc_id,
    doc_key,
    revision,
    content_hash,
    chunk_index: chunk.chunk_index,
    heading: headingOf(chunk.heading),
    title: title === '' ? null : title,
    url,
    source_url,
    event_date,
    layer: layer.name,
    ...(layer.title !== null && { layer_title: localized(layer.title, chunk.lang) }),
    lang: chunk.lang,
    score,
    ...pageOf(passage, at),
  };
}

/** The page number at an offset in a passage, as a field; empty if the document has no pages. */
export function pageOf({ chunk }: Pick<Found, 'chunk'>, at: number): { page?: number } {
  const page = pageAt(chunk, at);
  return page === null ? {} : { page };
}

/** The version of a multilingual text in a language, or otherwise in its first language; '' if there is none. */
export function localized(text: Localized | null, lang: Language): string {
  if (text === null) return '';
  return typeof text === 'string' ? text : (text[lang] ?? Object.values(text)[0] ?? '');
}

/**
 * The address of a passage, for people and models: its title, heading and date, without sentences that instruct the
 * assistant. The file name is added if other documents have the same title. If the corpus is named after the document,
 * the title is omitted where there is a heading.
 */
export function addressOf(
  { facts, chunk, namesake }: Found,
  { lang, corpus }: { lang: Language; corpus: CorpusSettings },
): string {
  // The date is omitted if the title contains the edition.
  const own = facts.event_date ?? (namesake ? facts.edition : undefined) ?? null;
  const date = own === null || facts.title.includes(own) ? '' : phrases[lang].date(own);
  const heading = facts.title.includes(chunk.heading) ? '' : headingOf(chunk.heading);
  const file = namesake ? ` [${facts.doc_key.slice(facts.doc_key.lastIndexOf('/') + 1)}]` : '';
  const isUnderstood = heading !== '' && !namesake && titlesOf(corpus).includes(facts.title);
  const title = isUnderstood || facts.title === facts.doc_key ? '' : facts.title + file;
  return withoutInjections([title, heading, date].filter((part) => part !== '').join(', '));
}

/** All language versions of a title; empty for a layer without one. */
export const titlesOf = ({ title }: CorpusSettings | Layer): string[] =>
  typeof title === 'string' ? [title] : Object.values(title ?? {});

/** The public layers of an edition, in order of precedence. */
export function layersOf(corpus: CorpusSettings, edition: Edition): Layer[] {
  return corpus.layers.filter(
    (layer) => isPublic(layer) && (layer.kind === 'superseded') === (edition === 'superseded'),
  );
}

/** The title of a layer in the asker's language, or its name if it has no title. */
export function layerTitle(layers: readonly Layer[], name: string, lang: Language): string {
  return localized(layers.find((layer) => layer.name === name)?.title ?? null, lang) || name;
}
