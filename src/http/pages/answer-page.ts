/** The page of a recorded answer, so that its link can be shared. */
import { Type } from 'typebox';
import { noAnswerPage, recordedPage } from '../../../web/pages/ask.ts';
import { mayReadAnswer } from '../../asks/may-read-answer.ts';
import { Failure } from '../../failures.ts';
import { count, identifyIfSent } from '../auth.ts';
import { answerReader, type Door } from '../context.ts';
import { readerOf, send } from './page.ts';

const AnswerPath = Type.Object({ request_id: Type.String() });

export function answerPageRoutes(door: Door): void {
  const { server, app } = door;
  server.route({
    method: 'GET',
    url: '/answer/:request_id',
    schema: { params: AnswerPath },
    handler: async (request, reply) => {
      const lang = readerOf(request);
      identifyIfSent(app.access, request);
      await count(door, request, reply, { corpus: '', channel: 'resume' });
      try {
        const record = await app.recordedAsks.find(request.params.request_id);
        const reader = answerReader(app, request);
        const { parts } = record ?? {};
        const isReadable =
          record !== null && mayReadAnswer({ keyId: record.key_id, corpusId: record.corpus_id }, reader);
        if (!isReadable || !parts?.some(({ type }) => type === 'done'))
          return send(reply, 404, () => noAnswerPage(lang, 'noAnswer'));
        return send(reply, 200, () => recordedPage(lang, { ...record, parts }));
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'gone') throw error;
        return send(reply, 410, () => noAnswerPage(lang, 'erased'));
      }
    },
  });
}
