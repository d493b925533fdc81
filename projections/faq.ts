/**
 * The FAQ cache: entries keyed by question, how often each was served, and how often an answer was given before it
 * became an entry. When an entry is read, the current revisions and prompt decide whether it is still valid.
 *
 * Curated entries have ids numbered from 1. The id of a document's question-answer pair is derived from the document,
 * revision and ordinal. The id of a repeated answer is derived from the hash of its question, so that a newer answer
 * replaces it.
 */
import { createHash } from 'node:crypto';
import type { AnswerLabel, Citation, Language, RecordedSource, Style } from '../src/domain/events.ts';
import { blockOfSubject } from '../src/domain/network-subjects.ts';
import { citationsOf } from '../src/domain/recorded-citations.ts';
import type { Doc, Write } from '../src/ports/read-models.ts';
import { identityOf } from '../src/text/question-identity.ts';
import { analysed } from './analysed.ts';
import type { Projection } from './runner.ts';

interface FaqRecordOf {
  entry_id: number;
  corpus_id: string;
  lang: Language;
  question: string;
  answer: string;
  /** SHA-256 (hex) of the question's identity, which is the lookup key. */
  asked: string;
  created_at: string;
}

/** A question–answer pair in a revision, in any layer. */
export interface PairRecord extends FaqRecordOf {
  origin: 'layer';
  doc_id: number;
  revision: number;
  chunk_index: string;
}

/** An answer with its sources. */
export interface AnswerRecord extends FaqRecordOf {
  origin: 'curated' | 'repeated';
  sources: RecordedSource[];
  citations: Citation[];
  labels: AnswerLabel[];
  style: Style | null;
  finish_reason: 'stop' | 'length';
  /** Null if it was written by people and therefore does not depend on the prompt. */
  prompt_version: number | null;
  answer_key: string | null;
}

export type FaqRecord = PairRecord | AnswerRecord;

const entries = 'faq';
const hits = 'faq_hits';
const answers = 'faq_answers';
const questions = 'faq_questions';
const proposals = 'faq_proposals';

const givenPrefix = 'to:';
const networkPrefix = `${givenPrefix}net:`;

/**
 * The field for one recipient in the record of a repeatable answer, with the ask in which the answer was given. A
 * network gets a new subject every day, and a subscriber may have many networks, so the recipient is the network's
 * block on that day (UTC, "2026-01-31").
 */
export function givenTo(subject: string, day: string): string {
  const field = `${givenPrefix}${subject}`;
  return field.startsWith(networkPrefix) ? `${networkPrefix}${day}:${blockOfSubject(subject)}` : field;
}

/**
 * Whether a field counts as a recipient. Networks count only on the current day, because the same network has a
 * different field on each day.
 */
export const countsOn = (field: string, day: string): boolean =>
  field.startsWith(networkPrefix)
    ? field.startsWith(`${networkPrefix}${day}:`)
    : field.startsWith(givenPrefix);

/** The field of a person who rated the answer negatively. The value false means that the rating was withdrawn. */
const ratedDownBy = (subject: string): string => `down:${subject}`;
/** The field in a question's record for an answer that was given to it. */
const answeredBy = (answerKey: string): string => `answer:${answerKey}`;

/** Data of a repeatable answer, excluding its recipients. */
export interface GivenAnswer {
  corpus_id: string;
  sources: RecordedSource[];
  prompt_version: number;
  /** Whether an administrator removed it, in which case it never becomes an entry again. */
  removed?: boolean;
}

/** The number of people who have rated an answer negatively, from its record. */
export const downs = (answer: Doc): number =>
  Object.entries(answer).filter(([field, down]) => field.startsWith(ratedDownBy('')) && down === true).length;

/** The keys of the answers given to a question, from its record. */
export const answerKeys = (question: Doc): string[] =>
  Object.keys(question).flatMap((field) =>
    field.startsWith(answeredBy('')) ? [field.slice(answeredBy('').length)] : [],
  );

const revisions = 2 ** 12;
const ordinals = 2 ** 17;
const repeatedFrom = 2 ** 52;

const pairId = (docId: number, revision: number, ordinal: number) =>
  (docId * revisions + (revision % revisions)) * ordinals + (ordinal % ordinals);

/** The entry id of a repeated answer: 48 bits of the question's hash, above all other ids. */
const repeatedId = (questionKey: string) => repeatedFrom + Number.parseInt(questionKey.slice(0, 12), 16);

const put = (record: FaqRecord): Write => ({
  op: 'put',
  collection: entries,
  key: String(record.entry_id),
  doc: { ...record },
});
const drop = (entryId: number): Write => ({ op: 'delete', collection: entries, key: String(entryId) });

/**
 * Deletes the pairs of a revision that is no longer visible. Their ordinals are unknown, so all possible ids are
 * deleted.
 */
const dropPairs = (docId: number, revision: number, chunkCount: number): Write[] =>
  Array.from({ length: chunkCount }, (_, ordinal) => drop(pairId(docId, revision, ordinal)));

/**
 * The lookup key of an entry. It is equal for the same question (`identityOf`) and has a fixed length in every store.
 */
export const askedKey = (question: string): string =>
  createHash('sha256').update(identityOf(question)).digest('hex');

export const faq: Projection = {
  name: 'faq',
  version: analysed(6),
  collections: [
    {
      name: entries,
      fields: { corpus_id: 'tag', lang: 'tag', origin: 'tag', asked: 'tag', created_at: 'time' },
    },
    { name: hits, fields: {} },
    { name: answers, fields: {} },
    { name: questions, fields: {} },
    { name: proposals, fields: { proposed_at: 'time' } },
  ],
  on: {
    ChunksAdded: ({ data: { doc_id, corpus_id, revision, first, from, text, chunks }, time }) =>
      chunks.flatMap(({ question, lang, chunk_index, start, end }, n) =>
        question === null
          ? []
          : [
              put({
                entry_id: pairId(doc_id, revision, first + n),
                origin: 'layer',
                corpus_id,
                lang,
                question,
                answer: text.slice(start - from, end - from),
                asked: askedKey(question),
                created_at: time,
                doc_id,
                revision,
                chunk_index,
              }),
            ],
      ),
    RevisionPublished: ({ data: { doc_id, replaces } }) =>
      replaces === null ? [] : dropPairs(doc_id, replaces.revision, replaces.chunk_count),
    DocumentWithdrawn: ({ data: { doc_id, revision, chunk_count } }) =>
      dropPairs(doc_id, revision, chunk_count),

    FaqEntryAdded: ({ data: { added_at, added_by: _, ...entry } }) => [
      put({
        ...entry,
        origin: 'curated',
        asked: askedKey(entry.question),
        created_at: added_at,
        labels: [],
        style: null,
        finish_reason: 'stop',
        prompt_version: null,
        answer_key: null,
      }),
    ],
    FaqEntryProposed: ({ data: { forgotten, ...proposal } }) =>
      forgotten
        ? []
        : [{ op: 'put', collection: proposals, key: String(proposal.proposal_id), doc: { ...proposal } }],
    FaqProposalDecided: ({ data }) => [
      { op: 'delete', collection: proposals, key: String(data.proposal_id) },
    ],
    FaqEntryRemoved: ({ data: { entry_id, answer_key } }) => [
      drop(entry_id),
      ...(answer_key === null ? [] : [merge(answers, answer_key, { removed: true })]),
    ],

    AnswerGiven: ({ data, time }) => {
      const { repeatable, faq: cached, subject, request_id, corpus_id, lang } = data;
      const writes: Write[] = [];
      if (cached) {
        const key = String(cached.entry_id);
        writes.push({ op: 'merge', collection: hits, key, doc: { last_hit_at: time } });
        writes.push({ op: 'increment', collection: hits, key, by: { hits: 1 } });
      }
      if (repeatable) {
        const { question_key, answer_key, question, style, prompt_version, enters, contested } = repeatable;
        const given: GivenAnswer = { corpus_id, sources: data.sources, prompt_version };
        writes.push(
          merge(answers, answer_key, { ...given, [givenTo(subject, time.slice(0, 10))]: request_id }),
          merge(questions, question_key, { [answeredBy(answer_key)]: request_id }),
        );
        if (contested) writes.push(drop(repeatedId(question_key)));
        if (enters)
          writes.push(
            put({
              entry_id: repeatedId(question_key),
              origin: 'repeated',
              corpus_id,
              lang,
              question,
              answer: data.answer,
              asked: askedKey(question),
              created_at: time,
              sources: data.sources,
              citations: citationsOf(data),
              labels: data.labels ?? [],
              style,
              finish_reason: data.finish_reason,
              prompt_version,
              answer_key,
            }),
          );
      }
      return writes;
    },
    AnswerRated: ({ data: { answer_key, rating, previous, subject, forgotten } }) =>
      !forgotten && answer_key && (rating === 'down') !== (previous === 'down')
        ? [merge(answers, answer_key, { [ratedDownBy(subject)]: rating === 'down' })]
        : [],
  },
};

const merge = (collection: string, key: string, doc: Doc): Write => ({ op: 'merge', collection, key, doc });
