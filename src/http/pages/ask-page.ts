/** The ask page, and its form for browsers without scripts. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AskView, answerPage, askPage, chosenCorpus, type Outcome } from '../../../web/pages/ask.ts';
import { asLanguage } from '../../../web/pages/texts.ts';
import type { Part } from '../../answering/parts.ts';
import { type HistoryMessage, questionMax } from '../../domain/events.ts';
import { Failure } from '../../failures.ts';
import { begin, questionBytesMax } from '../ask-routes.ts';
import { count, identify, identifyIfSent } from '../auth.ts';
import { bodyOf } from '../body.ts';
import { type Door, disconnected } from '../context.ts';
import { statusOf } from '../errors.ts';
import { parseJson } from '../json.ts';
import { askView, readerOf, refusalBy, send } from './page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Fields of a form sent without scripts. Null on other routes, and for a form with too many fields to be ours. */
    formFields: URLSearchParams | null;
  }
}

const AskQuery = Type.Object({
  corpus: Type.Optional(Type.String()),
  lang: Type.Optional(Type.String()),
  q: Type.Optional(Type.String()),
});
/** The form has four fields; reading many more would take proportionally longer. */
const formFieldsMax = 32;
/** These are the same as in the schema of AskRequest. */
const historyMax = 20;
const contentMax = 4000;

export function askPageRoutes(door: Door): void {
  const { server, app } = door;
  server.route({
    method: 'GET',
    url: '/',
    schema: { querystring: AskQuery },
    handler: async (request, reply) => {
      const { corpus, lang, q } = request.query;
      const reader = asLanguage(lang) ?? readerOf(request);
      identifyIfSent(app.access, request);
      const view = await askView(door, request, reader, corpus, q);
      const chosen = chosenCorpus(view.corpora, corpus)?.corpus_id ?? '';
      try {
        await count(door, request, reply, { corpus: chosen, channel: 'source-page' });
      } catch (error) {
        const { status, reason } = refusalBy(reply, error);
        if (reason !== 'busy') throw error;
        return send(reply, status, () => answerPage(reader, view, [], { failed: reason }));
      }
      return send(reply, 200, () => askPage(reader, view));
    },
  });

  // The form on the same page, for browsers without scripts. Its fields are parsed only here.
  server.decorateRequest('formFields', null);
  server.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      async (request: FastifyRequest, payload: Readable) => {
        const form = String(await bodyOf(request, payload));
        if (form.split('&', formFieldsMax + 1).length <= formFieldsMax)
          request.formFields = new URLSearchParams(form);
      },
    );
    forms.route({
      method: 'POST',
      url: '/',
      bodyLimit: questionBytesMax,
      handler: async (request, reply) => {
        const fields = request.formFields ?? new URLSearchParams();
        const reader = asLanguage(fields.get('lang') ?? undefined) ?? readerOf(request);
        // A character has at most two UTF-16 units. One extra unit is enough to detect that the question is too long.
        const query = (fields.get('q') ?? '').trim().slice(0, 2 * questionMax + 1);
        const history = historyOf(fields.get('history'));
        let status = 200;
        let outcome: Outcome;
        let view: AskView = { corpora: [], wanted: undefined, query, keyNeeded: false };
        try {
          identifyIfSent(app.access, request);
          view = await askView(door, request, reader, fields.get('corpus') ?? undefined, query);
          if (query === '' || [...query].length > questionMax) {
            throw new Failure('invalid', 'The question is empty or too long.');
          }
          outcome = { parts: await partsOf(request, reply, view, history) };
        } catch (error) {
          const { status: refused, reason } = refusalBy(reply, error);
          status = refused;
          outcome = { failed: status === statusOf.invalid ? 'invalid' : reason };
        }
        return send(reply, status, () => answerPage(reader, view, history, outcome));
      },
    });
  });

  /** Collects all parts of an answer. Fails like App.asks.begin, or with the failure of an `error` part. */
  async function partsOf(
    request: FastifyRequest,
    reply: FastifyReply,
    { corpora, wanted, query }: AskView,
    history: HistoryMessage[],
  ): Promise<Part[]> {
    const gone = disconnected(reply);
    identify(app.access, request);
    const body = { query, corpus_id: chosenCorpus(corpora, wanted)?.corpus_id ?? null, history };
    const answer = await begin(door, request, body, {
      channel: 'http',
      request_id: request.id,
      delivery: null,
      reply,
      gone,
    });
    const parts: Part[] = [];
    for await (const { part } of answer.after(0, gone)) {
      if (part.type === 'error') throw new Failure(part.code, part.detail);
      parts.push(part);
    }
    return parts;
  }
}

/** The conversation in a form field; invalid entries are dropped. */
function historyOf(text: string | null): HistoryMessage[] {
  const parsed = parseJson(Buffer.from(text ?? '[]'));
  const sent = parsed.ok ? parsed.value : null;
  if (!Array.isArray(sent)) return [];
  return sent
    .slice(-historyMax)
    .flatMap((message) =>
      (message?.role === 'user' || message?.role === 'assistant') && typeof message.content === 'string'
        ? [
            {
              role: message.role,
              content: [...message.content.slice(0, 2 * contentMax)].slice(0, contentMax).join(''),
            },
          ]
        : [],
    );
}
