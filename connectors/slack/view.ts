/**
 * Shows an answer in a Slack thread. The answer is streamed if the workspace supports streaming and the rate limit
 * allows it. Otherwise a posted message is edited until the limit on edits is reached. After that, the first sentences
 * are posted and the rest follows in another message, because posting has no workspace-wide limit. Streamed text is
 * Markdown that can only be extended. If extending it cannot produce the final answer (it was replaced or is too long),
 * the stream is ended and its message is edited. Text that has been shown never disappears.
 */
import { ReplyLost } from '../../src/asks/chat.ts';
import type { Draft } from '../draft.ts';
import type { ChatView } from '../platform.ts';
import { mayBeDone, onlyRefusals, Refused, ViewGone } from '../platform-api.ts';
import { cutAt, type MessagePiece, settledUnits } from '../splitting.ts';
import type { Api } from './api.ts';
import { bodyOf, footOf, inFew, type Message, sentence, whole } from './blocks.ts';
import { markdown, mrkdwn } from './text.ts';

/**
 * Metadata that identifies the reply to which a message belongs, so that a process that continues the reply can find
 * it.
 */
const metadataOf = (reply: string, part: number) => ({
  event_type: 'docent_reply',
  event_payload: { reply, part },
});

/** The messages in the chat, as recorded. */
export interface Posted {
  ts: string[];
  /** Whether the last message is a stream that has not been ended. */
  isStreaming: boolean;
}

export function asPosted(messages: unknown): Posted {
  const { ts, isStreaming } = (messages ?? {}) as Partial<Posted>;
  return {
    ts: Array.isArray(ts) ? ts.filter((one): one is string => typeof one === 'string') : [],
    isStreaming: isStreaming === true,
  };
}

export interface Target {
  /** The id of the reply. */
  id: string;
  channel: string;
  thread: string;
  team: string;
  user: string;
  /** The message being answered, and the bot's user id, to find the bot's messages in the thread. */
  ts: string | null;
  botUser: string;
  /** Whether the user can ask people for help. */
  help: boolean;
}

/** The maximum length of a streamed text. Slack's own limit is slightly higher. */
const streamMax = 11_000;
/** The number of edits per minute that is reserved for complete answers. */
const updatesKept = 24;

/** Whether this workspace is known to support streaming, and the active streams. */
export interface Streaming {
  isOffered: boolean;
  /** The streams that this process has started and not ended. */
  live: Set<string>;
}

/** Codes which mean that streaming will not work for later answers either. */
const notOffered =
  /^(?:unknown_method|missing_scope|not_allowed_token_type|feature_not_enabled|method_deprecated|access_denied|no_permission|not_allowed)$/;

export class SlackView implements ChatView {
  readonly #api: Api;
  readonly #target: Target;
  readonly #streaming: Streaming;
  readonly #record: (posted: Posted) => Promise<void>;
  readonly #takenBack: (ts: string) => Promise<void>;
  #posted: Posted;
  #sent: string[] = [];
  /** The streamed text; null if this answer is not streamed. */
  #streamed: string | null = null;
  /** The pieces that were posted first; the rest is posted after them. */
  #ahead: MessagePiece[] = [];
  /** Whether the state of the stream is unknown: whether it was started, and what it contains. */
  #isStreamDoubtful = false;
  #mode: 'undecided' | 'stream' | 'edit' | 'ahead' = 'undecided';

  constructor(
    api: Api,
    target: Target,
    posted: Posted,
    streaming: Streaming,
    record: (posted: Posted) => Promise<void>,
    takenBack: (ts: string) => Promise<void>,
  ) {
    this.#api = api;
    this.#target = target;
    this.#posted = { ...posted, ts: [...posted.ts] };
    this.#streaming = streaming;
    this.#record = record;
    this.#takenBack = takenBack;
    if (posted.ts.length > 0) this.#mode = 'edit';
  }

  get posted(): Posted {
    return this.#posted;
  }

  async show(draft: Draft): Promise<void> {
    try {
      if (this.#mode === 'undecided') await this.#begin(draft);
      else if (this.#mode === 'stream') await this.#append(draft);
      else if (this.#mode === 'edit') {
        await this.#closeStream();
        await this.#step(draft);
      } else await this.#postAhead(draft);
    } catch (error) {
      if (error instanceof ViewGone) throw error;
      // The complete answer will follow.
    }
  }

  async finish(draft: Draft): Promise<void> {
    if (this.#mode === 'stream' && (await this.#endStream(draft))) return;
    await this.#closeStream();
    const { help } = this.#target;
    const { before, after } = cutAt(draft.pieces(), unitsOf(this.#ahead));
    if (this.#ahead.length > 0 && mrkdwn(before) === mrkdwn(this.#ahead))
      await this.#put([...bodyOf(this.#ahead), ...whole(draft, { help }, after)]);
    else await this.#put(whole(draft, { help }));
  }

  async fail(text: string, draft: Draft): Promise<void> {
    await this.#closeStream();
    // Keep the text that was already shown.
    await this.#put([...(this.#posted.ts.length === 0 ? [] : bodyOf(draft.pieces())), sentence(text)]);
  }

  async withdraw(): Promise<void> {
    await this.#closeStream();
    for (const ts of this.#posted.ts) await this.#delete(ts);
    this.#posted = { ts: [], isStreaming: false };
  }

  async #begin(draft: Draft): Promise<void> {
    const { channel, thread, team, user } = this.#target;
    if (this.#streaming.isOffered && this.#api.streams.tryTake()) {
      try {
        const text = stable(draft);
        const { ts } = await this.#api.once('chat.startStream', {
          channel,
          thread_ts: thread,
          recipient_team_id: team,
          recipient_user_id: user,
          markdown_text: text,
        });
        this.#mode = 'stream';
        this.#streamed = text;
        await this.#set({ ts: [String(ts)], isStreaming: true });
        return;
      } catch (error) {
        if (error instanceof ReplyLost) throw error;
        if (error instanceof Refused && notOffered.test(error.code)) this.#streaming.isOffered = false;
        this.#isStreamDoubtful = mayBeDone(error);
      }
    }
    // Reserve an edit for the complete answer, so that it does not have to wait.
    if (!this.#api.updates.tryTake(updatesKept)) {
      this.#mode = 'ahead';
      await this.#postAhead(draft);
      return;
    }
    this.#mode = 'edit';
    await this.#put(bodyOf(draft.pieces()));
  }

  /** Posts the first sentences once. They must be complete because the rest follows in another message. */
  async #postAhead(draft: Draft): Promise<void> {
    if (this.#ahead.length > 0) return;
    const pieces = draft.pieces();
    const { before } = cutAt(pieces, settledUnits(pieces));
    if (before.length === 0 || bodyOf(before).length > 1) return;
    await this.#put(bodyOf(before));
    this.#ahead = before;
  }

  async #append(draft: Draft): Promise<void> {
    const text = stable(draft);
    const before = this.#streamed ?? '';
    if (text.length > streamMax || !text.startsWith(before) || text === before) return;
    if (this.#isStreamDoubtful || !this.#api.appends.tryTake()) return;
    const more = { channel: this.#target.channel, ts: this.#posted.ts[0] };
    try {
      await this.#api.once('chat.appendStream', { ...more, markdown_text: text.slice(before.length) });
    } catch (error) {
      this.#isStreamDoubtful = mayBeDone(error);
      throw error;
    }
    this.#streamed = text;
  }

  /**
   * Ends the stream with the rest of the answer, its sources and its buttons. Returns false if the stream cannot show
   * the answer.
   */
  async #endStream(draft: Draft): Promise<boolean> {
    const text = markdown(draft.pieces());
    const before = this.#streamed ?? '';
    if (this.#isStreamDoubtful || text.length > streamMax || !text.startsWith(before)) return false;
    const rest = text.slice(before.length);
    const foot = footOf(draft, { help: this.#target.help });
    try {
      await this.#api.must('chat.stopStream', {
        channel: this.#target.channel,
        ts: this.#posted.ts[0],
        ...(rest !== '' && { markdown_text: rest }),
        ...(foot.length > 0 && { blocks: foot }),
        metadata: metadataOf(this.#target.id, 0),
      });
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
    await this.#set({ ...this.#posted, isStreaming: false });
    return true;
  }

  /** Ends the stream, if there is one, so that its message can be edited. */
  async #closeStream(): Promise<void> {
    if (this.#isStreamDoubtful && !this.#posted.isStreaming) {
      await this.#set(await leftBehind(this.#api, this.#target, this.#streaming, this.#posted));
      this.#mode = 'edit';
    }
    this.#isStreamDoubtful = false;
    if (!this.#posted.isStreaming) return;
    const { channel } = this.#target;
    await this.#api.must('chat.stopStream', { channel, ts: this.#posted.ts.at(-1) }).catch(onlyRefusals);
    await this.#set({ ...this.#posted, isStreaming: false });
    this.#mode = 'edit';
  }

  async #step(draft: Draft): Promise<void> {
    const messages = bodyOf(draft.pieces());
    const n = messages.length - 1;
    if (n < 0 || this.#sent[n] === keyOf(messages[n]!)) return;
    if (n >= this.#posted.ts.length || !this.#api.updates.tryTake(updatesKept)) {
      if (n >= this.#posted.ts.length) await this.#put(messages);
      return;
    }
    const message = { channel: this.#target.channel, ts: this.#posted.ts[n], ...messages[n] };
    await this.#api.once('chat.update', message);
    this.#sent[n] = keyOf(messages[n]!);
  }

  /** Replaces the posted messages with these. */
  async #put(messages: readonly Message[]): Promise<void> {
    const { id, channel, thread } = this.#target;
    for (const [n, message] of messages.entries()) {
      const key = keyOf(message);
      const ts = this.#posted.ts[n];
      if (ts !== undefined && this.#sent[n] === key) continue;
      if (ts === undefined || !(await this.#update(ts, message))) {
        const made = await this.#api.post(
          channel,
          {
            ...message,
            thread_ts: thread,
            metadata: metadataOf(id, n),
            unfurl_links: false,
            unfurl_media: false,
          },
          async () =>
            partsOf(await ours(this.#api, this.#target), id).find(({ part }) => part === n)?.ts ?? null,
        );
        const all = [...this.#posted.ts];
        all[n] = made;
        await this.#set({ ts: all, isStreaming: false });
      }
      this.#sent[n] = key;
    }
    const left = this.#posted.ts.slice(messages.length);
    for (const ts of left) await this.#delete(ts);
    if (left.length > 0)
      await this.#set({ ts: this.#posted.ts.slice(0, messages.length), isStreaming: false });
  }

  /** Returns false if the message no longer exists. */
  async #update(ts: string, message: Message): Promise<boolean> {
    try {
      await this.#api.update(this.#target.channel, ts, message);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (
        /^(?:message_not_found|cant_update_message|edit_window_closed|streaming_state_conflict)$/.test(
          error.code,
        )
      )
        return false;
      throw error;
    }
  }

  async #delete(ts: string): Promise<void> {
    await this.#api.must('chat.delete', { channel: this.#target.channel, ts }).catch(onlyRefusals);
  }

  async #set(posted: Posted): Promise<void> {
    const { live } = this.#streaming;
    for (const ts of this.#posted.ts) live.delete(ts);
    if (posted.isStreaming) live.add(posted.ts.at(-1)!);
    const made = posted.ts.filter((ts) => !this.#posted.ts.includes(ts));
    this.#posted = posted;
    try {
      await this.#record(posted);
    } catch (error) {
      // The message was sent while another process was taking over.
      if (error instanceof ReplyLost) for (const ts of made) await this.#takenBack(ts);
      throw error;
    }
  }
}

interface SaidMessage {
  user?: string;
  ts: string;
  blocks?: { type: string }[];
  metadata?: { event_payload?: { reply?: unknown; part?: unknown } };
}

/**
 * The bot's messages in the thread since the question; empty if they cannot be read. Rejects if Slack was unavailable
 * for a long time.
 */
async function ours(api: Api, { channel, thread, ts, botUser }: Target): Promise<SaidMessage[]> {
  const range = { ts: thread, limit: 100, include_all_metadata: true, ...(ts !== null && { oldest: ts }) };
  const read = await api.must('conversations.replies', { channel, ...range }).catch((error: unknown) => {
    if (error instanceof Refused || error instanceof ViewGone) return null;
    throw error;
  });
  const all = (read?.messages ?? []) as SaidMessage[];
  return all.filter((one) => one.user === botUser && one.ts > (ts ?? ''));
}

/** The messages that belong to a reply, with their positions in it. */
const partsOf = (said: readonly SaidMessage[], reply: string): { ts: string; part: number }[] =>
  said.flatMap(({ ts, metadata }) => {
    const of = metadata?.event_payload;
    return of?.reply === reply && typeof of.part === 'number' ? [{ ts, part: of.part }] : [];
  });

/**
 * Returns the recorded messages and those of this reply that a stopped process posted but did not record. If it left a
 * stream open, the stream is ended. Only one message per thread is answered at a time, so the stream must belong to this
 * reply.
 */
export async function leftBehind(
  api: Api,
  target: Target,
  { live }: Streaming,
  recorded: Posted,
): Promise<Posted> {
  const { channel } = target;
  const said = await ours(api, target);
  // Posted messages identify their reply, and complete answers have buttons; an unfinished stream has neither.
  const streams = said.filter(
    ({ ts, blocks = [], metadata }) =>
      !live.has(ts) &&
      !recorded.ts.includes(ts) &&
      !metadata &&
      !blocks.some(({ type }) => type === 'context_actions'),
  );
  const found = new Map(partsOf(said, target.id).map(({ ts, part }) => [part, ts]));
  const ts = [...recorded.ts];
  for (const stream of streams) {
    await api.must('chat.stopStream', { channel, ts: stream.ts }).catch(onlyRefusals);
    // The stream becomes the first message of the answer, unless there is one already.
    if (ts.length === 0 && !found.has(0)) ts.push(stream.ts);
    else await api.must('chat.delete', { channel, ts: stream.ts }).catch(onlyRefusals);
  }
  for (let next = found.get(ts.length); next !== undefined; next = found.get(ts.length)) ts.push(next);
  return { ts, isStreaming: false };
}

/**
 * Deletes a message that a process sent after it had lost the reply, if the new holder has posted its own message.
 * Otherwise the new holder has adopted this message. `api` must work regardless of who holds the reply.
 */
export async function takeBack(api: Api, target: Target, ts: string): Promise<void> {
  const { channel, id } = target;
  const said = await ours(api, target);
  if (!partsOf(said, id).some((one) => one.ts !== ts)) return;
  await api.must('chat.stopStream', { channel, ts }).catch(onlyRefusals);
  await api.must('chat.delete', { channel, ts }).catch(onlyRefusals);
}

const unitsOf = (pieces: readonly MessagePiece[]) =>
  pieces.reduce((sum, piece) => sum + ('text' in piece ? piece.text.length : 0), 0);

/**
 * A message to the person who typed a command. It replaces the first response, or follows it if Slack cannot replace
 * it.
 */
export const privately = (message: Message) => ({
  response_type: 'ephemeral',
  replace_original: true,
  ...message,
});

/**
 * Shows an answer to one person: through a command's response URL, which accepts five messages, or as ephemeral
 * messages.
 */
export class EphemeralView implements ChatView {
  readonly posted = null;
  readonly #say: (message: ReturnType<typeof privately>) => Promise<void>;
  readonly #options: { question: string; help: boolean };

  /** `question` is shown above the answer if no message in the chat contains it. */
  constructor(
    say: (message: ReturnType<typeof privately>) => Promise<void>,
    options: { question: string; help: boolean },
  ) {
    this.#say = say;
    this.#options = options;
  }

  async show(): Promise<void> {}

  async finish(draft: Draft): Promise<void> {
    const [first, ...others] = inFew(draft, { share: true, ...this.#options });
    if (first) await this.#say(privately(first));
    for (const message of others) await this.#say({ ...privately(message), replace_original: false });
  }

  async fail(text: string): Promise<void> {
    await this.#say(privately(sentence(text)));
  }

  /** The answer disappears when its reader closes the window. */
  async withdraw(): Promise<void> {}
}

/** The text that can no longer change. A citation number at the very end may still move behind a closing quotation mark. */
function stable(draft: Draft): string {
  const pieces = draft.pieces();
  const last = pieces.findLastIndex((piece) => 'text' in piece);
  const kept = pieces.slice(0, last + 1);
  // Trailing characters can combine with the text that follows to form Markdown.
  const text = markdown(kept).trimEnd();
  let end = text.length;
  while (end > 0 && /[\u200b*_~`\][]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

const keyOf = (message: Message) => JSON.stringify(message.blocks);
