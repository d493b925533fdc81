/**
 * The part of a conversation used for an answer, and how it is recorded. Callers send up to twenty turns of 4,000
 * characters with every question. Only the part that follow-ups refer to is used, and exactly that part is recorded.
 */
import { createHash } from 'node:crypto';
import type { HistoryMessage, RecordedTurn } from '../../domain/events.ts';

/** Number of the last turns, and UTF-16 units from the beginning of each. */
const turnsRead = 8;
const unitsRead = { user: 500, assistant: 4_000 };
/** Maximum total size as JSON in bytes. The last turns take precedence. */
const bytesRead = 24_576;

export interface Conversation {
  /** Oldest first, each truncated to the part in use. */
  turns: HistoryMessage[];
  /** The complete turns, as sent. */
  sent: readonly HistoryMessage[];
  /** Number of older turns not used. */
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

/** The longest prefix of a text that fits into this many bytes as JSON. */
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

/** Maximum length of an answer that a client sends back. Truncated answers are recognised too. */
const sentBackMax = 4_000;
const answersKept = 4_096;

/** The last few thousand answers of this process, by the text that a client sends back. */
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

  /** The turns in recorded form: by reference if the answer was given to the same subject. */
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
