/**
 * All facts that the service stores: the history consists only of these events.
 *
 * Each type has a schema version. A change of shape increases it and adds an upcaster (upcasting.ts), so that old
 * events are read in the current form. `personal` lists the fields that reveal something about a person, or against
 * which a guess at a person's words could be checked. Stream names, ids, types and metadata contain nothing personal.
 */

import { type Language, languages } from './languages.ts';

export { type Language, languages };

/** One text, or one per language. */
export type Localized = string | Partial<Record<Language, string>>;

export const styles = ['brief', 'quotes', 'compare', 'analytic'] as const;
export type Style = (typeof styles)[number];

export type Rating = 'up' | 'down';

export const channels = [
  'http',
  'stream',
  'websocket',
  'slack',
  'telegram',
  'cli',
  'mcp',
  'source-refs',
] as const;
export type Channel = (typeof channels)[number];

/** The kind of an answer, as a closed enumeration in the public contract. */
export const modes = [
  'exact',
  'ordinary',
  'comparison',
  'historical',
  'faq',
  'greeting',
  'meta',
  'no_answer',
] as const;
export type Mode = (typeof modes)[number];

/** `text` is ordinary text, `faq` contains question–answer pairs, and `superseded` is no longer in force. */
export type LayerKind = 'text' | 'faq' | 'superseded';

export interface Layer {
  name: string;
  title: Localized | null;
  kind: LayerKind;
  /** `restricted`: never retrieved, but listed for administrators. */
  visibility: 'public' | 'restricted';
}

/** The settings of a corpus. `layers` are in order of rank, the highest first. */
export interface CorpusSettings {
  title: Localized;
  description: Localized | null;
  languages: Language[];
  styles: Style[];
  layers: Layer[];
  /** Example questions to begin with, by language; absent: none. */
  examples?: Partial<Record<Language, string[]>>;
}

/** A retrievable piece of a revision. Offsets are UTF-16 units in the revision's normalised text. */
export interface Chunk {
  /** Unique within the revision: the structural number if there is one ("23", "42.2"), else a counter ("007"). */
  chunk_index: string;
  /** The nearest heading; empty if there is none. */
  heading: string;
  /** Headings from the outermost to the nearest, without the document's title. */
  path: string[];
  /** The structural number ("23", "42.2") if the chunk is a numbered provision. */
  number: string | null;
  /** What the number counts: "article", "paragraph", "point", … as named in src/text/references/parse.ts. */
  unit: string | null;
  /** The question if the chunk is a question–answer pair; its text is then the answer. */
  question: string | null;
  lang: Language;
  start: number;
  end: number;
  /** Absent: none. */
  marks?: Mark[];
}

/**
 * A property of a section of a chunk's text; offsets are UTF-16 units in that text. `struck`: shown struck through, so
 * no longer in force. `page`: the page on which it is printed, counted from 1. `recognised`: read from an image, with a
 * `confidence` from 0 to 1.
 */
export type Mark = { start: number; end: number } & (
  | { kind: 'link'; url: string }
  | { kind: 'struck' }
  | { kind: 'page'; page: number }
  | { kind: 'recognised'; confidence: number }
);

/**
 * The kinds of names that a language model may find in a text. Provisions, dates and amounts are read by rules alone.
 */
export const namedKinds = ['person', 'organisation', 'place', 'law', 'document', 'term'] as const;
export type NamedKind = (typeof namedKinds)[number];

/** A place in a chunk's text that names something. Offsets are UTF-16 units in that text; `text` is the text there. */
export interface NamedSpan {
  kind: NamedKind;
  text: string;
  start: number;
  end: number;
}

/** The names that a model found in the `ordinal`-th chunk (counted from 0) of a revision. */
export interface ExtractedChunk {
  ordinal: number;
  lang: Language;
  mentions: NamedSpan[];
}

/** What a revision states about itself; repeated in RevisionStarted and RevisionPublished. */
export interface RevisionFacts {
  doc_id: number;
  corpus_id: string;
  doc_key: string;
  /** 1 for the first revision of a document. */
  revision: number;
  title: string;
  lang: Language;
  layer: Layer;
  url: string | null;
  source_url: string | null;
  /** ISO date (YYYY-MM-DD, YYYY-MM or YYYY). */
  event_date: string | null;
  /**
   * The edition date that the text states about itself, in the same format. Absent if the text states none, or if
   * `event_date` is stated.
   */
  edition?: string;
  metadata: Record<string, unknown>;
  /** SHA-256 in hex of the normalised text, metadata, layer and pipeline version. */
  content_hash: string;
}

/** The origin of a revision's text. */
export interface RevisionOrigin {
  /** The folder or upload. */
  root: string | null;
  /** The name of the file there. */
  path: string | null;
  /** SHA-256 of the file's bytes and everything known about it; a shortcut to detect that nothing has changed. */
  input_hash: string | null;
  /** The earlier revision that this one restores after the document was withdrawn; absent: it was read from a file. */
  restored_from?: number;
}

/** A source as it was shown, with everything needed to find the same text again. */
export interface RecordedSource {
  ref: string;
  doc_id: number;
  doc_key: string;
  revision: number;
  content_hash: string;
  chunk_index: string;
  heading: string;
  title: string | null;
  url: string | null;
  source_url: string | null;
  event_date: string | null;
  layer: string;
  /** In the passage's language; absent if the layer has no title. */
  layer_title?: string;
  lang: Language;
  score: number;
  /** The page of the quoted text, or of the beginning of the passage; absent if the document has no pages. */
  page?: number;
}

/** `start` and `end` are UTF-16 offsets in the answer. `quote` occurs word for word in the given revision. */
export interface Citation {
  start: number;
  end: number;
  ref: string;
  quote: string;
  /** The UTF-16 offset of the quote in the revision's text; absent if it was not recorded. */
  source_start?: number;
  revision: number;
  content_hash: string;
  /** The page on which the quote begins; absent if the document has no pages. */
  page?: number;
}

/** A recorded citation. `quote` is absent if it is identical to the answer's text from `start` to `end`. */
export type RecordedCitation = Omit<Citation, 'quote'> & { quote?: string };

/** A place where an answer only names a source: UTF-16 offsets in the answer, the second one exclusive. */
export type AnswerLabel = [start: number, end: number];

export interface HistoryMessage {
  role: 'user' | 'assistant';
  content: string;
}

/**
 * A recorded turn of a conversation, as used for the answer. `cut`: more was sent; `units` is its full length in UTF-16
 * units and `sha256` its hash. `answer_of`: the turn is the first `units` units of the answer that the same subject
 * received under that request id.
 */
export type RecordedTurn =
  | (HistoryMessage & { cut?: { units: number; sha256: string } })
  | { role: 'assistant'; answer_of: string; units: number };

/** For events with personal fields. */
export interface Forgettable {
  /** Set on reading and never stored: the personal data was erased, so its fields are blank. */
  forgotten?: true;
}

/** The facts that every event that ends an ask repeats, so that a projection needs no other event. */
export interface AskFacts extends Forgettable {
  request_id: string;
  corpus_id: string;
  channel: Channel;
  lang: Language;
  style: Style | null;
  key_id: number | null;
  /** Opaque; the request id if there is no other subject. */
  subject: string;
  asked_at: string;
  latency_ms: number;
}

/**
 * The same facts for an ask that ended without an answer. `lang` is null if the ask ended before its language was
 * known.
 */
export type UnansweredFacts = Omit<AskFacts, 'lang'> & { lang: Language | null };

/** A sentence that a model wrote, and its verification. */
export interface WrittenSentence {
  text: string;
  /** The UTF-16 offset in the answer; null: the sentence was left out. */
  start: number | null;
  /**
   * The verdict of the second reading. `silent`: the sentence only states what the passages do not say. `code`: a check
   * by code decided. `unverified`: there was no second reading.
   */
  verdict: 'supported' | 'partly' | 'not' | 'contradicts' | 'silent' | 'code' | 'unverified';
  /** What was wrong with the sentence, or with the version before its repair; null: nothing. */
  reason: string | null;
  /** The original version if the sentence was sent back for repair; null: it was not. */
  repaired_from: string | null;
  /** The evidence, word for word from the revision. */
  quotes: { ref: string; quote: string }[];
}

export interface ModelCalls {
  purpose: 'write' | 'check' | 'repair' | 'search';
  model: string;
  count: number;
  input_tokens: number;
  output_tokens: number;
  cost_micro_usd?: number;
}

export interface AnswerProvenance {
  /** The question used for retrieval, rewritten with the history taken into account. */
  rewritten: string | null;
  /**
   * The passages considered, best first, whether or not they were shown. If `passages_considered` states a higher
   * number, these are the first of them. Their text is in the revision, under `chunk_index`.
   */
  passages: {
    ref: string;
    doc_id: number;
    revision: number;
    content_hash: string;
    chunk_index: string;
    score: number;
  }[];
  /** Absent if `passages` contains all of them. */
  passages_considered?: number;
  /** null: the offline extractive answerer. */
  model: string | null;
  prompt_version: number | null;
  /** SHA-256 of the whole prompt except the passages; absent if no model wrote the answer. */
  prompt_sha256?: string;
  /** Whether a model should have written the answer but failed or stopped early; absent: no. */
  degraded?: true;
  /** A model wrote the answer, and part of it had no second reading; absent: no. */
  unverified?: true;
  /** The answer was read from a private file of the conversation, so it has no recorded sources; absent: no. */
  private_file?: true;
  /** How a model wrote the answer and how that was checked; absent if no model was involved. */
  writing?: {
    /** null: no second reading was configured. */
    verifier: string | null;
    sentences: WrittenSentence[];
    /** Calls are combined by purpose and model. */
    calls: ModelCalls[];
  };
  /** The additional search queries besides the question itself; absent: none. */
  searches?: string[];
  /** The models that found and ranked the passages; absent: only words were used. */
  retrieved_with?: { embedder: string | null; reranker: string | null };
  /** The evidence score and the threshold it was compared with; null if neither was needed. */
  evidence: { score: number; threshold: number; reason: string | null } | null;
  timings: Record<string, number>;
  /** null: no model was called. Absent fields are 0. `cost_micro_usd` uses the prices configured at the time. */
  usage: {
    input_tokens: number;
    output_tokens: number;
    embed_tokens?: number;
    search_units?: number;
    cost_micro_usd?: number;
  } | null;
}

/** An answer that can be given to others who ask the same question, because it depends only on the question. */
export interface RepeatableAnswer {
  /** SHA-256 in hex of the corpus, the language, the style and the question's words. */
  question_key: string;
  /**
   * SHA-256 in hex of `question_key`, the answer, its sources and the prompt. It is equal if the same answer is given
   * again.
   */
  answer_key: string;
  question: string;
  /** null if none was requested, or the corpus declares none. */
  style: Style | null;
  /** The prompt in force; 0: the built-in prompt. */
  prompt_version: number;
  /** Whether the answer enters the FAQ cache, because enough other people have received it. */
  enters: boolean;
  /** Whether a different answer to the same question is in force, so that neither is given to others. */
  contested: boolean;
}

/** A curated entry of the FAQ cache. */
export interface CuratedEntry {
  entry_id: number;
  corpus_id: string;
  lang: Language;
  question: string;
  answer: string;
  /** The sources of the answer. The entry is valid as long as these revisions are the visible ones. */
  sources: RecordedSource[];
  /** Offsets in the answer, for the parts of it that occur word for word in a source. */
  citations: Citation[];
  added_at: string;
  added_by: string;
}

/** A question and answer that a person in a chat proposes; an administrator accepts or rejects them. */
export interface FaqProposal extends Forgettable {
  proposal_id: number;
  corpus_id: string;
  question: string;
  answer: string;
  /** The person who proposes it. */
  subject: string;
  proposed_at: string;
}

export interface EventTypes {
  CorpusRegistered: { corpus_id: string; settings: CorpusSettings };
  CorpusChanged: { corpus_id: string; settings: CorpusSettings };
  CorpusActivated: { corpus_id: string };
  CorpusDeactivated: { corpus_id: string };
  /** `root` is the folder or upload of a document. A later run uses it to find documents that have disappeared. */
  DocumentRegistered: { corpus_id: string; doc_id: number; doc_key: string; root: string | null };

  RevisionStarted: RevisionFacts & RevisionOrigin;
  /** `text` is the revision's normalised text from offset `from` on. All batches together contain the whole text. */
  ChunksAdded: {
    doc_id: number;
    corpus_id: string;
    revision: number;
    from: number;
    text: string;
    first: number;
    chunks: Chunk[];
  };
  /** `replaces` is the previously visible revision; null if the document was not visible. */
  RevisionPublished: RevisionFacts &
    RevisionOrigin & {
      chunk_count: number;
      text_length: number;
      replaces: { revision: number; chunk_count: number } | null;
    };
  /** `chunk_count`: how many chunks had been added; null: unknown, as in version 1. */
  RevisionAbandoned: {
    doc_id: number;
    corpus_id: string;
    revision: number;
    chunk_count: number | null;
    reason: string;
  };
  /** `revision` and `chunk_count` describe the revision that was visible until then. */
  DocumentWithdrawn: {
    doc_id: number;
    corpus_id: string;
    doc_key: string;
    revision: number;
    chunk_count: number;
    reason: string | null;
  };

  QuestionAsked: Omit<AskFacts, 'latency_ms' | 'lang'> & {
    query: string;
    /** The turns that were read, oldest first. */
    history: RecordedTurn[];
    /** The number of older turns that were sent but not read; absent: none. */
    history_unread?: number;
    /** The ISO time after which any process may declare the ask abandoned. */
    deadline: string;
    /** SHA-256 of the request body if the request had an Idempotency-Key. */
    body_hash: string | null;
  };
  AnswerGiven: AskFacts &
    AnswerProvenance & {
      mode: Mode;
      answer: string;
      sources: RecordedSource[];
      /** In the order in which they were streamed. */
      citations: RecordedCitation[];
      /** In order and without overlaps; absent: none. */
      labels?: AnswerLabel[];
      finish_reason: 'stop' | 'length';
      cached: boolean;
      /** Why this answer replaced the streamed text; absent or null if it did not. */
      replaced?: string | null;
      /** See src/domain/question-key.ts; absent if a conversation preceded the question. */
      question_key?: string;
      /** Absent or null if the answer must not be given to others. */
      repeatable?: RepeatableAnswer | null;
      /** The FAQ entry that was given. `answer_key` is null for an entry that is not a repeated answer. */
      faq?: { entry_id: number; answer_key: string | null } | null;
    };
  AnswerWithheld: AskFacts &
    AnswerProvenance & {
      mode: 'no_answer';
      answer: string;
      sources: RecordedSource[];
      /** Passages that are quoted nevertheless because they are close; absent: none. */
      citations?: RecordedCitation[];
      /** The other fields are as in AnswerGiven; absent: `stop`, false. */
      labels?: AnswerLabel[];
      finish_reason?: 'stop' | 'length';
      cached?: boolean;
      replaced?: string | null;
    };
  AnswerFailed: UnansweredFacts & { code: string; retryable: boolean };
  AskCancelled: UnansweredFacts;
  AskAbandoned: UnansweredFacts;
  /** `previous` is the subject's previous rating; absent or null for the first one. */
  AnswerRated: Forgettable & {
    request_id: string;
    subject: string;
    rating: Rating;
    comment: string | null;
    previous?: Rating | null;
    /** The key of a repeatable or repeated answer. */
    answer_key?: string | null;
  };
  SourcesLookedUp: AskFacts & { query: string; mode: Mode; sources: RecordedSource[] };
  /** A person who asked a question in a chat wants help from people with it. */
  HelpRequested: { request_id: string; subject: string; requested_at: string };
  /** `subject` is the person who reported that help was given. */
  HelpResolved: { request_id: string; subject: string; resolved_at: string };

  FaqEntryAdded: CuratedEntry;
  /** An entry of any kind was removed. `answer_key` is the key of a repeated answer, which then never enters again. */
  FaqEntryRemoved: { entry_id: number; answer_key: string | null; removed_at: string; removed_by: string };
  /** A person in a chat proposed an answer as a curated entry. */
  FaqEntryProposed: FaqProposal;
  /** `entry_id` is the entry that the proposal became; null: it was rejected. */
  FaqProposalDecided: {
    proposal_id: number;
    entry_id: number | null;
    decided_at: string;
    decided_by: string;
  };

  ApiKeyCreated: ApiKeyFacts;
  ApiKeyRevoked: { key_id: number; revoked_at: string; revoked_by: string };

  BackfillRequested: BackfillFacts;
  /** Until `until`, only this worker may continue the job. The worker renews the claim while it works. */
  BackfillClaimed: { job_id: string; worker: string; until: string };
  BackfillCompleted: { job_id: string; finished_at: string };
  BackfillFailed: { job_id: string; finished_at: string; reason: string };
  /**
   * Chunks of a revision, from the `first`-th on (counted from 0), now have vectors. `vectors` is base64 of consecutive
   * float32 values in little-endian order; null for a deterministic embedder, whose vectors are recomputed from the
   * texts. `job_id` is the backfill job; null at publication.
   */
  ChunksEmbedded: {
    doc_id: number;
    corpus_id: string;
    revision: number;
    embedder: string;
    dimension: number;
    first: number;
    count: number;
    vectors: string | null;
    job_id: string | null;
  };

  /** Names that a language model found in chunks of a revision. Each place was checked against the chunk's text. */
  EntitiesExtracted: {
    doc_id: number;
    corpus_id: string;
    revision: number;
    model: string;
    chunks: ExtractedChunk[];
  };

  /**
   * The use of language models by a process since its previous such event. The tokens of interrupted calls are
   * estimated.
   */
  ModelsUsed: {
    /** The day in UTC. */
    day: string;
    chats: number;
    embeds: number;
    reranks: number;
    input_tokens: number;
    output_tokens: number;
    embed_tokens: number;
    search_units: number;
    /** Millionths of a US dollar, at the prices configured at the time. */
    cost_micro_usd: number;
  };

  /** `restored_from` is the earlier version whose content is restored; absent for new content. */
  SystemPromptChanged: {
    version: number;
    content: string;
    changed_at: string;
    changed_by: string;
    restored_from?: number;
  };

  /** Failed log-ins since the previous such event. `names` contains only configured names, never other input. */
  AdminLoginFailed: { count: number; names: string[]; at: string };
  /** An administrator signed in to the console. */
  AdminSessionOpened: AdminSessionFacts;
  /** An administrator signed out of the console. */
  AdminSessionClosed: { session: string; closed_at: string };
  /**
   * A message in a chat must be answered, by `worker` as long as it is running. `chat_id`, `delivery` and `subject` are
   * opaque names of the conversation, the message and its author. `task` is the data that the chat's connector needs to
   * answer the message, sealed with the deployment's secret.
   */
  ReplyStarted: ChatReplyFacts & { subject: string; worker: string; task: string; started_at: string };
  /** The parts of the answer to `subject` that are now in the chat, sealed like the task. */
  ReplyPosted: ChatReplyFacts & { subject: string; messages: string };
  /** The worker is no longer running, so another one continues under a new request id. */
  ReplyTaken: ChatReplyFacts & { worker: string; taken_at: string };
  /** `answered`: the ask is part of the conversation. Otherwise it was declined, withdrawn or failed. */
  ReplyEnded: ChatReplyFacts & { answered: boolean; ended_at: string };
  /**
   * The settings of a chat from now on. `place` is the platform's id of a channel or group; null for a chat with one
   * person. `changed_by` is the opaque subject of the person who made the change there; null: an administrator, who is
   * the actor.
   */
  ChatChanged: ChatFacts &
    ChatSettings & { place: string | null; changed_by: string | null; changed_at: string };
  /**
   * A file was sent to the conversation; its questions are answered from the file for a day. `file_id` is an opaque
   * name of the file, and `file` is the data with which the platform finds it, sealed like the task. The file's content
   * is not stored.
   */
  ChatFileShared: ChatFacts & { subject: string; file_id: string; file: string; shared_at: string };
  /** Earlier messages and files of the chat are no longer read for its questions. */
  ChatForgotten: ChatFacts & { forgotten_at: string };

  /**
   * Everything that the subject asked or received as an answer until then is erased: its encryption keys were destroyed
   * before this event.
   */
  SubjectForgotten: { subject: string; forgotten_at: string };
  /** The missing keys were declared lost. Everything sealed with them is lost, regardless of its subject. */
  KeysLost: { lost_at: string };

  /**
   * Personal text from before a day (UTC) was erased because of its age: the keys of all earlier days were destroyed.
   */
  WordsExpired: { before: string; keys_destroyed: number; expired_at: string };
  /** An edit of a corpus's graph. No longer written, but existing histories contain it and the audit log shows it. */
  GraphEntitySplit: { split_id: number; corpus_id: string; key: string; split_at: string; split_by: string };
  GraphSplitUndone: {
    split_id: number;
    corpus_id: string;
    key: string;
    undone_at: string;
    undone_by: string;
  };

  /**
   * An administrator read people's questions; recorded at most once a minute. `what` is the first resource that was
   * read.
   */
  AdminRead: {
    name: string;
    what: 'queries' | 'stats' | 'faq_cache' | 'unanswered' | 'history';
    /** The filter that was used; absent or empty if everything was read. */
    filter?: Record<string, string | number | boolean>;
    at: string;
  };

  /** An administrator had a question answered with other settings; the question and the prompt are not recorded. */
  TrialMade: {
    name: string;
    request_id: string;
    corpus_id: string;
    style: string | null;
    model: 'none' | 'configured';
    /** The prompt was not the one in force. */
    own_prompt: boolean;
    at: string;
  };

  /** The read models were compared with a replay of the first `events` events. */
  ReadModelsVerified: {
    same: boolean;
    events: number;
    projections: {
      projection: string;
      version: number;
      /** The last event included in the compared data; null: none. */
      checkpoint: string | null;
      entries: number;
      /** The number of different entries by kind. Names of entries could reveal who asked what. */
      differences: Record<string, number>;
      /** Whether there are more differences. */
      more: boolean;
    }[];
  };
  /**
   * A signed checkpoint of the first `size` events (c2sp.org/tlog-checkpoint), and the public key for its signature.
   */
  HistorySealed: { size: number; checkpoint: string; key: string };
  /** From this event on, another key is used for sealing. `note` states this and is signed with both keys. */
  SealingKeyChanged: { from: string; to: string; note: string };
}

export interface ChatFacts {
  chat_id: string;
  channel: 'slack' | 'telegram';
}

export interface ChatReplyFacts extends ChatFacts {
  delivery: string;
  request_id: string;
}

/** When to answer a message that is not addressed to the service. */
export const answering = ['mentions', 'questions', 'all'] as const;

/** The settings of a chat. Only `language`, `style` and `corpus_id` apply to a chat with one person. */
export interface ChatSettings {
  /** null: the language of the author. */
  language: Language | null;
  style: Style | null;
  /** The corpus to search if the question names none; null: the first one that can be searched. */
  corpus_id: string | null;
  /** The corpora that can be searched; null: as configured for the process. */
  corpora: string[] | null;
  /** Which messages that begin a conversation in a channel are answered. */
  answers: (typeof answering)[number];
  /** Which messages are answered in a thread in which the service has already answered. */
  threads: 'mentions' | 'questions';
  /** Say nothing if no source answers the question, even if the service is mentioned. */
  silent: boolean;
  /** Only the asker sees the answer, and can share it. Slack only. */
  ephemeral: boolean;
  /** Whom a request for help mentions: users and groups by the platform's id or name. */
  helpers: string[];
  /** Answer messages of other bots like those of people. */
  bots: boolean;
  /** Answer nothing at all. */
  muted: boolean;
}

export const chatSettingsDefault: ChatSettings = {
  language: null,
  style: null,
  corpus_id: null,
  corpora: null,
  answers: 'mentions',
  threads: 'questions',
  silent: false,
  ephemeral: false,
  helpers: [],
  bots: false,
  muted: false,
};

/** A key at its creation. Only its SHA-256 (in hex) and its first ten characters are stored. */
export interface ApiKeyFacts {
  key_id: number;
  name: string;
  owner_email: string | null;
  prefix: string;
  hash: string;
  /** Empty: every active corpus. */
  corpus_ids: string[];
  rate_limit_rpm: number;
  rate_limit_rph: number;
  created_at: string;
  created_by: string;
}

/** A session of the console. */
export interface AdminSessionFacts {
  /** SHA-256 of the text in the browser's cookie, in hex. */
  session: string;
  name: string;
  role: 'admin' | 'auditor';
  /** Identifies the credential used at the sign-in; the session ends when the configuration no longer contains it. */
  credential: string;
  opened_at: string;
  expires_at: string;
}

/** `doc_key` null: all documents. The counts are those of the affected chunks at the time of the request. */
export interface BackfillFacts {
  job_id: string;
  doc_key: string | null;
  batch_size: number;
  embedder: string;
  total_chunks: number;
  embedded_chunks: number;
  requested_at: string;
  requested_by: string;
}

export type EventType = keyof EventTypes;

/** Events that withdraw access or a text. They must be recorded even if the disk is full. */
export const vitalEvents: ReadonlySet<string> = new Set<EventType>([
  'AdminSessionClosed',
  'ApiKeyRevoked',
  'CorpusChanged',
  'CorpusDeactivated',
  'DocumentWithdrawn',
  'FaqEntryRemoved',
  'SubjectForgotten',
  'KeysLost',
  'WordsExpired',
]);

/** Events that erase text that was readable before. Everything derived from that text is rebuilt. */
export const forgettingEvents: ReadonlySet<string> = new Set<EventType>([
  'SubjectForgotten',
  'KeysLost',
  'WordsExpired',
]);

export type EventOf<T extends EventType> = { type: T; data: EventTypes[T] };
/** Only type and data: what a decider decides and evolves from. */
export type DomainEvent = { [T in EventType]: EventOf<T> }[EventType];

/** A dotted path to a field of T. A list counts as one field. */
type FieldPath<T> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${FieldPath<NonNullable<T[K]>>}` }[keyof T & string]
    : never;

interface EventSchema<T> {
  version: number;
  personal: readonly FieldPath<T>[];
}

/** The current schema version of each type, and its personal fields. */
export const eventSchemas: { readonly [T in EventType]: EventSchema<EventTypes[T]> } = {
  CorpusRegistered: { version: 1, personal: [] },
  CorpusChanged: { version: 1, personal: [] },
  CorpusActivated: { version: 1, personal: [] },
  CorpusDeactivated: { version: 1, personal: [] },
  DocumentRegistered: { version: 1, personal: [] },
  DocumentWithdrawn: { version: 1, personal: [] },
  RevisionStarted: { version: 1, personal: [] },
  ChunksAdded: { version: 1, personal: [] },
  RevisionPublished: { version: 1, personal: [] },
  RevisionAbandoned: { version: 2, personal: [] },
  QuestionAsked: { version: 1, personal: ['query', 'history', 'body_hash'] },
  AnswerGiven: {
    version: 1,
    personal: [
      'answer',
      'rewritten',
      'question_key',
      'repeatable.question',
      'repeatable.question_key',
      'repeatable.answer_key',
      'faq.answer_key',
      'writing.sentences',
      'searches',
    ],
  },
  AnswerWithheld: { version: 1, personal: ['answer', 'rewritten', 'writing.sentences', 'searches'] },
  AnswerFailed: { version: 1, personal: [] },
  AskCancelled: { version: 1, personal: [] },
  AskAbandoned: { version: 1, personal: [] },
  AnswerRated: { version: 1, personal: ['rating', 'previous', 'comment', 'answer_key'] },
  SourcesLookedUp: { version: 1, personal: ['query'] },
  HelpRequested: { version: 1, personal: [] },
  HelpResolved: { version: 1, personal: [] },
  FaqEntryAdded: { version: 1, personal: [] },
  FaqEntryRemoved: { version: 1, personal: [] },
  FaqEntryProposed: { version: 1, personal: ['question', 'answer'] },
  FaqProposalDecided: { version: 1, personal: [] },
  GraphEntitySplit: { version: 1, personal: [] },
  GraphSplitUndone: { version: 1, personal: [] },
  ApiKeyCreated: { version: 1, personal: ['owner_email'] },
  ApiKeyRevoked: { version: 1, personal: [] },
  BackfillRequested: { version: 1, personal: [] },
  BackfillClaimed: { version: 1, personal: [] },
  BackfillCompleted: { version: 1, personal: [] },
  BackfillFailed: { version: 1, personal: [] },
  ChunksEmbedded: { version: 1, personal: [] },
  EntitiesExtracted: { version: 1, personal: [] },
  ModelsUsed: { version: 1, personal: [] },
  SystemPromptChanged: { version: 1, personal: [] },
  AdminLoginFailed: { version: 1, personal: ['names'] },
  AdminSessionOpened: { version: 1, personal: [] },
  AdminSessionClosed: { version: 1, personal: [] },
  AdminRead: { version: 1, personal: ['filter'] },
  TrialMade: { version: 1, personal: [] },
  ReplyStarted: { version: 1, personal: ['task'] },
  ReplyPosted: { version: 1, personal: ['messages'] },
  ReplyTaken: { version: 1, personal: [] },
  ReplyEnded: { version: 1, personal: [] },
  ChatChanged: { version: 2, personal: [] },
  ChatFileShared: { version: 1, personal: ['file'] },
  ChatForgotten: { version: 1, personal: [] },
  SubjectForgotten: { version: 1, personal: [] },
  KeysLost: { version: 1, personal: [] },
  WordsExpired: { version: 1, personal: [] },
  ReadModelsVerified: { version: 1, personal: [] },
  HistorySealed: { version: 1, personal: [] },
  SealingKeyChanged: { version: 1, personal: [] },
};
