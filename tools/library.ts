/** Synthetic libraries for benchmarks: varied documents, published through the real history and projections. */
import { projections } from '../projections/index.ts';
import { ProjectionRunner } from '../projections/runner.ts';
import type { Chunk } from '../src/domain/events.ts';
import { Commands } from '../src/event-sourcing/commands.ts';
import { directLog, EmbeddedLog } from '../src/log/sqlite/log.ts';
import { LogStore } from '../src/log/sqlite/log-store.ts';
import { openEmbeddedModels } from '../src/read-models/read-models.ts';
import { historyFile, modelPaths } from '../src/workers/adapter-config.ts';
import { random } from './evaluation/statistics.ts';
import { sampler, vocabulary } from './history.ts';

export interface Library {
  corpus_id: string;
  /** Texts of its chunks. */
  texts: string[];
  /** Questions made of words from its chunks, with function words between them. */
  questions: string[];
  /** Duration of the projections. */
  projected_ms: number;
}

const clock = { now: () => new Date() };
const cause = { actor: 'system', correlation_id: 'bench' };
const chunkWords = 99;
const chunksPerDocument = 40;
const registeredAtOnce = 500;
/** The most frequent forms, two fifths of running text, represent function words; no question is about them. */
const commonWords = 60;

/** Fills a data folder with `chunks` chunks of about 99 words, from a vocabulary of 27,000 forms. */
export async function makeLibrary(folder: string, chunks: number, questions = 400): Promise<Library> {
  const corpus_id = 'bench';
  const log = new EmbeddedLog(directLog(new LogStore(historyFile(folder))));
  const commands = new Commands(log, clock);
  const layer = { name: 'main', title: null, kind: 'text' as const, visibility: 'public' as const };
  await commands.catalog.execute(
    {
      type: 'SetCorpus',
      corpus_id,
      settings: { title: 'Bench', description: null, languages: ['ru'], styles: [], layers: [layer] },
    },
    cause,
  );
  const documents = Math.ceil(chunks / chunksPerDocument);
  for (let first = 1; first <= documents; first += registeredAtOnce) {
    const count = Math.min(registeredAtOnce, documents - first + 1);
    const list = Array.from({ length: count }, (_, i) => ({ doc_key: `doc-${first + i}`, root: null }));
    await commands.catalog.execute({ type: 'RegisterDocuments', corpus_id, documents: list }, cause);
  }
  const forms = vocabulary(27_000);
  const say = sampler(forms, 5);
  const common = new Set(forms.slice(0, commonWords));
  const next = random(9);
  const asked: string[] = [];
  const texts: string[] = [];
  for (let d = 1, left = chunks; d <= documents; d++) {
    const count = Math.min(chunksPerDocument, left);
    left -= count;
    let text = '';
    const list: Chunk[] = [];
    for (let c = 0; c < count; c++) {
      const start = text.length;
      // A slice of the growing text would keep a copy of all of it.
      const said = Array.from({ length: 7 }, () => `${say(Math.round(chunkWords / 7))}. `).join('');
      text += said;
      list.push({
        chunk_index: String(c + 1).padStart(3, '0'),
        heading: say(3),
        path: [],
        number: null,
        unit: null,
        question: null,
        lang: 'ru',
        start,
        end: text.length - 1,
      });
      texts.push(said);
      if (next() < (questions / chunks) * 1.5 && asked.length < questions)
        asked.push(questionOf(texts.at(-1)!, common, next));
      text += '\n\n';
    }
    const facts = {
      doc_id: d,
      corpus_id,
      doc_key: `doc-${d}`,
      title: say(4),
      lang: 'ru' as const,
      layer,
      url: null,
      source_url: null,
      event_date: null,
      metadata: {},
      content_hash: `hash-${d}`,
    };
    await commands.document(d).execute(
      [
        { type: 'StartRevision', facts, root: null, path: null, input_hash: null },
        { type: 'AddChunks', revision: 1, batch: { text, chunks: list } },
        { type: 'Publish', revision: 1 },
      ],
      cause,
      { assumeCurrent: true },
    );
  }
  const models = openEmbeddedModels(modelPaths(folder), projections);
  const runner = new ProjectionRunner({ log, store: models, projections, clock });
  await runner.prepare();
  const start = performance.now();
  await runner.catchUp();
  const projected_ms = performance.now() - start;
  await models.close();
  await log.close();
  return { corpus_id, texts, questions: asked, projected_ms };
}

/** A question that consists of four to seven words from a text. */
function questionOf(text: string, common: ReadonlySet<string>, next: () => number): string {
  const list = text.split(/[\s.]+/).filter((w) => w.length > 3 && !common.has(w));
  const count = 4 + Math.floor(next() * 4);
  const picked = Array.from({ length: count }, () => list[Math.floor(next() * list.length)]!);
  // No conjunction: it would split the question into two, each looked up separately.
  return `Какой ${picked.slice(0, 2).join(' ')} для ${picked.slice(2).join(' ')}?`;
}
