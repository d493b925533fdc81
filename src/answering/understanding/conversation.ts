/**
 * Limits the part of a conversation that is used for an answer, and converts it to its recorded form. Callers may send
 * twenty turns of 4,000 characters with every question. Only the part to which follow-ups may refer is used, and
 * exactly this part is recorded.
 */
import { createHash } from 'node:crypto';
import type { HistoryMessage, RecordedTurn } from '../../domain/events.ts';

/** Number of last turns that are used, and number of UTF-16 units from the beginning of each. */
const turnsRead = 8;
const unitsRead = { user: 500, assistant: 4_000 };
/** Maximum total size as JSON, in bytes. The last turns take precedence. */
const bytesRead = 24_576;

export interface Conversation {
  /** The turns that are used, oldest first and truncated. */
  turns: HistoryMessage[];
  /** The same turns as sent, without truncation. */
  sent: readonly HistoryMessage[];
  /** Number of older turns that are not used. */
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

/** The longest prefix of text whose JSON form has at most this many bytes. */
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

/** Maximum length of an answer that a client sends back. Truncated answers are also recognised. */
const sentBackMax = 4_000;
const answersKept = 4_096;

/** The last few thousand answers given by this process, by the text that clients send back. */
export class GivenAnswers {
  readonly #requestIds = new Map<string, string>();

  /** Adds a recorded answer. */
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

  /** Converts turns to their recorded form. Answers that were given to the same subject are recorded by reference. */
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
