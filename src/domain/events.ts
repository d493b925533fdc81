/**
 * All facts that the service stores; the history consists only of these events.
 *
 * Each type has a schema version. A change of shape increases it and adds an upcaster (upcasting.ts), so that old
 * events are read in the current form. `personal` lists the fields that reveal something about a person, or against
 * which a guess at a person's words could be checked. Stream names, ids, types and metadata never contain personal
 * data.
 */

import { type Language, languages } from './languages.ts';

export { type Language, languages };

/** A single text, or one per language. */
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

/** Maximum length of a question in characters. */
export const questionMax = 2_000;

/** The kind of an answer, which is a closed enumeration in the public contract. */
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

/** Whether it is an answer from the documents or the FAQ, unlike small talk and the reply that nothing was found. */
export const isFromCorpus = (mode: Mode): boolean =>
  mode !== 'no_answer' && mode !== 'greeting' && mode !== 'meta';

/** `text` is ordinary text, `faq` contains question–answer pairs, and `superseded` is no longer in force. */
export type LayerKind = 'text' | 'faq' | 'superseded';

export interface Layer {
  name: string;
  title: Localized | null;
  kind: LayerKind;
  /** `restricted` layers are never retrieved, but are listed for administrators. */
  visibility: 'public' | 'restricted';
}

/** Whether answers may use the layer. False for an unknown layer. */
export const isPublic = (layer: Layer | undefined): layer is Layer => layer?.visibility === 'public';

/** The settings of a corpus. `layers` are in order of rank, highest first. */
export interface CorpusSettings {
  title: Localized;
  description: Localized | null;
  languages: Language[];
  styles: Style[];
  layers: Layer[];
  /** Example questions to start with, by language; absent if there are none. */
  examples?: Partial<Record<Language, string[]>>;
}

/** A retrievable piece of a revision. Offsets are UTF-16 units in the revision's normalised text. */
export interface Chunk {
  /** Unique within the revision: the structural number if there is one ("23", "42.2"), otherwise a counter ("007"). */
  chunk_index: string;
  /** The nearest heading; empty if there is none. */
  heading: string;
  /** Headings from the outermost to the nearest, without the document's title. */
  path: string[];
  /** The structural number ("23", "42.2") if the chunk is a numbered provision. */
  number: string | null;
  /** What the number counts: "article", "paragraph", "point", … as defined in src/text/references/parse.ts. */
  unit: string | null;
  /** The question, if the chunk is a question–answer pair, in which case its text is the answer. */
  question: string | null;
  lang: Language;
  start: number;
  end: number;
  /** Absent if there are none. */
  marks?: Mark[];
}

/**
 * A property of a section of a chunk's text; offsets are UTF-16 units in that text. `struck`: struck through and
 * therefore no longer in force. `page`: the page on which it is printed, counted from 1. `recognised`: read from an
 * image, with a `confidence` from 0 to 1.
 */
export type Mark = { start: number; end: number } & (
  | { kind: 'link'; url: string }
  | { kind: 'struck' }
  | { kind: 'page'; page: number }
  | { kind: 'recognised'; confidence: number }
);

/**
 * The kinds of names that a language model may find in a text. Provisions, dates and amounts are recognised only by
 * rules.
 */
export const namedKinds = ['person', 'organisation', 'place', 'law', 'document', 'term'] as const;
export type NamedKind = (typeof namedKinds)[number];

/**
 * A position in a chunk's text where something is named. Offsets are UTF-16 units in that text; `text` is the text
 * between them.
 */
export interface NamedSpan {
  kind: NamedKind;
  text: string;
  start: number;
  end: number;
}

/** The names that a model found in a revision's chunk with index `ordinal` (counted from 0). */
export interface ExtractedChunk {
  ordinal: number;
  lang: Language;
  mentions: NamedSpan[];
}

/** What a revision states about itself. Repeated in RevisionStarted and RevisionPublished. */
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
   * The edition date that the text itself states, in the same format. Absent if the text does not state one, or if
   * `event_date` is given.
   */
  edition?: string;
  metadata: Record<string, unknown>;
  /** SHA-256 (hex) of the normalised text, metadata, layer and pipeline version. */
  content_hash: string;
}

/** The origin of a revision's text. */
export interface RevisionOrigin {
  /** The folder or upload. */
  root: string | null;
  /** The name of the file there. */
  path: string | null;
  /** SHA-256 of the file's bytes and everything known about it. A shortcut for detecting that nothing has changed. */
  input_hash: string | null;
  /**
   * The earlier revision that this one restores after the document was withdrawn. Absent if this revision was read from
   * a file.
   */
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
  /** In the language of the passage; absent if the layer has no title. */
  layer_title?: string;
  lang: Language;
  score: number;
  /** The page of the quoted text, or of the start of the passage; absent if the document has no pages. */
  page?: number;
}

/** `start` and `end` are UTF-16 offsets in the answer. `quote` occurs verbatim in the given revision. */
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

/** A position where an answer only names a source: UTF-16 offsets in the answer, the second one exclusive. */
export type AnswerLabel = [start: number, end: number];

export interface HistoryMessage {
  role: 'user' | 'assistant';
  content: string;
}

/**
 * A recorded turn of a conversation, as used for the answer. `cut`: the turn was longer than the recorded text; `units`
 * is its full length in UTF-16 units and `sha256` its hash. `answer_of`, in events of earlier versions: the turn consists
 * of the first `units` units of the answer that the same subject received under that request id.
 */
export type RecordedTurn =
  | (HistoryMessage & { cut?: { units: number; sha256: string } })
  | { role: 'assistant'; answer_of: string; units: number };

/** For events with personal fields. */
export interface Forgettable {
  /**
   * Set when the event is read and never stored. It means that the personal data was erased, so its fields are blank.
   */
  forgotten?: true;
}

/** The facts repeated in every event that ends an ask, so that a projection needs no other event. */
export interface AskFacts extends Forgettable {
  request_id: string;
  corpus_id: string;
  channel: Channel;
  lang: Language;
  style: Style | null;
  key_id: number | null;
  /** Opaque. It is the request id if there is no other subject. */
  subject: string;
  asked_at: string;
  latency_ms: number;
}

/**
 * The same facts for an ask that ended without an answer. `lang` is null if the ask ended before its language was
 * known.
 */
export type UnansweredFacts = Omit<AskFacts, 'lang'> & { lang: Language | null };

/** A sentence written by a model, and its verification. */
export interface WrittenSentence {
  text: string;
  /** The UTF-16 offset in the answer; null if the sentence was left out. */
  start: number | null;
  /**
   * The verdict of the second reading. `silent`: the sentence only says that the passages do not state something.
   * `code`: the decision was made by a check in code. `unverified`: there was no second reading.
   */
  verdict: 'supported' | 'partly' | 'not' | 'contradicts' | 'silent' | 'code' | 'unverified';
  /** What was wrong with the sentence, or with the version before its repair; null if nothing was wrong. */
  reason: string | null;
  /** The original version if the sentence was sent back for repair; otherwise null. */
  repaired_from: string | null;
  /** The evidence, verbatim from the revision. */
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
  /** The question used for retrieval, rewritten to take the history into account. */
  rewritten: string | null;
  /**
   * The passages considered, best first, whether or not they were shown. If `passages_considered` is higher, these are
   * only the first of them. Their text is in the revision, under `chunk_index`.
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
  /** Null for the offline extractive answerer. */
  model: string | null;
  prompt_version: number | null;
  /** SHA-256 of the whole prompt except the passages; absent if no model wrote the answer. */
  prompt_sha256?: string;
  /** Whether a model should have written the answer but failed or stopped early. Absent means no. */
  degraded?: true;
  /** Whether a model wrote the answer and part of it had no second reading. Absent means no. */
  unverified?: true;
  /**
   * Whether the answer was read from a private file of the conversation, in which case it has no recorded sources.
   * Absent means no.
   */
  private_file?: true;
  /** How a model wrote the answer and how it was verified; absent if no model was involved. */
  writing?: {
    /** Null if no second reading was configured. */
    verifier: string | null;
    sentences: WrittenSentence[];
    /** Calls are combined by purpose and model. */
    calls: ModelCalls[];
  };
  /** The additional search queries; absent if only the question itself was used. */
  searches?: string[];
  /** The models that found and ranked the passages; absent if only words were used. */
  retrieved_with?: { embedder: string | null; reranker: string | null };
  /** The evidence score and the threshold it was compared with; null if they were not needed. */
  evidence: { score: number; threshold: number; reason: string | null } | null;
  timings: Record<string, number>;
  /** Null if no model was called. Absent fields are 0. `cost_micro_usd` uses the prices configured at the time. */
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
  /** SHA-256 (hex) of the corpus, the language, the style and the question's words. */
  question_key: string;
  /**
   * SHA-256 (hex) of `question_key`, the answer, its sources and the prompt. It is the same if the same answer is given
   * again.
   */
  answer_key: string;
  question: string;
  /** Null if none was requested or the corpus does not declare any. */
  style: Style | null;
  /** The version of the prompt in force; 0 for the built-in prompt. */
  prompt_version: number;
  /** Whether the answer enters the FAQ cache, because enough other people have received it. */
  enters: boolean;
  /** Whether a different answer to the same question is in force, in which case neither is given to others. */
  contested: boolean;
}

/** A curated entry in the FAQ cache. */
export interface CuratedEntry {
  entry_id: number;
  corpus_id: string;
  lang: Language;
  question: string;
  answer: string;
  /** The sources of the answer. The entry is valid as long as these revisions are the visible ones. */
  sources: RecordedSource[];
  /** Offsets in the answer, for the parts of it that occur verbatim in a source. */
  citations: Citation[];
  added_at: string;
  added_by: string;
}

/** A question and answer proposed by a person in a chat, to be accepted or rejected by an administrator. */
export interface FaqProposal extends Forgettable {
  proposal_id: number;
  corpus_id: string;
  question: string;
  answer: string;
  /** The person who proposed it. */
  subject: string;
  proposed_at: string;
}

export interface EventTypes {
  CorpusRegistered: { corpus_id: string; settings: CorpusSettings };
  CorpusChanged: { corpus_id: string; settings: CorpusSettings };
  CorpusActivated: { corpus_id: string };
  CorpusDeactivated: { corpus_id: string };
  /**
   * `root` is the folder or upload that the document came from. A later run uses it to find documents that have
   * disappeared.
   */
  DocumentRegistered: { corpus_id: string; doc_id: number; doc_key: string; root: string | null };

  RevisionStarted: RevisionFacts & RevisionOrigin;
  /** `text` is the revision's normalised text from offset `from` on. Together, all batches contain the whole text. */
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
  /** `chunk_count` is the number of chunks that had been added; null if unknown, as in version 1. */
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
    /** The turns that were used, oldest first. */
    history: RecordedTurn[];
    /** The number of older turns that were sent but not used; absent if there were none. */
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
      /** In order and without overlaps; absent if there are none. */
      labels?: AnswerLabel[];
      finish_reason: 'stop' | 'length';
      cached: boolean;
      /** Why this answer replaced the streamed text; absent or null if it did not. */
      replaced?: string | null;
      /** See src/domain/question-key.ts. Absent if the question was preceded by a conversation. */
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
      /**
       * Passages that are quoted although they do not answer the question, because they are close to it; absent if
       * there are none.
       */
      citations?: RecordedCitation[];
      /** The other fields are the same as in AnswerGiven. Defaults if absent: `stop`, false. */
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
  /** A person who asked a question in a chat wants help with it from other people. */
  HelpRequested: { request_id: string; subject: string; requested_at: string };
  /** `subject` is the person who reported that help was given. */
  HelpResolved: { request_id: string; subject: string; resolved_at: string };

  FaqEntryAdded: CuratedEntry;
  /**
   * An entry of any kind was removed. `answer_key` is the key of a repeated answer, which then never enters the cache
   * again.
   */
  FaqEntryRemoved: { entry_id: number; answer_key: string | null; removed_at: string; removed_by: string };
  /** A person in a chat proposed an answer as a curated entry. */
  FaqEntryProposed: FaqProposal;
  /** `entry_id` is the entry created from the proposal; null if it was rejected. */
  FaqProposalDecided: {
    proposal_id: number;
    entry_id: number | null;
    decided_at: string;
    decided_by: string;
  };

  ApiKeyCreated: ApiKeyFacts;
  ApiKeyRevoked: { key_id: number; revoked_at: string; revoked_by: string };

  BackfillRequested: BackfillFacts;
  /** Until `until`, only this worker may continue the job. The worker renews the claim while working. */
  BackfillClaimed: { job_id: string; worker: string; until: string };
  BackfillCompleted: { job_id: string; finished_at: string };
  BackfillFailed: { job_id: string; finished_at: string; reason: string };
  /**
   * Chunks of a revision, starting at index `first` (counted from 0), now have vectors. `vectors` contains consecutive
   * little-endian float32 values in base64. It is null for a deterministic embedder, whose vectors are recomputed from
   * the texts. `job_id` is the backfill job; null at publication.
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

  /** Names that a language model found in chunks of a revision. Each position was checked against the chunk's text. */
  EntitiesExtracted: {
    doc_id: number;
    corpus_id: string;
    revision: number;
    model: string;
    chunks: ExtractedChunk[];
  };

  /**
   * A process's use of language models since its previous event of this type. The tokens of interrupted calls are
   * estimates.
   */
  ModelsUsed: {
    /** The day (UTC). */
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

  /** `restored_from` is the earlier version whose content was restored; absent for new content. */
  SystemPromptChanged: {
    version: number;
    content: string;
    changed_at: string;
    changed_by: string;
    restored_from?: number;
  };

  /**
   * Failed logins since the previous event of this type. `names` contains only configured names, never other input.
   */
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
   * person. `changed_by` is the opaque subject of the person who made the change in the chat; null if it was an
   * administrator, who is the actor.
   */
  ChatChanged: ChatFacts &
    ChatSettings & { place: string | null; changed_by: string | null; changed_at: string };
  /**
   * A file was sent to the conversation; its questions are answered from the file for a day. `file_id` is an opaque
   * name of the file, and `file` is the data with which the platform finds it, sealed like the task. The file's content
   * is not stored.
   */
  ChatFileShared: ChatFacts & { subject: string; file_id: string; file: string; shared_at: string };
  /** Earlier messages and files of the chat are no longer used for its questions. */
  ChatForgotten: ChatFacts & { forgotten_at: string };

  /**
   * Everything that the subject had asked or received as an answer by then is erased: its encryption keys were
   * destroyed before this event.
   */
  SubjectForgotten: { subject: string; forgotten_at: string };
  /** The missing keys were declared lost. Everything sealed with them is lost, regardless of its subject. */
  KeysLost: { lost_at: string };

  /**
   * Personal text from before a day (UTC) was erased because of its age: the keys of all earlier days were destroyed.
   */
  WordsExpired: { before: string; keys_destroyed: number; expired_at: string };
  /**
   * An edit to a corpus's graph. It is no longer written, but existing histories contain it and the audit log shows it.
   */
  GraphEntitySplit: { split_id: number; corpus_id: string; key: string; split_at: string; split_by: string };
  GraphSplitUndone: {
    split_id: number;
    corpus_id: string;
    key: string;
    undone_at: string;
    undone_by: string;
  };

  /**
   * An administrator read people's questions. This is recorded at most once a minute. `what` is the first resource
   * read.
   */
  AdminRead: {
    name: string;
    what: 'queries' | 'stats' | 'faq_cache' | 'unanswered' | 'history';
    /** The filter that was used; absent or empty if everything was read. */
    filter?: Record<string, string | number | boolean>;
    at: string;
  };

  /** An administrator had a question answered with different settings. The question and the prompt are not recorded. */
  TrialMade: {
    name: string;
    request_id: string;
    corpus_id: string;
    style: string | null;
    model: 'none' | 'configured';
    /** Whether the prompt differed from the one in force. */
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
      /** The last event included in the compared data; null if there was none. */
      checkpoint: string | null;
      entries: number;
      /** The number of differing entries by kind. Entry names are omitted because they could reveal who asked what. */
      differences: Record<string, number>;
      /** Whether there are more differences. */
      more: boolean;
    }[];
  };
  /**
   * A signed checkpoint of the first `size` events (c2sp.org/tlog-checkpoint), and the public key for its signature.
   */
  HistorySealed: { size: number; checkpoint: string; key: string };
  /** From this event on, a different key is used for sealing. `note` states this and is signed with both keys. */
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
  /** Null for the author's language. */
  language: Language | null;
  style: Style | null;
  /** The corpus to search if the question does not specify one; null for the first one that can be searched. */
  corpus_id: string | null;
  /** The corpora that can be searched; null if they are configured for the process. */
  corpora: string[] | null;
  /** Which messages that begin a conversation in a channel are answered. */
  answers: (typeof answering)[number];
  /** Which messages are answered in a thread where the service has already answered. */
  threads: 'mentions' | 'questions';
  /** Say nothing if no source answers the question, even if the service is mentioned. */
  silent: boolean;
  /** Only the asker sees the answer, and can share it. Slack only. */
  ephemeral: boolean;
  /** The users and groups mentioned in a request for help, by platform id or name. */
  helpers: string[];
  /** Answer messages from other bots like those from people. */
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

/** A key when it is created. Only its SHA-256 (hex) and its first ten characters are stored. */
export interface ApiKeyFacts {
  key_id: number;
  name: string;
  owner_email: string | null;
  prefix: string;
  hash: string;
  /** An empty list means every active corpus. */
  corpus_ids: string[];
  rate_limit_rpm: number;
  rate_limit_rph: number;
  created_at: string;
  created_by: string;
}

/** A console session. */
export interface AdminSessionFacts {
  /** SHA-256 (hex) of the text in the browser's cookie. */
  session: string;
  name: string;
  role: 'admin' | 'auditor';
  /**
   * Identifies the credential used to sign in. The session ends when the configuration no longer contains that
   * credential.
   */
  credential: string;
  opened_at: string;
  expires_at: string;
}

/**
 * If `doc_key` is null, the job covers all documents. The counts are those of the affected chunks at the time of the
 * request.
 */
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
/** Only the type and data, which are what a decider decides on and evolves from. */
export type DomainEvent = { [T in EventType]: EventOf<T> }[EventType];

/** A dotted path to a field of T. A list counts as a single field. */
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
