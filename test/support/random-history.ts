/** Random histories as the service could have written them: document revisions with vectors, and asks. */
import fc from 'fast-check';
import {
  type Chunk,
  type EventType,
  type EventTypes,
  eventSchemas,
  type Language,
  type RevisionFacts,
} from '../../src/domain/events.ts';
import { encodeVectors } from '../../src/domain/vectors.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';

/** The deterministic embedder of the stores under test; vectors of other embedders come with their events. */
export const embedder = 'length';

/** The length of the text's words as an angle; null for another embedder. */
export const embed = (name: string, words: readonly string[]): Float32Array | null => {
  const { length } = words.join(' ');
  return name === embedder ? Float32Array.of(Math.cos(length), Math.sin(length)) : null;
};

const words = [
  ...['закон', 'законы', 'мост', 'реки', 'ремонт', 'паром', 'ярмарка', 'совет', 'жители', 'площадь'],
  ...['library', 'books', 'hours', 'lent', 'closing', 'бала', 'балалар', 'заң', 'заңдар', 'өзен'],
  // Entities that the rules of the graph find.
  ...['Верховный суд', 'Серик Ахметов', 'в городе Нуртау', 'статья 2', 'Article 3', '12 мая 2021 года'],
];

const languages: Language[] = ['ru', 'kk', 'en'];

type Happening =
  | {
      what: 'revise';
      doc: number;
      texts: number[][];
      lang: number;
      /** Whether a language model extracted the entities. */
      extracted: boolean;
      end: 'publish' | 'abandon' | 'none';
    }
  | { what: 'embed'; doc: number; given: boolean }
  | { what: 'withdraw'; doc: number }
  | { what: 'restore'; doc: number }
  | { what: 'ask'; query: number[]; end: 'given' | 'withheld' | 'failed' | 'none'; day: number };

const few = (max: number) => fc.nat({ max: max - 1 });
const text = fc.array(few(words.length), { minLength: 1, maxLength: 6 });
const happens = <What extends string, Fields>(
  weight: number,
  what: What,
  fields: { [K in keyof Fields]: fc.Arbitrary<Fields[K]> },
) => ({ weight, arbitrary: fc.record(fields).map((made) => ({ what, ...made })) });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  happens(5, 'revise', {
    doc: few(4),
    texts: fc.array(text, { minLength: 1, maxLength: 4 }),
    lang: few(3),
    extracted: fc.boolean(),
    end: fc.constantFrom('publish', 'publish', 'publish', 'abandon', 'none'),
  }),
  happens(2, 'embed', { doc: few(4), given: fc.boolean() }),
  happens(1, 'withdraw', { doc: few(4) }),
  happens(1, 'restore', { doc: few(4) }),
  happens(3, 'ask', {
    query: text,
    end: fc.constantFrom('given', 'withheld', 'failed', 'none'),
    day: few(3),
  }),
);

/** At most this many actions, each with one to eight events. */
export const histories = (max: number): fc.Arbitrary<RecordedEvent[]> =>
  fc.array(happening, { minLength: 1, maxLength: max }).map(eventsOf);

interface Known {
  revision: number;
  facts: RevisionFacts | null;
  /** For the visible revision, or the one being written. */
  visible: { revision: number; chunks: number } | null;
  open: { revision: number; chunks: number } | null;
  /** The last published content. */
  last: { revision: number; texts: number[][]; lang: number; extracted: boolean } | null;
}

function eventsOf(happenings: readonly Happening[]): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  const docs = new Map<number, Known>();
  const add = <T extends EventType>(type: T, data: EventTypes[T]) => {
    const n = events.length + 1;
    const time = new Date(Date.UTC(2026, 4, 1) + n * 60_000).toISOString();
    const by = { actor: 'system', correlation_id: 'c', causation_id: null };
    const at = { stream: 's', revision: n - 1, position: String(n).padStart(16, '0') };
    events.push({
      id: `e${n}`,
      type,
      version: eventSchemas[type].version,
      time,
      ...by,
      ...at,
      data,
    } as unknown as RecordedEvent);
  };
  const layer = { name: 'main', title: null, kind: 'text' as const, visibility: 'public' as const };
  const settings = {
    title: 'Село',
    description: null,
    languages: ['ru' as const],
    styles: [],
    layers: [layer],
  };
  add('CorpusRegistered', { corpus_id: 'a', settings });
  const documentOf = (doc: number): Known => {
    const known = docs.get(doc);
    if (known) return known;
    const fresh: Known = { revision: 0, facts: null, visible: null, open: null, last: null };
    docs.set(doc, fresh);
    add('DocumentRegistered', { corpus_id: 'a', doc_id: doc + 1, doc_key: `d${doc}`, root: null });
    return fresh;
  };
  const of = (doc: number, revision: number) => ({ doc_id: doc + 1, corpus_id: 'a', revision });
  const abandon = (doc: number, known: Known) => {
    if (known.open === null) return;
    const { revision, chunks } = known.open;
    add('RevisionAbandoned', { ...of(doc, revision), chunk_count: chunks, reason: 'r' });
    known.open = null;
  };
  type Revising = Happening & { what: 'revise' };
  const revise = ({ doc, texts, lang, extracted, end }: Revising, restored_from: number | null = null) => {
    const known = documentOf(doc);
    abandon(doc, known);
    const revision = ++known.revision;
    const language = languages[lang]!;
    const facts: RevisionFacts = {
      ...of(doc, revision),
      doc_key: `d${doc}`,
      title: `${words[doc]} ${words[revision % words.length]}`,
      lang: language,
      layer: revision % 4 === 0 ? { ...layer, name: 'old', kind: 'superseded' } : layer,
      url: null,
      source_url: null,
      event_date: null,
      metadata: revision % 2 === 0 ? { author: `Author ${doc}`, position: 'Judge' } : {},
      content_hash: `h${revision}`,
    };
    const restored = restored_from === null ? {} : { restored_from };
    const whole = { ...facts, root: null, path: null, input_hash: null, ...restored };
    add('RevisionStarted', whole);
    known.open = { revision, chunks: 0 };
    known.facts = facts;
    let from = 0;
    // Two texts per batch, so that a revision has several batches.
    for (let first = 0; first < texts.length; first += 2) {
      const batch = texts.slice(first, first + 2).map((list) => list.map((n) => words[n]).join(' '));
      let start = from;
      const chunks = batch.map((one, n): Chunk => {
        const chunk = {
          chunk_index: String(first + n),
          heading: n === 0 ? '' : words[first % words.length]!,
          path: [],
          number: (first + n) % 2 === 0 ? String(first + n + 1) : null,
          unit: (first + n) % 4 === 0 ? 'article' : null,
          question: one.length % 3 === 0 ? `${one}?` : null,
          lang: language,
          start,
          end: start + one.length,
        };
        start += one.length + 1;
        return chunk;
      });
      const joined = batch.join('\n');
      add('ChunksAdded', { ...of(doc, revision), from, text: joined, first, chunks });
      from += joined.length + 1;
      known.open.chunks += chunks.length;
    }
    if (extracted) {
      const mentionsOf = (list: readonly number[]) => {
        const [one, other] = [words[list[0]!]!, words[list.at(-1)!]!];
        const start = list.map((n) => words[n]).join(' ').length - other.length;
        const first = { kind: 'person' as const, text: one, start: 0, end: one.length };
        const last = { kind: 'place' as const, text: other, start, end: start + other.length };
        return start === 0 ? [first] : [first, last];
      };
      // Two events, like a revision whose mentions do not fit into one.
      for (const part of [0, 1]) {
        const named = texts.flatMap((list, ordinal) =>
          ordinal % 2 === part ? [{ ordinal, lang: language, mentions: mentionsOf(list) }] : [],
        );
        if (named.length > 0) add('EntitiesExtracted', { ...of(doc, revision), model: 'm', chunks: named });
      }
    }
    if (end === 'abandon') abandon(doc, known);
    if (end !== 'publish') return;
    const { chunks } = known.open;
    const replaces = known.visible && { revision: known.visible.revision, chunk_count: known.visible.chunks };
    add('RevisionPublished', { ...whole, chunk_count: chunks, text_length: from, replaces });
    known.visible = { revision, chunks };
    known.open = null;
    known.last = { revision, texts, lang, extracted };
  };
  const embedded = ({ doc, given }: Happening & { what: 'embed' }) => {
    const known = docs.get(doc);
    const at = known?.visible ?? known?.open;
    if (!at) return;
    const count = Math.max(1, at.chunks - 1);
    const vectors = Array.from({ length: count }, (_, n) => Float32Array.of(Math.cos(n), 0, Math.sin(n)));
    add('ChunksEmbedded', {
      ...of(doc, at.revision),
      embedder: given ? 'given' : embedder,
      dimension: given ? 3 : 2,
      first: at.chunks - count,
      count,
      vectors: given ? encodeVectors(vectors) : null,
      job_id: null,
    });
  };
  const withdraw = (doc: number) => {
    const known = docs.get(doc);
    if (!known?.visible) return;
    abandon(doc, known);
    const { revision, chunks } = known.visible;
    add('DocumentWithdrawn', { ...of(doc, revision), doc_key: `d${doc}`, chunk_count: chunks, reason: null });
    known.visible = null;
  };
  const restore = (doc: number) => {
    const known = docs.get(doc);
    if (!known?.last || known.visible) return;
    const { revision, ...said } = known.last;
    revise({ what: 'revise', doc, ...said, end: 'publish' }, revision);
  };
  const ask = ({ query, end, day }: Happening & { what: 'ask' }) => {
    const request_id = `r${events.length}`;
    const facts = {
      request_id,
      corpus_id: 'a',
      channel: 'http' as const,
      style: null,
      key_id: day === 0 ? 1 : null,
      subject: 's',
      asked_at: `2026-05-0${day + 1}T10:00:00.000Z`,
    };
    const more = { history: [], deadline: `2026-05-0${day + 1}T10:05:00.000Z`, body_hash: null };
    add('QuestionAsked', { ...facts, ...more, query: query.map((n) => words[n]).join(' ') });
    const ending = { ...facts, lang: 'ru' as const, latency_ms: 10 + query.length };
    const dossier = {
      rewritten: null,
      passages: [],
      model: null,
      prompt_version: null,
      evidence: null,
      timings: {},
      usage: null,
      sources: [],
      answer: 'Да.',
    };
    if (end === 'given')
      add('AnswerGiven', {
        ...ending,
        ...dossier,
        mode: 'ordinary',
        citations: [],
        finish_reason: 'stop',
        cached: false,
      });
    if (end === 'withheld') add('AnswerWithheld', { ...ending, ...dossier, mode: 'no_answer' });
    if (end === 'failed') add('AnswerFailed', { ...ending, code: 'timeout', retryable: true });
  };
  for (const one of happenings) {
    if (one.what === 'revise') revise(one);
    else if (one.what === 'embed') embedded(one);
    else if (one.what === 'withdraw') withdraw(one.doc);
    else if (one.what === 'restore') restore(one.doc);
    else ask(one);
  }
  return events;
}

/** Such a history as a runner reads it. `there`: how many events exist so far; `size`: the limit of a page. */
export const logOf = (
  events: readonly RecordedEvent[],
  there = () => events.length,
  size = () => Number.POSITIVE_INFINITY,
) => ({
  readAll: async (after: string | null, limit: number) =>
    events.slice(Number(after ?? 0), Math.min(there(), Number(after ?? 0) + Math.min(limit, size()))),
  head: async () => events[there() - 1]?.position ?? null,
});
