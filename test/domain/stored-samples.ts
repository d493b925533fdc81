/**
 * Stored data of every event type, with a sample of each version that ever existed, oldest first. The last one is
 * current and is checked against the type; earlier ones represent existing histories and are never edited.
 */
import type {
  AnswerProvenance,
  AskFacts,
  CorpusSettings,
  EventType,
  EventTypes,
  RecordedSource,
  RevisionFacts,
} from '../../src/domain/events.ts';

const settings: CorpusSettings = {
  title: { ru: 'Устав', en: 'Charter' },
  description: null,
  languages: ['ru', 'en'],
  styles: ['brief'],
  layers: [{ name: 'norm', title: 'Норма', kind: 'text', visibility: 'public' }],
};
const revision: RevisionFacts = {
  doc_id: 7,
  corpus_id: 'charter',
  doc_key: 'norm/charter',
  revision: 2,
  title: 'Устав',
  lang: 'ru',
  layer: settings.layers[0]!,
  url: 'https://example.org/charter',
  source_url: null,
  event_date: '2026-01',
  metadata: { year: 2026 },
  content_hash: 'c0',
};
const origin = { root: '/in', path: '/in/norm/charter.md', input_hash: 'b0' };
const facts: AskFacts = {
  request_id: 'r1',
  corpus_id: 'charter',
  channel: 'http',
  lang: 'ru',
  style: 'brief',
  key_id: 3,
  subject: 's1',
  asked_at: '2026-01-01T10:00:00.000Z',
  latency_ms: 12,
};
const { lang: _, latency_ms: __, ...asked } = facts;
const reply = { chat_id: 'c1', channel: 'telegram' as const, delivery: 'd1', request_id: 'r1' };
const source: RecordedSource = {
  ref: 'norm/charter#3',
  doc_id: 7,
  doc_key: 'norm/charter',
  revision: 2,
  content_hash: 'c0',
  chunk_index: '3',
  heading: 'Статья 3',
  title: 'Устав',
  url: null,
  source_url: null,
  event_date: null,
  layer: 'norm',
  layer_title: 'Норма',
  lang: 'ru',
  score: 4.2,
};
const dossier: AnswerProvenance = {
  rewritten: 'кто подписывает устав',
  passages: [
    { ref: 'norm/charter#3', doc_id: 7, revision: 2, content_hash: 'c0', chunk_index: '3', score: 4.2 },
  ],
  model: null,
  prompt_version: 1,
  evidence: { score: 4.2, threshold: 3.5, reason: null },
  timings: { retrieve: 4 },
  usage: null,
  unverified: true,
  searches: ['подписание устава'],
  writing: {
    verifier: 'cohere:command-a-03-2025',
    sentences: [
      {
        text: 'Президент подписывает устав.',
        start: 0,
        verdict: 'supported',
        reason: null,
        repaired_from: null,
        quotes: [{ ref: 'rules#1', quote: 'его подписывает' }],
      },
    ],
    calls: [
      { purpose: 'write', model: 'cohere:command-a-03-2025', count: 1, input_tokens: 9, output_tokens: 2 },
    ],
  },
};
const citation = {
  start: 0,
  end: 9,
  ref: 'norm/charter#3',
  quote: 'Президент',
  revision: 2,
  content_hash: 'c0',
};

type Samples = { [T in EventType]: readonly [...older: unknown[], today: EventTypes[T]] };

export const storedSamples: Samples = {
  CorpusRegistered: [{ corpus_id: 'charter', settings }],
  CorpusChanged: [{ corpus_id: 'charter', settings }],
  CorpusActivated: [{ corpus_id: 'charter' }],
  CorpusDeactivated: [{ corpus_id: 'charter' }],
  DocumentRegistered: [{ corpus_id: 'charter', doc_id: 7, doc_key: 'norm/charter', root: '/in' }],
  DocumentWithdrawn: [
    {
      doc_id: 7,
      corpus_id: 'charter',
      doc_key: 'norm/charter',
      revision: 2,
      chunk_count: 40,
      reason: 'It was moved.',
    },
  ],
  RevisionStarted: [{ ...revision, ...origin }],
  ChunksAdded: [
    {
      doc_id: 7,
      corpus_id: 'charter',
      revision: 2,
      from: 0,
      text: 'Президент подписывает устав.',
      first: 0,
      chunks: [
        {
          chunk_index: '3',
          heading: 'Статья 3',
          path: ['Глава 1', 'Статья 3'],
          number: '3',
          unit: 'article',
          question: null,
          lang: 'ru',
          start: 0,
          end: 28,
        },
      ],
    },
  ],
  RevisionPublished: [
    {
      ...revision,
      ...origin,
      chunk_count: 40,
      text_length: 9000,
      replaces: { revision: 1, chunk_count: 39 },
    },
  ],
  RevisionAbandoned: [
    { doc_id: 7, corpus_id: 'charter', revision: 2, reason: 'A newer one was begun.' },
    { doc_id: 7, corpus_id: 'charter', revision: 2, chunk_count: null, reason: 'A newer one was begun.' },
  ],
  QuestionAsked: [
    {
      ...asked,
      query: 'А кто его подписывает?',
      history: [{ role: 'user', content: 'Что такое устав?' }],
      deadline: '2026-01-01T10:02:00.000Z',
      body_hash: 'a0',
    },
  ],
  AnswerGiven: [
    {
      ...facts,
      ...dossier,
      mode: 'ordinary',
      answer: 'Президент подписывает устав.',
      sources: [source],
      citations: [citation],
      finish_reason: 'stop',
      cached: false,
      replaced: null,
      labels: [[3, 9]],
      question_key: 'q0',
      repeatable: {
        question_key: 'd0',
        answer_key: 'e0',
        question: 'Кто подписывает устав?',
        style: null,
        prompt_version: 1,
        enters: true,
        contested: false,
      },
      faq: { entry_id: 5, answer_key: 'e0' },
    },
  ],
  AnswerWithheld: [{ ...facts, ...dossier, mode: 'no_answer', answer: 'Ответа нет.', sources: [] }],
  AnswerFailed: [{ ...facts, lang: null, code: 'timeout', retryable: true }],
  AskCancelled: [facts],
  AskAbandoned: [{ ...facts, lang: null }],
  AnswerRated: [
    {
      request_id: 'r1',
      subject: 's1',
      rating: 'down',
      comment: 'Не о том.',
      previous: 'up',
      answer_key: 'e0',
    },
  ],
  SourcesLookedUp: [{ ...facts, query: 'устав', mode: 'ordinary', sources: [source] }],
  FaqEntryAdded: [
    {
      entry_id: 5,
      corpus_id: 'charter',
      lang: 'ru',
      question: 'Кто подписывает устав?',
      answer: 'Президент.',
      sources: [source],
      citations: [citation],
      added_at: '2026-01-02T10:00:00.000Z',
      added_by: 'ada',
    },
  ],
  FaqEntryProposed: [
    {
      proposal_id: 1,
      corpus_id: 'charter',
      question: 'Where is the form?',
      answer: 'In room 5.',
      subject: 's1',
      proposed_at: '2026-01-01T10:00:00.000Z',
    },
  ],
  FaqProposalDecided: [
    { proposal_id: 1, entry_id: null, decided_at: '2026-01-01T11:00:00.000Z', decided_by: 'ada' },
  ],
  HelpRequested: [{ request_id: 'r1', subject: 's1', requested_at: '2026-01-01T10:00:00.000Z' }],
  HelpResolved: [{ request_id: 'r1', subject: 's2', resolved_at: '2026-01-01T10:30:00.000Z' }],
  FaqEntryRemoved: [
    { entry_id: 5, answer_key: null, removed_at: '2026-01-03T10:00:00.000Z', removed_by: 'ada' },
  ],
  ApiKeyCreated: [
    {
      key_id: 3,
      name: 'Portal',
      owner_email: 'owner@example.org',
      prefix: 'dk_0123456',
      hash: 'f0',
      corpus_ids: ['charter'],
      rate_limit_rpm: 60,
      rate_limit_rph: 600,
      created_at: '2026-01-01T09:00:00.000Z',
      created_by: 'ada',
    },
  ],
  ApiKeyRevoked: [{ key_id: 3, revoked_at: '2026-01-04T10:00:00.000Z', revoked_by: 'ada' }],
  BackfillRequested: [
    {
      job_id: 'j1',
      doc_key: null,
      batch_size: 100,
      embedder: 'offline-grams-1',
      total_chunks: 40,
      embedded_chunks: 0,
      requested_at: '2026-01-01T11:00:00.000Z',
      requested_by: 'ada',
    },
  ],
  BackfillClaimed: [{ job_id: 'j1', worker: 'w1', until: '2026-01-01T11:01:00.000Z' }],
  BackfillCompleted: [{ job_id: 'j1', finished_at: '2026-01-01T11:02:00.000Z' }],
  BackfillFailed: [{ job_id: 'j1', finished_at: '2026-01-01T11:02:00.000Z', reason: 'The model is away.' }],
  ChunksEmbedded: [
    {
      doc_id: 7,
      corpus_id: 'charter',
      revision: 2,
      embedder: 'other-1',
      dimension: 2,
      first: 0,
      count: 1,
      vectors: 'AACAPwAAAAA=',
      job_id: 'j1',
    },
  ],
  EntitiesExtracted: [
    {
      doc_id: 7,
      corpus_id: 'charter',
      revision: 2,
      model: 'other-1',
      chunks: [
        { ordinal: 0, lang: 'en', mentions: [{ kind: 'place', text: 'Temirsai', start: 4, end: 12 }] },
      ],
    },
  ],
  GraphEntitySplit: [
    {
      split_id: 1,
      corpus_id: 'charter',
      key: 'name:вс',
      split_at: '2026-01-01T08:00:00.000Z',
      split_by: 'ada',
    },
  ],
  GraphSplitUndone: [
    {
      split_id: 1,
      corpus_id: 'charter',
      key: 'name:вс',
      undone_at: '2026-01-01T09:00:00.000Z',
      undone_by: 'ada',
    },
  ],
  SystemPromptChanged: [
    { version: 1, content: 'Be brief.', changed_at: '2026-01-01T08:00:00.000Z', changed_by: 'ada' },
  ],
  ModelsUsed: [
    {
      day: '2026-01-01',
      chats: 2,
      embeds: 3,
      reranks: 2,
      input_tokens: 900,
      output_tokens: 60,
      embed_tokens: 40,
      search_units: 2,
      cost_micro_usd: 6854,
    },
  ],
  AdminSessionOpened: [
    {
      session: 'ab'.repeat(32),
      name: 'ada',
      role: 'admin',
      credential: 'cd'.repeat(32),
      opened_at: '2026-01-01T07:00:00.000Z',
      expires_at: '2026-01-01T19:00:00.000Z',
    },
  ],
  AdminSessionClosed: [{ session: 'ab'.repeat(32), closed_at: '2026-01-01T08:00:00.000Z' }],
  AdminLoginFailed: [{ count: 2, names: ['ada'], at: '2026-01-01T07:00:00.000Z' }],
  TrialMade: [
    {
      name: 'ada',
      request_id: 'r-1',
      corpus_id: 'laws',
      style: null,
      model: 'none',
      own_prompt: true,
      at: '2026-01-01T07:30:00.000Z',
    },
  ],
  AdminRead: [{ name: 'ada', what: 'queries', filter: { search: 'устав?' }, at: '2026-01-01T07:30:00.000Z' }],
  ReplyStarted: [
    { ...reply, subject: 's1', worker: 'w1', task: 'sealed', started_at: '2026-01-01T10:00:00.000Z' },
  ],
  ReplyPosted: [{ ...reply, subject: 's1', messages: 'sealed' }],
  ReplyTaken: [{ ...reply, request_id: 'r2', worker: 'w2', taken_at: '2026-01-01T10:00:10.000Z' }],
  ReplyEnded: [{ ...reply, request_id: 'r2', answered: true, ended_at: '2026-01-01T10:00:11.000Z' }],
  ChatChanged: [
    {
      chat_id: 'c1',
      channel: 'telegram',
      language: 'kk',
      style: null,
      corpus_id: 'charter',
      changed_at: '2026-01-01T10:01:00.000Z',
    },
    {
      chat_id: 'c1',
      channel: 'telegram',
      language: 'kk',
      style: null,
      corpus_id: 'charter',
      corpora: null,
      answers: 'mentions',
      threads: 'questions',
      silent: false,
      ephemeral: false,
      helpers: [],
      bots: false,
      muted: false,
      place: null,
      changed_by: null,
      changed_at: '2026-01-01T10:01:00.000Z',
    },
  ],
  ChatFileShared: [
    {
      chat_id: 'c1',
      channel: 'telegram',
      subject: 's1',
      file_id: 'f1',
      file: 'sealed',
      shared_at: '2026-01-01T10:01:30.000Z',
    },
  ],
  ChatForgotten: [{ chat_id: 'c1', channel: 'telegram', forgotten_at: '2026-01-01T10:02:00.000Z' }],
  SubjectForgotten: [{ subject: 's1', forgotten_at: '2026-01-01T10:03:00.000Z' }],
  WordsExpired: [{ before: '2025-12-01', keys_destroyed: 3, expired_at: '2026-01-01T10:05:00.000Z' }],
  KeysLost: [{ lost_at: '2026-01-01T10:04:00.000Z' }],
  ReadModelsVerified: [
    {
      same: false,
      events: 12,
      projections: [
        {
          projection: 'stats',
          version: 3,
          checkpoint: '0000000000000012',
          entries: 40,
          differences: { 'record stats': 2 },
          more: false,
        },
      ],
    },
  ],
  HistorySealed: [{ size: 12, checkpoint: 'charter\n12\nAAA=\n\n— charter AAA=\n', key: 'charter+00+AAA=' }],
  SealingKeyChanged: [{ from: 'charter+00+AAA=', to: 'charter+01+AAA=', note: 'docent sealing key\n…' }],
};
