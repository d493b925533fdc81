/**
 * Every fact the service keeps: the history is these events and nothing else.
 *
 * Each type has a schema version. A change of shape raises it and adds an upcaster (upcasting.ts), so that old events
 * read as today's. `personal` names the fields that say something about a person, or that a guess at what a person
 * said can be checked against; nothing personal stands in a stream name, id, type or metadata.
 */

import { type Language, languages } from './languages.ts';

export { type Language, languages };

/** One text, or one per language. */
export type Localized = string | Partial<Record<Language, string>>;

export const styles = ['brief', 'quotes', 'compare', 'analytic'] as const;
export type Style = (typeof styles)[number];

export type Rating = 'up' | 'down';

export const channels = ['http', 'stream', 'websocket', 'slack', 'telegram', 'cli', 'source-refs'] as const;
export type Channel = (typeof channels)[number];

/** What kind of answer was given; the closed enumeration of the public contract. */
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

/** `text` speaks for itself, `faq` holds question–answer pairs, `superseded` is no longer in force. */
export type LayerKind = 'text' | 'faq' | 'superseded';

export interface Layer {
  name: string;
  title: Localized | null;
  kind: LayerKind;
  /** `restricted`: never retrieved, still listed for administrators. */
  visibility: 'public' | 'restricted';
}

/** What a corpus is. `layers` stand in the order of their rank, the first leads. */
export interface CorpusSettings {
  title: Localized;
  description: Localized | null;
  languages: Language[];
  styles: Style[];
  layers: Layer[];
  /** Questions to begin with, in each language that has some; absent: none. */
  examples?: Partial<Record<Language, string[]>>;
}

/** A retrievable piece of a revision. Offsets are UTF-16 units into the revision's normalised text. */
export interface Chunk {
  /** Unique within the revision; a structural number where there is one ("23", "42.2"), else a counter ("007"). */
  chunk_index: string;
  /** The nearest heading, empty when there is none. */
  heading: string;
  /** Headings from the outermost to the nearest, without the document's title. */
  path: string[];
  /** The structural number ("23", "42.2") when the chunk is a numbered provision. */
  number: string | null;
  /** What the number counts: "article", "paragraph", "point", … as src/text/references/parse.ts names them. */
  unit: string | null;
  /** The question when the chunk is a question–answer pair; its text then is the answer. */
  question: string | null;
  lang: Language;
  start: number;
  end: number;
  /** Absent: none. */
  marks?: Mark[];
}

/**
 * What a stretch of a chunk's text is beside its words; offsets are UTF-16 units into that text. `struck`: shown struck
 * through, so no longer in force. `page`: the page it is printed on, from 1. `recognised`: read from a picture;
 * `confidence` from 0 to 1.
 */
export type Mark = { start: number; end: number } & (
  | { kind: 'link'; url: string }
  | { kind: 'struck' }
  | { kind: 'page'; page: number }
  | { kind: 'recognised'; confidence: number }
);

/** What a language model may find named in a text; provisions, dates and amounts are read by rules alone. */
export const namedKinds = ['person', 'organisation', 'place', 'law', 'document', 'term'] as const;
export type NamedKind = (typeof namedKinds)[number];

/** A place of a chunk's text that names something; offsets are UTF-16 into the chunk's text, `text` stands there. */
export interface NamedSpan {
  kind: NamedKind;
  text: string;
  start: number;
  end: number;
}

/** What a model found named in the `ordinal`-th chunk (counted from 0) of a revision. */
export interface ExtractedChunk {
  ordinal: number;
  lang: Language;
  mentions: NamedSpan[];
}

/** What a document's revision says of itself; repeated in RevisionStarted and RevisionPublished. */
export interface RevisionFacts {
  doc_id: number;
  corpus_id: string;
  doc_key: string;
  /** 1 for a document's first revision. */
  revision: number;
  title: string;
  lang: Language;
  layer: Layer;
  url: string | null;
  source_url: string | null;
  /** ISO date (YYYY-MM-DD, or YYYY-MM, or YYYY). */
  event_date: string | null;
  /** The date its text gives itself as an edition, of the same form; absent where it gives none, or `event_date` is said. */
  edition?: string;
  metadata: Record<string, unknown>;
  /** SHA-256 hex over normalised text, metadata, layer and the pipeline's version. */
  content_hash: string;
}

/** Where the text of a revision comes from. */
export interface RevisionOrigin {
  /** The folder or upload. */
  root: string | null;
  /** The file, as it is called there. */
  path: string | null;
  /** SHA-256 over the file's bytes and all that was known of it, a shortcut for "nothing changed". */
  input_hash: string | null;
  /** The revision it brings back, of a document that was withdrawn; absent: it was read from a file. */
  restored_from?: number;
}

/** A source as it was shown, with all that is needed to find the very same text again. */
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
  /** In the passage's language; absent where the layer has none. */
  layer_title?: string;
  lang: Language;
  score: number;
  /** Page of what is quoted, or of the passage's beginning; absent where the document has no pages. */
  page?: number;
}

/** `start`, `end`: UTF-16 offsets into the answer; `quote` stands word for word in the revision it names. */
export interface Citation {
  start: number;
  end: number;
  ref: string;
  quote: string;
  /** UTF-16 offset of the quote into the revision's text; absent where it was not recorded. */
  source_start?: number;
  revision: number;
  content_hash: string;
  /** Page the quote begins on; absent where the document has no pages. */
  page?: number;
}

/** A citation as it is recorded: `quote` is absent where the answer says it from `start` to `end`. */
export type RecordedCitation = Omit<Citation, 'quote'> & { quote?: string };

/** Where an answer only names a source: UTF-16 offsets into it, the second behind the last unit. */
export type AnswerLabel = [start: number, end: number];

export interface HistoryMessage {
  role: 'user' | 'assistant';
  content: string;
}

/**
 * A turn of a conversation as it is recorded, which is what the answer was made with. `cut`: more was sent; how many
 * UTF-16 units in all, and their SHA-256. `answer_of`: the beginning, so many units, of what the same subject was
 * answered under that request id.
 */
export type RecordedTurn =
  | (HistoryMessage & { cut?: { units: number; sha256: string } })
  | { role: 'assistant'; answer_of: string; units: number };

/** Of events with personal fields. */
export interface Forgettable {
  /** Said on reading, never stored: what is personal was forgotten, and is blank. */
  forgotten?: true;
}

/** What every event that ends an ask repeats, so that a projection needs no other event. */
export interface AskFacts extends Forgettable {
  request_id: string;
  corpus_id: string;
  channel: Channel;
  lang: Language;
  style: Style | null;
  key_id: number | null;
  /** Opaque; the request id where there is no other. */
  subject: string;
  asked_at: string;
  latency_ms: number;
}

/** The same of an ask that ended without an answer: `lang` is null where it ended before its language was known. */
export type UnansweredFacts = Omit<AskFacts, 'lang'> & { lang: Language | null };

/** How an answer came about: what an auditor needs to judge it. */
/** One sentence that a model wrote, and what became of it. */
export interface WrittenSentence {
  text: string;
  /** UTF-16 offset into the answer; null: it was left out. */
  start: number | null;
  /**
   * Of the second reading: `silent` only says what the passages do not tell. `code`: a check by code decided;
   * `unverified`: nobody read it a second time.
   */
  verdict: 'supported' | 'partly' | 'not' | 'contradicts' | 'silent' | 'code' | 'unverified';
  /** What was wrong with it, or with what it was repaired from; null: nothing. */
  reason: string | null;
  /** As it was first written, where it was sent back; null: it was not. */
  repaired_from: string | null;
  /** What proves it, word for word in the revision. */
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
  /** The question as it was retrieved with, after the history was taken into account. */
  rewritten: string | null;
  /**
   * Passages that were considered, best first, whether or not they were shown; where `passages_considered` says that
   * there were more, the first of them. Their text stands in the revision, under `chunk_index`.
   */
  passages: {
    ref: string;
    doc_id: number;
    revision: number;
    content_hash: string;
    chunk_index: string;
    score: number;
  }[];
  /** Absent where all of them are named. */
  passages_considered?: number;
  /** null: the offline extractive answerer. */
  model: string | null;
  prompt_version: number | null;
  /** SHA-256 of the whole prompt except the passages; absent where no model wrote the answer. */
  prompt_sha256?: string;
  /** A model was to write it and could not, or broke off; absent: no. */
  degraded?: true;
  /** A model wrote it, and something of it was not checked by a second reading; absent: no. */
  unverified?: true;
  /** It was read from a private file of the conversation, so it has no recorded sources; absent: no. */
  private_file?: true;
  /** How a model wrote it and how that was checked; absent where no model had a part in it. */
  writing?: {
    /** null: no second reading was configured. */
    verifier: string | null;
    sentences: WrittenSentence[];
    /** All calls of one purpose to one model together. */
    calls: ModelCalls[];
  };
  /** What was searched for beside the question's own words; absent: nothing. */
  searches?: string[];
  /** The models that found and ordered the passages; absent: words alone. */
  retrieved_with?: { embedder: string | null; reranker: string | null };
  /** Evidence score and the threshold it was compared with; null where neither was needed. */
  evidence: { score: number; threshold: number; reason: string | null } | null;
  timings: Record<string, number>;
  /** null: no model was asked; fields that are absent are 0. `cost_micro_usd`: by the prices configured then. */
  usage: {
    input_tokens: number;
    output_tokens: number;
    embed_tokens?: number;
    search_units?: number;
    cost_micro_usd?: number;
  } | null;
}

/** An answer that may be given to others who ask the same, because it depends on the question alone. */
export interface RepeatableAnswer {
  /** SHA-256 hex of corpus, language, style and the question's words. */
  question_key: string;
  /** SHA-256 hex of that, the answer, its sources and the prompt: equal for the same answer given again. */
  answer_key: string;
  question: string;
  /** null where none was asked for, or the corpus declares none. */
  style: Style | null;
  /** The prompt in force; 0: the built-in prompt. */
  prompt_version: number;
  /** Enough others have been given the same answer: it enters the FAQ cache. */
  enters: boolean;
  /** The same question has another answer in force: neither of them is given to others. */
  contested: boolean;
}

/** A curated entry of the FAQ cache. */
export interface CuratedEntry {
  entry_id: number;
  corpus_id: string;
  lang: Language;
  question: string;
  answer: string;
  /** What it rests on: it holds as long as these revisions are the visible ones. */
  sources: RecordedSource[];
  /** Offsets into the answer; what of it stands word for word in a source. */
  citations: Citation[];
  added_at: string;
  added_by: string;
}

/** A question and its answer as a person in a chat proposes them; an administrator accepts or rejects. */
export interface FaqProposal extends Forgettable {
  proposal_id: number;
  corpus_id: string;
  question: string;
  answer: string;
  /** Who proposes it. */
  subject: string;
  proposed_at: string;
}

export interface EventTypes {
  CorpusRegistered: { corpus_id: string; settings: CorpusSettings };
  CorpusChanged: { corpus_id: string; settings: CorpusSettings };
  CorpusActivated: { corpus_id: string };
  CorpusDeactivated: { corpus_id: string };
  /** `root`: the folder or upload a document came from, so that a later run knows what has gone from it. */
  DocumentRegistered: { corpus_id: string; doc_id: number; doc_key: string; root: string | null };

  RevisionStarted: RevisionFacts & RevisionOrigin;
  /** `text` is the revision's normalised text from offset `from` on; all batches together are the whole of it. */
  ChunksAdded: {
    doc_id: number;
    corpus_id: string;
    revision: number;
    from: number;
    text: string;
    first: number;
    chunks: Chunk[];
  };
  /** `replaces`: the revision it replaces; null for a document that was not visible. */
  RevisionPublished: RevisionFacts &
    RevisionOrigin & {
      chunk_count: number;
      text_length: number;
      replaces: { revision: number; chunk_count: number } | null;
    };
  /** `chunk_count`: how many had been added; null: unknown, as in version 1. */
  RevisionAbandoned: {
    doc_id: number;
    corpus_id: string;
    revision: number;
    chunk_count: number | null;
    reason: string;
  };
  /** `revision`, `chunk_count`: what was visible until then. */
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
    /** Oldest first; the turns that were read. */
    history: RecordedTurn[];
    /** Older turns that were sent and not read; absent: none. */
    history_unread?: number;
    /** ISO time after which anyone may declare the ask abandoned. */
    deadline: string;
    /** SHA-256 of the request's body where an Idempotency-Key came with it. */
    body_hash: string | null;
  };
  AnswerGiven: AskFacts &
    AnswerProvenance & {
      mode: Mode;
      answer: string;
      sources: RecordedSource[];
      /** In the order they were streamed. */
      citations: RecordedCitation[];
      /** In order and apart from each other; absent: none. */
      labels?: AnswerLabel[];
      finish_reason: 'stop' | 'length';
      cached: boolean;
      /** Why the text that was streamed was replaced by this answer; absent or null where it stands as streamed. */
      replaced?: string | null;
      /** As src/domain/question-key.ts; absent where a conversation came before the question. */
      question_key?: string;
      /** Absent or null where it must not be given to others. */
      repeatable?: RepeatableAnswer | null;
      /** The FAQ entry that was given; `answer_key` is null for one that is not a repeated answer. */
      faq?: { entry_id: number; answer_key: string | null } | null;
    };
  AnswerWithheld: AskFacts &
    AnswerProvenance & {
      mode: 'no_answer';
      answer: string;
      sources: RecordedSource[];
      /** What is quoted all the same, since it is near; absent: nothing. */
      citations?: RecordedCitation[];
      /** The rest as in AnswerGiven; absent: `stop`, false. */
      labels?: AnswerLabel[];
      finish_reason?: 'stop' | 'length';
      cached?: boolean;
      replaced?: string | null;
    };
  AnswerFailed: UnansweredFacts & { code: string; retryable: boolean };
  AskCancelled: UnansweredFacts;
  AskAbandoned: UnansweredFacts;
  /** `previous`: what the same subject had said before; absent or null for the first time. */
  AnswerRated: Forgettable & {
    request_id: string;
    subject: string;
    rating: Rating;
    comment: string | null;
    previous?: Rating | null;
    /** Of a repeatable or repeated answer. */
    answer_key?: string | null;
  };
  SourcesLookedUp: AskFacts & { query: string; mode: Mode; sources: RecordedSource[] };
  /** In a chat, whoever asked wants help from people with this question. */
  HelpRequested: { request_id: string; subject: string; requested_at: string };
  /** `subject`: whoever said that the help was given. */
  HelpResolved: { request_id: string; subject: string; resolved_at: string };

  FaqEntryAdded: CuratedEntry;
  /** Of any kind; `answer_key` of a repeated answer, which then never enters again. */
  FaqEntryRemoved: { entry_id: number; answer_key: string | null; removed_at: string; removed_by: string };
  /** Somebody in a chat proposes an answer as a curated entry. */
  FaqEntryProposed: FaqProposal;
  /** `entry_id`: the entry it became; null: it was rejected. */
  FaqProposalDecided: {
    proposal_id: number;
    entry_id: number | null;
    decided_at: string;
    decided_by: string;
  };

  ApiKeyCreated: ApiKeyFacts;
  ApiKeyRevoked: { key_id: number; revoked_at: string; revoked_by: string };

  BackfillRequested: BackfillFacts;
  /** Until `until` only this worker may continue the job; it renews the claim while it works. */
  BackfillClaimed: { job_id: string; worker: string; until: string };
  BackfillCompleted: { job_id: string; finished_at: string };
  BackfillFailed: { job_id: string; finished_at: string; reason: string };
  /**
   * The chunks from the `first`-th (counted from 0) of a revision on have vectors now. `vectors`: base64 of float32,
   * little endian, one after the other; null for a deterministic embedder, whose vectors are computed again from the
   * texts. `job_id`: the backfill it belongs to, null at publication.
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

  /** What a language model found named in chunks of a revision, each place checked against their texts before. */
  EntitiesExtracted: {
    doc_id: number;
    corpus_id: string;
    revision: number;
    model: string;
    chunks: ExtractedChunk[];
  };

  /**
   * What the language models of a process were asked since it said so last. Of calls that broke off the tokens are
   * estimated.
   */
  ModelsUsed: {
    /** Of UTC. */
    day: string;
    chats: number;
    embeds: number;
    reranks: number;
    input_tokens: number;
    output_tokens: number;
    embed_tokens: number;
    search_units: number;
    /** Millionths of a US dollar, by the prices configured then. */
    cost_micro_usd: number;
  };

  /** `restored_from`: the earlier version whose content it is again; absent where it is a new one. */
  SystemPromptChanged: {
    version: number;
    content: string;
    changed_at: string;
    changed_by: string;
    restored_from?: number;
  };

  /** Failed log-ins since the last such event. `names`: those typed that are configured ones, never another. */
  AdminLoginFailed: { count: number; names: string[]; at: string };
  /**
   * A message of a chat is to be answered; by `worker` until it has gone. `chat_id`, `delivery`, `subject`: opaque
   * names of the conversation, of the message in it and of who wrote it. `task`: what the chat's connector needs to
   * answer it, sealed with the deployment's secret.
   */
  ReplyStarted: ChatReplyFacts & { subject: string; worker: string; task: string; started_at: string };
  /** What of the answer to `subject` stands in the chat by now, sealed as the task. */
  ReplyPosted: ChatReplyFacts & { subject: string; messages: string };
  /** Its worker has gone: another continues, under a new request id. */
  ReplyTaken: ChatReplyFacts & { worker: string; taken_at: string };
  /** `answered`: the ask belongs to what was said in the chat; else it was declined, withdrawn or failed. */
  ReplyEnded: ChatReplyFacts & { answered: boolean; ended_at: string };
  /**
   * How a chat is to be answered from now on. `place`: the platform's id of a channel or group; null for a chat with one
   * person. `changed_by`: the opaque subject of whoever changed it there; null: an administrator, who is the actor.
   */
  ChatChanged: ChatFacts &
    ChatSettings & { place: string | null; changed_by: string | null; changed_at: string };
  /**
   * A file was sent to the conversation, whose questions are answered from it for a day. `file_id`: an opaque name of
   * it; `file`: how the platform finds it, sealed as the task. What the file says is kept nowhere.
   */
  ChatFileShared: ChatFacts & { subject: string; file_id: string; file: string; shared_at: string };
  /** What was said in the chat before, and its files, are not read for its questions any more. */
  ChatForgotten: ChatFacts & { forgotten_at: string };

  /** Everything the subject asked or was answered until then is erased: its encryption keys were destroyed before. */
  SubjectForgotten: { subject: string; forgotten_at: string };
  /** The keys that are missing are given up: what was sealed with them is forgotten, whoever said it. */
  KeysLost: { lost_at: string };

  /** What was said before a day (UTC) is forgotten by its age: the keys of all days before it were destroyed. */
  WordsExpired: { before: string; keys_destroyed: number; expired_at: string };
  /** Of the graph of a corpus. It is written no more, but histories hold it, and the audit log shows it. */
  GraphEntitySplit: { split_id: number; corpus_id: string; key: string; split_at: string; split_by: string };
  GraphSplitUndone: {
    split_id: number;
    corpus_id: string;
    key: string;
    undone_at: string;
    undone_by: string;
  };

  /** An administrator has read people's questions; said at most once a minute. `what`: what was read first. */
  AdminRead: {
    name: string;
    what: 'queries' | 'stats' | 'faq_cache' | 'unanswered' | 'history';
    /** What they were narrowed to; absent or empty where all were read. */
    filter?: Record<string, string | number | boolean>;
    at: string;
  };

  /** The read models were compared with a replay of the first `events` events. */
  ReadModelsVerified: {
    same: boolean;
    events: number;
    projections: {
      projection: string;
      version: number;
      /** The last event that what was compared was made from; null: none. */
      checkpoint: string | null;
      entries: number;
      /** How many entries differ, by what they are entries of; the names of entries may say who asked what. */
      differences: Record<string, number>;
      /** There are more. */
      more: boolean;
    }[];
  };
  /** The first `size` events, as a signed checkpoint (c2sp.org/tlog-checkpoint), and the public key it was signed with. */
  HistorySealed: { size: number; checkpoint: string; key: string };
  /** From here on another key seals. `note`: that it does, signed by both. */
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

/** When a message that is not addressed to the service is answered. */
export const answering = ['mentions', 'questions', 'all'] as const;

/** How a chat is answered. Only `language`, `style` and `corpus_id` apply to a chat with one person. */
export interface ChatSettings {
  /** null: that of whoever writes. */
  language: Language | null;
  style: Style | null;
  /** Asked where the question names none; null: the first that may be asked. */
  corpus_id: string | null;
  /** Which may be asked; null: as configured for the process. */
  corpora: string[] | null;
  /** Of messages that begin a conversation in a channel. */
  answers: (typeof answering)[number];
  /** Of messages in a thread in which the service has answered. */
  threads: 'mentions' | 'questions';
  /** Nothing is said where no source answers, even when the service is mentioned. */
  silent: boolean;
  /** Only the asker sees the answer, and may share it. Slack only. */
  ephemeral: boolean;
  /** Whom a request for help mentions: users and groups by the platform's id or name. */
  helpers: string[];
  /** Messages of other bots are answered as those of people. */
  bots: boolean;
  /** Nothing is answered at all. */
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

/** A key as it was made. Of the key itself only its SHA-256 (hex) and its first ten characters are kept. */
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

/** `doc_key` null: all documents. The counts are those of the chunks concerned when it was requested. */
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

/** What takes access or a text back: a full disk must not stand in its way. */
export const vitalEvents: ReadonlySet<string> = new Set<EventType>([
  'ApiKeyRevoked',
  'CorpusChanged',
  'CorpusDeactivated',
  'DocumentWithdrawn',
  'FaqEntryRemoved',
  'SubjectForgotten',
  'KeysLost',
  'WordsExpired',
]);

/** Events that erase words which were read before: everything derived from them is rebuilt. */
export const forgettingEvents: ReadonlySet<string> = new Set<EventType>([
  'SubjectForgotten',
  'KeysLost',
  'WordsExpired',
]);

export type EventOf<T extends EventType> = { type: T; data: EventTypes[T] };
/** Type and data only: what a decider decides and evolves by. */
export type DomainEvent = { [T in EventType]: EventOf<T> }[EventType];

/** Dotted path to a field of T; a list is one field. */
type FieldPath<T> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${FieldPath<NonNullable<T[K]>>}` }[keyof T & string]
    : never;

interface EventSchema<T> {
  version: number;
  personal: readonly FieldPath<T>[];
}

/** The schema version in force of each type, and its personal fields. */
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
  AdminRead: { version: 1, personal: ['filter'] },
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
