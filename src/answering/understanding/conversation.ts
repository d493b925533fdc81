/**
 * What of a conversation an answer is made with, and how that is recorded. Callers send up to twenty turns of 4,000
 * characters with every question: only so much is read as people lean on, and exactly that much is kept.
 */
import { createHash } from 'node:crypto';
import type { HistoryMessage, RecordedTurn } from '../../domain/events.ts';

/** The last turns, and of each so many UTF-16 units from its beginning. */
const turnsRead = 8;
const unitsRead = { user: 500, assistant: 4_000 };
/** Bytes of JSON that all of them together may have; the last turns come first. */
const bytesRead = 24_576;

export interface Conversation {
  /** Oldest first, each as far as it is read. */
  turns: HistoryMessage[];
  /** The turns whole, as they were sent. */
  sent: readonly HistoryMessage[];
  /** Older turns that are not read. */
  unread: number;
}

/** Reads the end of a history (oldest first). */
export function readConversation(history: readonly HistoryMessage[]): Conversation {
  const sent = history.slice(-turnsRead);
  const turns: HistoryMessage[] = [];
  let left = bytesRead;
  for (const { role, content } of sent.toReversed()) {
    const read = beginning(content.slice(0, unitsRead[role]), left);
    left -= jsonBytes(read);
    turns.unshift({ role, content: read });
  }
  return { turns, sent, unread: history.length - sent.length };
}

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** The longest beginning of a text that takes at most so many bytes as JSON. */
function beginning(text: string, bytesMax: number): string {
  if (jsonBytes(text) <= bytesMax) return text;
  let [fits, over] = [0, text.length];
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (jsonBytes(text.slice(0, middle)) <= bytesMax) fits = middle;
    else over = middle;
  }
  return text.slice(0, fits);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The longest a client may send an answer back, in characters: what it cuts off is recognised all the same. */
const sentBackMax = 4_000;
const answersKept = 4_096;

/** Answers of this process by what a client sends back of them, for as long as the last thousands go. */
export class GivenAnswers {
  readonly #requestIds = new Map<string, string>();

  /** An answer that was recorded. */
  given(subject: string, requestId: string, answer: string): void {
    const whole = [answer];
    if (answer.length > sentBackMax)
      whole.push(answer.slice(0, sentBackMax), [...answer].slice(0, sentBackMax).join(''));
    for (const content of whole) this.#requestIds.set(keyOf(subject, content), requestId);
    for (const oldest of this.#requestIds.keys()) {
      if (this.#requestIds.size <= answersKept) break;
      this.#requestIds.delete(oldest);
    }
  }

  /** The turns as they are recorded: by reference where the same subject was answered so. */
  recorded({ turns, sent }: Pick<Conversation, 'turns' | 'sent'>, subject: string): RecordedTurn[] {
    return turns.map((turn, n) => {
      const { role, content } = sent[n]!;
      const units = turn.content.length;
      const answer_of =
        role === 'assistant' && units > 0 ? this.#requestIds.get(keyOf(subject, content)) : undefined;
      if (answer_of !== undefined) return { role: 'assistant', answer_of, units };
      if (units === content.length) return turn;
      return { ...turn, cut: { units: content.length, sha256: sha256(content) } };
    });
  }
}

const keyOf = (subject: string, content: string): string =>
  createHash('sha256')
    .update(JSON.stringify([subject, content]))
    .digest('base64');
