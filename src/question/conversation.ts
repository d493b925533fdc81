/**
 * Limits the part of a conversation that is used for an answer, and converts it to its recorded form. Callers may send
 * twenty turns of 4,000 characters with every question. Only the part to which follow-ups may refer is used, and
 * exactly this part is recorded.
 */
import { hash } from 'node:crypto';
import type { HistoryMessage, RecordedTurn } from '../domain/events.ts';

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

/** Converts turns to their recorded form. */
export const recordedTurns = ({ turns, sent }: Pick<Conversation, 'turns' | 'sent'>): RecordedTurn[] =>
  turns.map((turn, n) => {
    const { content } = sent[n]!;
    return turn.content.length === content.length
      ? turn
      : { ...turn, cut: { units: content.length, sha256: hash('sha256', content) } };
  });
