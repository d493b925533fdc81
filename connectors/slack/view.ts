/**
 * An answer in a Slack thread. It is streamed where the workspace has streaming and its tier has room, else shown by
 * edits while those last, else posted once, whole. What is streamed is Markdown that only grows; what cannot be told by
 * growing (an answer that was replaced, one that is too long) is posted anew, and what was streamed goes.
 */
import { type Draft, type View, ViewGone } from '../chat.ts';
import { type Api, Refused } from './api.ts';
import { bodyOf, footOf, type Message, sentence, together, whole } from './blocks.ts';
import { markdown } from './text.ts';

/** What a message says of the reply it belongs to, so that it is found by whoever goes on with it. */
export const replyMetadata = (id: string) => ({ event_type: 'docent_reply', event_payload: { reply: id } });

/** What stands in the chat, as it is recorded. */
export interface Posted {
  ts: string[];
  /** The last of them is a stream that was not ended. */
  isStreaming: boolean;
}

export interface Target {
  /** Of the reply. */
  id: string;
  channel: string;
  thread: string;
  team: string;
  user: string;
}

/** Streams end somewhere above this. */
const streamMax = 11_000;
/** Of the edits of a minute, what growing answers leave to whole ones. */
const updatesKept = 24;

/** Whether this workspace streams, as far as it has been tried. */
export interface Streaming {
  isOffered: boolean;
}

/** Codes that say that it will not be otherwise with the next one. */
const notOffered =
  /^(?:unknown_method|missing_scope|not_allowed_token_type|feature_not_enabled|method_deprecated|access_denied|no_permission|not_allowed)$/;

export class SlackView implements View {
  readonly #api: Api;
  readonly #target: Target;
  readonly #streaming: Streaming;
  readonly #record: (posted: Posted) => Promise<void>;
  #posted: Posted;
  #said: string[] = [];
  /** What was streamed; null: this answer is not streamed. */
  #streamed: string | null = null;
  #mode: 'undecided' | 'stream' | 'edit' | 'once' = 'undecided';

  constructor(
    api: Api,
    target: Target,
    posted: Posted,
    streaming: Streaming,
    record: (posted: Posted) => Promise<void>,
  ) {
    this.#api = api;
    this.#target = target;
    this.#posted = { ...posted, ts: [...posted.ts] };
    this.#streaming = streaming;
    this.#record = record;
    if (posted.ts.length > 0) this.#mode = 'edit';
  }

  get posted(): Posted {
    return this.#posted;
  }

  async show(draft: Draft): Promise<void> {
    try {
      if (this.#mode === 'undecided') await this.#begin(draft);
      else if (this.#mode === 'stream') await this.#append(draft);
      else if (this.#mode === 'edit') await this.#step(draft);
    } catch (error) {
      if (error instanceof ViewGone) throw error;
      // The whole answer will tell.
    }
  }

  async finish(draft: Draft): Promise<void> {
    if (this.#mode === 'stream' && (await this.#endStream(draft))) return;
    await this.#withdrawStream();
    await this.#put(whole(draft));
  }

  async fail(text: string): Promise<void> {
    await this.#withdrawStream();
    await this.#put([sentence(text)]);
  }

  /** Takes back what stands there: the question is gone. */
  async withdraw(): Promise<void> {
    await this.#withdrawStream();
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
        if (error instanceof Refused && notOffered.test(error.code)) this.#streaming.isOffered = false;
      }
    }
    // An edit for the whole answer is taken now, so that it need not be waited for.
    if (!this.#api.updates.tryTake(updatesKept)) {
      this.#mode = 'once';
      return;
    }
    this.#mode = 'edit';
    await this.#put(bodyOf(draft));
  }

  async #append(draft: Draft): Promise<void> {
    const text = stable(draft);
    const before = this.#streamed ?? '';
    if (text.length > streamMax || !text.startsWith(before) || text === before) return;
    await this.#api.once('chat.appendStream', {
      channel: this.#target.channel,
      ts: this.#posted.ts[0],
      markdown_text: text.slice(before.length),
    });
    this.#streamed = text;
  }

  /** Ends the stream with the rest of the answer and its foot; false where it cannot tell the answer. */
  async #endStream(draft: Draft): Promise<boolean> {
    const text = markdown(draft.pieces());
    const before = this.#streamed ?? '';
    if (text.length > streamMax || !text.startsWith(before)) return false;
    const rest = text.slice(before.length);
    const foot = footOf(draft);
    try {
      await this.#api.must('chat.stopStream', {
        channel: this.#target.channel,
        ts: this.#posted.ts[0],
        ...(rest !== '' && { markdown_text: rest }),
        ...(foot.length > 0 && { blocks: foot }),
      });
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
    await this.#set({ ...this.#posted, isStreaming: false });
    return true;
  }

  async #withdrawStream(): Promise<void> {
    if (!this.#posted.isStreaming) return;
    const ts = this.#posted.ts.at(-1)!;
    const { channel } = this.#target;
    await this.#api.must('chat.stopStream', { channel, ts }).catch(onlyRefusals);
    await this.#delete(ts);
    await this.#set({ ts: this.#posted.ts.slice(0, -1), isStreaming: false });
    this.#mode = 'edit';
  }

  async #step(draft: Draft): Promise<void> {
    const messages = bodyOf(draft);
    const n = messages.length - 1;
    if (n < 0 || this.#said[n] === keyOf(messages[n]!)) return;
    if (n >= this.#posted.ts.length || !this.#api.updates.tryTake(updatesKept)) {
      if (n >= this.#posted.ts.length) await this.#put(messages);
      return;
    }
    const message = { channel: this.#target.channel, ts: this.#posted.ts[n], ...messages[n] };
    await this.#api.once('chat.update', message);
    this.#said[n] = keyOf(messages[n]!);
  }

  /** What stands there becomes these messages. */
  async #put(messages: readonly Message[]): Promise<void> {
    const { id, channel, thread } = this.#target;
    for (const [n, message] of messages.entries()) {
      const key = keyOf(message);
      const ts = this.#posted.ts[n];
      if (ts !== undefined && this.#said[n] === key) continue;
      if (ts === undefined || !(await this.#update(ts, message))) {
        const made = await this.#api.post(channel, {
          ...message,
          thread_ts: thread,
          metadata: replyMetadata(id),
          unfurl_links: false,
          unfurl_media: false,
        });
        const all = [...this.#posted.ts];
        all[n] = made;
        await this.#set({ ts: all, isStreaming: false });
      }
      this.#said[n] = key;
    }
    const left = this.#posted.ts.slice(messages.length);
    for (const ts of left) await this.#delete(ts);
    if (left.length > 0)
      await this.#set({ ts: this.#posted.ts.slice(0, messages.length), isStreaming: false });
  }

  /** False where the message is not there any more. */
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
    this.#posted = posted;
    await this.#record(posted);
  }
}

/** Seen by one person, at the address his command came with: all at once, since there are five messages at most. */
export class EphemeralView implements View {
  readonly #api: Api;
  readonly #url: string;

  constructor(api: Api, url: string) {
    this.#api = api;
    this.#url = url;
  }

  async show(): Promise<void> {}

  async finish(draft: Draft): Promise<void> {
    await this.#say(together(draft, { share: true }));
  }

  async fail(text: string): Promise<void> {
    await this.#say(sentence(text));
  }

  async #say(message: Message): Promise<void> {
    await this.#api.respond(this.#url, { response_type: 'ephemeral', ...message });
  }
}

/** A number at the very end may yet move behind what closes a quotation. */
function stable(draft: Draft): string {
  const pieces = draft.pieces();
  const last = pieces.findLastIndex((piece) => 'text' in piece);
  const kept = pieces.slice(0, last + 1);
  // A line's end is Markdown of its own with what follows it.
  return markdown(kept)
    .replace(/\s+$/, '')
    .replace(/[\u200b*_~`\][]+$/, '');
}

const keyOf = (message: Message) => JSON.stringify(message.blocks);

function onlyRefusals(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}
