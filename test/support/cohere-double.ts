/** The Cohere API (v2 embed, rerank and chat) on loopback, as Cohere's client calls it. */
import { words } from '../../src/text/words.ts';
import {
  type ChatReply,
  firstSentence,
  ModelDouble,
  madeVector,
  type Plain,
  ranked,
} from './model-double.ts';

export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  documents: {
    id: string;
    data: { title: string; text: string; date?: string; layer?: string; status?: string; language?: string };
  }[];
  citation_options?: { mode: string };
  max_tokens?: number;
  stream: boolean;
}

/** A chat request for a complete JSON reply. */
export interface StructuredChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  response_format: { type: string; json_schema: Record<string, unknown> };
  max_tokens?: number;
  temperature?: number;
  stream: false;
}

export interface EmbedRequest {
  model: string;
  texts: string[];
  input_type: string;
  output_dimension?: number;
}

export interface RerankRequest {
  model: string;
  query: string;
  documents: string[];
}

/** Words of the answer, and the documents they cite. */
export interface Cited {
  of: string;
  documents: string[];
  /** Added to both offsets. */
  shift?: number;
}

export interface Said {
  /** The pieces in which the answer arrives. */
  pieces: string[];
  citations?: Cited[];
  /** The unit of offsets. The real API counts code points. */
  unit?: 'code points' | 'utf-16' | 'bytes';
  /** `fast`: a citation arrives as soon as its words are complete; `accurate`: all of them arrive at the end. */
  mode?: 'fast' | 'accurate';
  finish?: string;
  usage?: { input_tokens: number; output_tokens: number };
}

const lengthIn: Record<NonNullable<Said['unit']>, (text: string) => number> = {
  'code points': (text) => [...text].length,
  'utf-16': (text) => text.length,
  bytes: (text) => Buffer.byteLength(text),
};

const start = { type: 'message-start', id: 'm-1', delta: { message: { role: 'assistant', content: [] } } };
const delta = (text: string) => ({
  type: 'content-delta',
  index: 0,
  delta: { message: { content: { text } } },
});

/** The events of an answer, ending with `message-end`. */
export function eventsOf({ pieces, citations = [], unit, mode = 'fast', finish, usage }: Said): object[] {
  const length = lengthIn[unit ?? 'code points'];
  const whole = pieces.join('');
  const placed = citations.map(({ of, documents, shift = 0 }, index) => {
    const at = whole.indexOf(of);
    const from = length(whole.slice(0, Math.max(0, at))) + shift;
    return {
      end: at + of.length,
      events: [
        {
          type: 'citation-start',
          index,
          delta: {
            message: {
              citations: {
                start: from,
                end: from + length(of),
                text: of,
                sources: documents.map((id) => ({ type: 'document', id, document: { id } })),
                type: 'TEXT_CONTENT',
                content_index: 0,
              },
            },
          },
        },
        { type: 'citation-end', index },
      ],
    };
  });
  const events: object[] = [
    start,
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  ];
  let said = 0;
  let sent = 0;
  for (const piece of pieces) {
    events.push(delta(piece));
    said += piece.length;
    while (mode === 'fast' && sent < placed.length && placed[sent]!.end <= said)
      events.push(...placed[sent++]!.events);
  }
  events.push({ type: 'content-end', index: 0 }, ...placed.slice(sent).flatMap(({ events }) => events));
  const tokens = usage ?? { input_tokens: 100, output_tokens: pieces.length };
  events.push({
    type: 'message-end',
    delta: { finish_reason: finish ?? 'COMPLETE', usage: { billed_units: tokens, tokens } },
  });
  return events;
}

/** A complete answer: JSON, or a string sent unchanged. */
export const completes = (
  content: unknown,
  { finish = 'COMPLETE', usage = { input_tokens: 30, output_tokens: 5 } } = {},
): Plain => ({
  body: {
    id: 'c-1',
    finish_reason: finish,
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: typeof content === 'string' ? content : JSON.stringify(content) }],
    },
    usage: { billed_units: usage, tokens: usage },
  },
});

export const says = (said: Said): ChatReply => ({ steps: eventsOf(said) });

interface Bodies {
  chat: ChatRequest;
  structured: StructuredChatRequest;
  embed: EmbedRequest;
  rerank: RerankRequest;
}

export class CohereDouble extends ModelDouble<Bodies> {
  static start(): Promise<CohereDouble> {
    const answers = { chat: quoting, structured: () => completes({}), embed: embedding, rerank: ranking };
    return new CohereDouble(answers).listening();
  }

  protected override kindOf(path: string, isStream: boolean): keyof Bodies | null {
    const [, kind] = /\/v2\/(chat|embed|rerank)$/.exec(path) ?? [];
    return kind === 'chat' && !isStream ? 'structured' : ((kind as keyof Bodies | undefined) ?? null);
  }

  protected override framed(event: object): string {
    return `event: ${(event as { type?: string }).type}\ndata: ${JSON.stringify(event)}\n\n`;
  }
}

/** Replies to any question with the first sentence of the first document, verbatim. */
function quoting({ documents }: ChatRequest): ChatReply {
  const [first] = documents ?? [];
  const sentence = firstSentence(first?.data.text ?? '');
  if (!first || sentence === undefined) return says({ pieces: ['Nothing.'] });
  return says({
    pieces: sentence.match(/\s*\S+/gu) ?? [sentence],
    citations: [{ of: sentence, documents: [first.id] }],
  });
}

function embedding({ texts, output_dimension = 1536 }: EmbedRequest): Plain {
  return {
    body: {
      id: 'e-1',
      embeddings: { float: texts.map((text) => madeVector(text, output_dimension)) },
      texts: [],
      meta: { billed_units: { input_tokens: texts.reduce((sum, text) => sum + words(text).length, 0) } },
    },
  };
}

function ranking({ query, documents }: RerankRequest): Plain {
  const results = ranked(query, documents).map(({ index, score }) => ({ index, relevance_score: score }));
  return { body: { id: 'r-1', results, meta: { billed_units: { search_units: 1 } } } };
}
