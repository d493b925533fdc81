/** An OpenAI-compatible server (chat, embeddings and rerank) on loopback, with the variations between such servers. */
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
  stream?: boolean;
  stream_options?: { include_usage: boolean };
  response_format?: { type: string; json_schema: { name: string; schema: unknown; strict: boolean } };
  max_tokens?: number;
  temperature?: number;
}

export interface EmbedRequest {
  model: string;
  input: string[];
  encoding_format?: string;
}

/** The format of Jina and vLLM, or of Text Embeddings Inference. */
export type RerankRequest =
  | { model: string; query: string; documents: string[] }
  | { query: string; texts: string[] };

export interface Said {
  /** The pieces in which the answer arrives, with its citation marks. */
  pieces: string[];
  finish?: string;
  /** null: the server does not report it. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});

/** The chunks of an answer, without its end. */
export function chunksOf({ pieces, finish = 'stop', usage }: Said): object[] {
  const tokens = usage === undefined ? { prompt_tokens: 100, completion_tokens: pieces.length } : usage;
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    chunk({}, finish),
    ...(tokens ? [{ ...chunk({}), choices: [], usage: tokens }] : []),
  ];
}

export const done = { raw: 'data: [DONE]\n\n' };
export const says = (said: Said): ChatReply => ({ steps: [...chunksOf(said), done] });

/** A complete answer: JSON, or a string sent unchanged. */
export const completes = (content: unknown, finish = 'stop'): Plain => ({
  body: {
    id: 'c-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: finish,
        message: {
          role: 'assistant',
          content: typeof content === 'string' ? content : JSON.stringify(content),
        },
      },
    ],
    usage: { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 },
  },
});

/** Fields that the server rejects, with this status. */
export interface Peculiarities {
  streamOptions?: number;
  responseFormat?: number;
  /** The rerank format that it does not support. */
  rerank?: { form: 'documents' | 'texts'; status: number };
}

interface Bodies {
  chat: ChatRequest;
  structured: ChatRequest;
  embed: EmbedRequest;
  rerank: RerankRequest;
}

const kinds: Record<string, keyof Bodies> = { '/v1/embeddings': 'embed', '/v1/rerank': 'rerank' };

export class OpenAiDouble extends ModelDouble<Bodies> {
  refuses: Peculiarities = {};

  static start(): Promise<OpenAiDouble> {
    const answers = { chat: quoting, structured: () => completes({}), embed: embedding, rerank: ranking };
    return new OpenAiDouble(answers).listening();
  }

  override get url(): string {
    return `${super.url}/v1`;
  }

  override reset(): void {
    super.reset();
    this.refuses = {};
  }

  protected override kindOf(path: string, isStream: boolean): keyof Bodies | null {
    return path === '/v1/chat/completions' ? (isStream ? 'chat' : 'structured') : (kinds[path] ?? null);
  }

  protected override framed(event: object): string {
    return `data: ${JSON.stringify(event)}\n\n`;
  }

  protected override refusal(kind: keyof Bodies, body: object): Plain | null {
    const { streamOptions, responseFormat, rerank } = this.refuses;
    const status =
      ('stream_options' in body && streamOptions) ||
      ('response_format' in body && responseFormat) ||
      (kind === 'rerank' && rerank && rerank.form in body && rerank.status);
    return status ? { status, body: { error: { message: 'Unknown field. leaked' } } } : null;
  }
}

/** The passages in a prompt, by number. */
export function passagesIn({ messages }: ChatRequest): Map<number, Record<string, string>> {
  const said = messages.at(-1)?.content ?? '';
  return new Map(
    [...said.matchAll(/^\[(\d+)\] (\{.*\})$/gm)].map(([, number, json]) => [
      Number(number),
      JSON.parse(json!),
    ]),
  );
}

/** Replies to any question with the first sentence of the first passage, verbatim. */
function quoting(request: ChatRequest): ChatReply {
  const text = passagesIn(request).get(1)?.text ?? '';
  const sentence = firstSentence(text);
  if (sentence === undefined) return says({ pieces: ['Nothing.'] });
  const marked = `${sentence.slice(0, -1)} [1]${sentence.at(-1)}`;
  return says({ pieces: marked.match(/\s*\S+/gu) ?? [marked] });
}

function embedding({ input }: EmbedRequest): Plain {
  return {
    body: {
      object: 'list',
      data: input.map((text, index) => ({ object: 'embedding', index, embedding: madeVector(text, 64) })),
      usage: { prompt_tokens: input.reduce((sum, text) => sum + words(text).length, 0) },
    },
  };
}

function ranking(request: RerankRequest): Plain {
  if ('texts' in request) return { body: ranked(request.query, request.texts) };
  const results = ranked(request.query, request.documents);
  return { body: { results: results.map(({ index, score }) => ({ index, relevance_score: score })) } };
}
