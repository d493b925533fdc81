/**
 * Questions that compare two editions of a text, several provisions, or two subjects named in the question.
 */

import { withoutEditions } from '../../../question/editions.ts';
import type { Question } from '../../../question/question.ts';
import type { RetrievalResult } from '../../../reading/passages.ts';
import { isStopWord, words } from '../../../text/words.ts';
import { refuseSides, speaks } from '../../writing/refusal.ts';
import { exists, isHeadedBy, sideOf } from '../findings.ts';
import type { Findings, Kind, Look, LookUp, Side, Tools } from '../kind.ts';
import { exact, fromEditions } from '../provisions/compose.ts';
import { fromSides } from './compose.ts';
import { bothEditions } from './editions.ts';
import { type NamedSides, readSides } from './recognise.ts';

export const comparison: Kind = {
  name: 'comparison',
  recognise(question) {
    const { editions, references } = question;
    if (editions.each) return ofEditions(question, editions.each);
    if (!editions.compared && !(editions.past && editions.present)) return null;
    const sides = namedSides(question);
    const numbers = new Set(references.map(({ number }) => number)).size;
    // One provision is quoted with its comments from other layers.
    if (numbers === 1 && sides) return null;
    if (!editions.hasFormer && !sides && numbers < 2) return null;
    return firstOf([
      ...(numbers > 1 ? [ofProvisions(question, sides ? 2 : 0)] : []),
      ...(sides ? [ofSides(sides)] : [ofBoth(question)]),
    ]);
  },
};

/** Performs the lookups in order until one finds something. */
const firstOf =
  (looks: readonly Look[]): Look =>
  async (tools) => {
    for (const look of looks) {
      const findings = await look(tools);
      if (findings) return findings;
    }
    return null;
  };

/**
 * Returns the two subjects named in a question, or null if there are none or if one of them is only an edition, as in
 * "the old constitution and the new one".
 */
function namedSides({ said, editions }: Question): NamedSides | null {
  const sides = editions.past ? null : readSides(said);
  const isEdition = (side: string) => words(withoutEditions(side)).every(isStopWord);
  return editions.hasFormer && sides?.sides.some(isEdition) ? null : sides;
}

/** Looks up provisions of both editions, each in the edition in which it was requested. */
const ofEditions =
  ({ text, references }: Question, each: readonly LookUp['edition'][]): Look =>
  async (tools) => {
    const sides: Side[] = [];
    for (const edition of new Set(each)) {
      const own = references.filter((_, n) => each[n] === edition);
      const lookUp = { question: text, edition, references: own };
      sides.push(sideOf(lookUp, await tools.lookUp(lookUp)));
    }
    return prescribed(sides as [Side, ...Side[]], (context) => fromEditions(context, sides));
  };

/** Looks up several provisions. Returns null if fewer than `least` exist. */
const ofProvisions =
  ({ text, references }: Question, least: number): Look =>
  async (tools) => {
    const lookUp: LookUp = { question: text, edition: 'current', references };
    const found = await tools.lookUp(lookUp);
    if (found.exact.filter(exists).length < least) return null;
    return prescribed([sideOf(lookUp, found)], (context) => {
      const style = context.style === 'brief' ? 'brief' : null;
      const answer = exact({ ...context, style }, found, 'current');
      return answer.mode === 'exact' ? { ...answer, mode: 'comparison' } : answer;
    });
  };

function prescribed(sides: Findings['sides'], compose: Findings['compose']): Findings {
  return { sides, mode: modeOf(sides), prescribed: compose, compose };
}

const modeOf = (sides: readonly Side[]) => (sides.some(speaks) ? 'comparison' : 'no_answer');

/** Looks up each subject separately. */
const ofSides =
  ({ sides, topic }: NamedSides): Look =>
  async (tools) => {
    const looked: Side[] = [];
    for (const side of sides) {
      const question = `${side} ${topic}`.trim();
      const { edition, found } = await inEdition(
        side,
        { question, edition: 'current', references: [] },
        tools,
      );
      const spoken = found.speakers.length > 0;
      looked.push({
        edition,
        label: spoken ? found.speakers.join(', ') : capital(side),
        found: { ...found, answerable: found.answerable || (spoken && speaksOfIt(found)) },
      });
    }
    return compared(looked as [Side, ...Side[]]);
  };

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Looks up a subject in the current text and in the text it replaced. */
const ofBoth =
  (question: Question): Look =>
  async (tools) => {
    const { current, former } = await bothEditions(question, tools);
    return compared([
      { edition: 'current', label: null, found: current },
      { edition: 'superseded', label: null, found: former },
    ]);
  };

const compared = (sides: Findings['sides']): Findings => ({
  sides,
  mode: modeOf(sides),
  compares: true,
  compose: (context) => refuseSides(context, sides) ?? fromSides(context, sides),
});

/** Looks up a side in the current text, or in the replaced text if only headings there contain the name. */
async function inEdition(
  name: string,
  lookUp: LookUp,
  tools: Tools,
): Promise<Pick<Side, 'edition' | 'found'>> {
  const found = await tools.lookUp(lookUp);
  if (found.hits.some((hit) => isHeadedBy(hit, name))) return { edition: 'current', found };
  const former = await tools.lookUp({ ...lookUp, edition: 'superseded' });
  return former.hits.some((hit) => isHeadedBy(hit, name))
    ? { edition: 'superseded', found: former }
    : { edition: 'current', found };
}

/** A lower minimum share of matching words, because speakers are identified by metadata and use their own words. */
const spokenShare = 0.3;

const speaksOfIt = ({ hits, evidence }: RetrievalResult): boolean =>
  hits.length > 0 &&
  evidence.features.sentence >= spokenShare &&
  evidence.missingNumbers.length + evidence.missingNames.length === 0;
