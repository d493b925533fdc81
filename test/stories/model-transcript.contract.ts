/**
 * Dialogues with a model, as a reader sees them. Their transcript is model-transcript.md, whichever stores are used.
 * `vitest -u` rewrites it; read it afterwards.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryMessage } from '../../src/domain/events.ts';
import { stem, words } from '../../src/text/words.ts';
import { type Answered, openSamples, type SampleService } from '../answering/sample-corpora.ts';
import { type ChatRequest, CohereDouble, completes, eventsOf, says } from '../support/cohere-double.ts';
import type { ChatReply } from '../support/model-double.ts';
import { type Judge, read } from '../support/second-reader.ts';
import { type Dialogue, dialogues, type Said } from './model-dialogues.ts';

/** `env`: the settings that name the servers, read once the enclosing suites have started them. */
export function transcriptContract(wiring: string, env: () => NodeJS.ProcessEnv): void {
  describe(`dialogues with a model, over ${wiring}`, () => {
    let double: CohereDouble;
    let service: SampleService;
    beforeAll(async () => {
      double = await CohereDouble.start();
      service = await openSamples({
        ...env(),
        COHERE_API_KEY: 'key',
        COHERE_BASE_URL: double.url,
        COHERE_EMBED_DIMENSION: '256',
      });
    });
    afterAll(async () => {
      await service?.close();
      await double?.stop();
    });

    it('match their transcript', async () => {
      const lines: string[] = [];
      for (const [n, dialogue] of dialogues.entries())
        lines.push(
          `## ${n + 1}. (${dialogue.lang}) ${dialogue.title}\n\n${await transcript(dialogue, { service, double })}`,
        );
      const head =
        '# Ten dialogues with a model\n\nEach question with its final answer and the sources of that answer.';
      await expect(`${head}\n\n${lines.join('\n\n')}\n`).toMatchFileSnapshot('model-transcript.md');
    });
  });
}

interface Stage {
  service: SampleService;
  double: CohereDouble;
}

async function transcript({ turns, corpus }: Dialogue, { service, double }: Stage): Promise<string> {
  const history: HistoryMessage[] = [];
  const lines: string[] = [];
  for (const [asked, said] of turns) {
    const left = { sentences: [...(said?.says ?? [])] };
    double.chats.length = 0;
    double.chat = (request) => answerOf(said, left, request);
    double.structured = ({ messages }) => {
      const content = messages.at(-1)!.content;
      const isReading = 'sentences' in JSON.parse(content);
      return completes(
        isReading ? read(content, judging(said)) : { queries: said?.query ? [said.query] : [] },
      );
    };
    const answered = await service.ask({ q: asked, history: [...history], ...(corpus && { corpus }) });
    if (said === undefined) expect([asked, double.chats.length]).toEqual([asked, 0]);
    lines.push(`**${asked}**`, withCitations(answered), await noteOf(service, answered, double.chats.length));
    history.push({ role: 'user', content: asked }, { role: 'assistant', content: answered.answer });
  }
  return lines.filter((line) => line !== '').join('\n\n');
}

/** The reply of the model to a request. */
function answerOf(said: Said | undefined, left: { sentences: string[] }, request: ChatRequest): ChatReply {
  const { documents } = request;
  if (request.messages.at(-1)!.content.startsWith('One sentence')) return says({ pieces: ['NO_ANSWER'] });
  if (said?.fails === 'away') return { status: 503, headers: { 'retry-after': '60' }, body: {} };
  const sentences = left.sentences.splice(0);
  const written = {
    pieces: sentences.join(' ').match(/\s*\S+/gu) ?? [],
    citations: sentences.map((of) => ({ of, documents: [nearest(of, documents, said?.sameAs?.[of])] })),
  };
  return said?.fails === 'breaks off' ? { steps: [...eventsOf(written).slice(0, -1), 'cut'] } : says(written);
}

/** The second reader compares words, and knows the equivalent passages in other languages. */
const judging =
  (said: Said | undefined): Judge =>
  (text, { passages }) => {
    const words = said?.sameAs?.[text];
    const passage = words === undefined ? undefined : passages.find((one) => one.text.includes(words));
    return passage ? { verdict: 'supported', quotes: [{ passage: passage.id, text: words! }] } : null;
  };

/** The document that shares the most words with a sentence, or the one that contains these words. */
function nearest(sentence: string, documents: ChatRequest['documents'], held?: string): string {
  const wanted = words(held ?? sentence).map(stem);
  const shared = documents.map(({ data }) => {
    const there = new Set(words(data.text).map(stem));
    return wanted.filter((one) => there.has(one)).length;
  });
  return documents[shared.indexOf(Math.max(...shared))]!.id;
}

/** An answer with its citation marks, and the passages they refer to. */
function withCitations({ answer, citations }: Answered): string {
  const quotes = [...new Map(citations.map((one) => [`${one.ref} ${one.quote}`, one])).keys()];
  let marked = answer;
  for (const { end, ref, quote } of citations.toReversed())
    marked = `${marked.slice(0, end)} [${quotes.indexOf(`${ref} ${quote}`) + 1}]${marked.slice(end)}`;
  const places = quotes.map((one, n) => {
    const { ref, quote } = citations.find((citation) => `${citation.ref} ${citation.quote}` === one)!;
    return `> [${n + 1}] “${quote.replaceAll('\n', ' ')}” (${ref})`;
  });
  return [marked, places.join('\n>\n')].filter((part) => part !== '').join('\n\n');
}

/** The auditor's view of the answer. */
async function noteOf({ app }: SampleService, { parts, mode }: Answered, calls: number): Promise<string> {
  const done = parts.at(-1);
  if (done?.type !== 'done') throw new Error(`It ended with ${JSON.stringify(done)}.`);
  const acting = { name: 'olga', request_id: 'transcript' };
  const { asked, answer } = await app.admin.dossier(done.request_id, acting);
  const replaced = parts.flatMap((part) => (part.type === 'replace' ? [part.reason] : []));
  return `*${[
    mode,
    calls === 0 ? 'no model asked' : answer?.model === null ? 'without the model' : 'by the model',
    ...(done.degraded ? ['degraded'] : []),
    ...replaced.map((reason) => `replaced: ${reason.replace(/\.$/, '')}`),
    ...(asked?.rewritten ? [`understood as “${asked.rewritten}”`] : []),
  ].join('; ')}*`;
}
