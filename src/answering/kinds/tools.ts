/** The lookups for a question. */
import type { CorpusSettings, Language } from '../../domain/events.ts';
import { asksBefore } from '../../question/editions.ts';
import type { Question } from '../../question/question.ts';
import type { RetrievalRequest, RetrievalResult } from '../../reading/passages.ts';
import { layersOf, titlesOf } from '../writing/sources.ts';
import { sideOf } from './findings.ts';
import type { LookUp, Side, Tools } from './kind.ts';
import type { FollowReferences } from './references/port.ts';

/** The lookup of the question's own words in the current text. */
export function lookUpOf({ text, story, references, dialogue }: Question): LookUp {
  return {
    question: text,
    edition: 'current',
    references,
    ...(story !== '' && { story }),
    ...(dialogue.from !== null && { from: dialogue.from }),
  };
}

/** Creates the tools. `run`: performs a lookup off the main thread. */
export function toolsFor(
  question: Question,
  run: (wanted: LookUp) => Promise<RetrievalResult>,
  follow?: FollowReferences,
  holding?: Tools['holding'],
): Tools {
  const { lang, dialogue } = question;
  const made = new Map<string, Promise<RetrievalResult>>();
  const lookUp = (wanted: LookUp) => {
    const focused = dialogue.focus === null ? wanted : { focus: dialogue.focus, ...wanted };
    const key = JSON.stringify(focused);
    const known = made.get(key) ?? run(focused);
    made.set(key, known);
    return known;
  };
  let found: Promise<Side> | undefined;
  return {
    lang,
    lookUp,
    found: () => (found ??= interpreted(question, lookUp)),
    ...(follow && { follow }),
    ...(holding && { holding }),
  };
}

/**
 * Looks up the question's words. A question that may or may not continue the dialogue is looked up both on its own and
 * with the context of the last answer. The result with the best evidence is used, or the first if none is sufficient.
 */
async function interpreted(
  question: Question,
  run: (wanted: LookUp) => Promise<RetrievalResult>,
): Promise<Side> {
  const lookUp = lookUpOf(question);
  const { context, leans } = question.dialogue;
  if (context === '' || question.references.length > 0) return sideOf(lookUp, await run(lookUp));
  const there = { ...lookUp, story: `${question.story} ${context}`.trim() };
  const lookUps = leans ? [there] : [lookUp, there];
  const sides: Side[] = [];
  for (const one of lookUps) sides.push(sideOf(one, await run(one)));
  const margin = ({ found: { evidence, threshold } }: Side) => evidence.score - threshold;
  const answerable = sides.filter(({ found }) => found.answerable);
  return answerable.sort((a, b) => margin(b) - margin(a))[0] ?? sides[0]!;
}

/** The request to the search worker, for the public layers of one edition. `limit`: maximum number of passages. */
export function retrievalRequest(
  corpus: { corpus_id: string; settings: CorpusSettings },
  lang: Language,
  limit: number,
  { question, story, from, edition, references, focus }: LookUp,
): RetrievalRequest {
  const layers = layersOf(corpus.settings, edition);
  return {
    corpus_id: corpus.corpus_id,
    question,
    ...(story !== undefined && { story }),
    lang,
    ...(from !== undefined && from !== lang && { from }),
    references: references.map(({ unit, number, of, chain, act }) => ({ unit, number, of, chain, act })),
    about: [corpus.settings, ...layers].flatMap(titlesOf),
    layers: layers.map(({ name }) => name),
    limit,
    ...(asksBefore(question) && { past: true }),
    ...(focus !== undefined && { focus }),
  };
}
