/** Questions about references to or from a provision. */

import type { ExactFinding, Found, Provision, RetrievalResult } from '../../../reading/passages.ts';
import { type Numbered, parseReferences } from '../../../text/references/parse.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { titlesOf } from '../../writing/sources.ts';
import { exists, provisionsFor, sideOf, unique } from '../findings.ts';
import type { Findings, Kind, LookUp, Tools } from '../kind.ts';
import { lookUpOf } from '../tools.ts';
import { fromReferences } from './compose.ts';
import type { FollowedReference, FollowedReferences } from './port.ts';
import { type ReferenceDirection, readReferring } from './recognise.ts';

export const references: Kind = {
  name: 'references',
  recognise(question, corpus) {
    if (question.references.length === 0) return null;
    const titles = [corpus, ...corpus.layers].flatMap(titlesOf);
    const referring = readReferring(question.text, question.references, titles);
    return referring && ((tools) => followed(lookUpOf(question), referring, tools));
  },
};

/** Looks up the references to or from a provision. Returns null if they are unknown. */
async function followed(
  lookUp: LookUp,
  referring: ReferenceDirection,
  tools: Tools,
): Promise<Findings | null> {
  const found = await tools.lookUp(lookUp);
  const finding = found.exact.find(exists);
  const references = finding && (await follow(finding, referring, tools));
  if (!references) return null;
  const targets = referring === 'from' ? await provisionsAt(references.items, lookUp, tools) : [];
  return findingsOf(lookUp, found, { ...references, targets });
}

/**
 * Returns the references from or to a provision in the asker's language or, if there are none, in another. Returns null
 * if the references are unknown, or if none were found but there may be some.
 */
async function follow(
  finding: ExactFinding,
  referring: ReferenceDirection,
  { lang, follow }: Tools,
): Promise<Omit<FollowedReferences, 'targets'> | null> {
  if (!follow) return null;
  const layer = provisionsFor(finding, lang).leading[0]!.passage.facts.layer.name;
  const provisions = finding.provisions.filter(({ passage }) => passage.facts.layer.name === layer);
  const [root, ...inner] = finding.chain as [Numbered, ...Numbered[]];
  const keys = new Set(provisions.map(({ passage }) => passage.facts.doc_key));
  const wanted = [...keys].map((doc_key) => ({ ...root, doc_key }));
  const followed = await follow({ provisions: wanted, referring }).catch(() => null);
  if (followed === null) return null;
  const all = followed.items
    .map((one) => ({ ...one, passage: { ...one.passage, score: 0 } }))
    .filter((one) => inner.length === 0 || isOfPart(one, referring, inner, provisions));
  const langs = all.map(({ passage }) => passage.chunk.lang);
  const spoken = langs.includes(lang) ? lang : langs[0];
  const items = all.filter(({ passage }) => passage.chunk.lang === spoken);
  return items.length === 0 && followed.more ? null : { finding, referring, items, more: followed.more };
}

/** Whether a reference points to a part of an article or, if `referring` is "from", is inside this part. */
function isOfPart(
  { passage, start, end }: FollowedReference,
  referring: ReferenceDirection,
  inner: readonly Numbered[],
  provisions: readonly Provision[],
): boolean {
  if (referring === 'from')
    return provisions.some((one) => one.passage.id === passage.id && one.start <= start && end <= one.end);
  const wanted = inner.map(({ number }) => number).join('.');
  return parseReferences(passage.text.slice(start, end)).some(({ chain }) =>
    chain
      .slice(-inner.length)
      .map(({ number }) => number)
      .join('.')
      .startsWith(wanted),
  );
}

/** Maximum number of referenced provisions to look up. For the others, only the referring words are shown. */
const targetsMax = 12;

/** Returns the passages of the referenced provisions, without duplicates. */
async function provisionsAt(
  items: readonly FollowedReference[],
  lookUp: LookUp,
  tools: Tools,
): Promise<Found[]> {
  const keys = new Map(items.map(({ to }) => [`${to.doc_key} ${to.unit} ${to.number}`, to] as const));
  const wanted = [...keys.values()].slice(0, targetsMax);
  if (wanted.length === 0) return [];
  const references = wanted.map(({ unit, number, doc_key }) => ({
    unit,
    number,
    of: null,
    chain: [{ unit, number }],
    start: 0,
    end: 0,
    act: null,
    doc_key,
  }));
  const { exact } = await tools.lookUp({ ...lookUp, references });
  const passages = exact.flatMap(({ provisions }, n) => {
    const one = provisions.find(({ passage }) => passage.facts.doc_key === wanted[n]!.doc_key);
    return one ? [one.passage] : [];
  });
  return unique(passages);
}

function findingsOf(lookUp: LookUp, found: RetrievalResult, references: FollowedReferences): Findings {
  const compose = (context: AnswerContext) => fromReferences(context, references);
  const others = [...references.targets, ...references.items.map(({ passage }) => passage)];
  const { provisions, neighbours } = references.finding;
  const [first, ...rest] = [...provisions.map(({ passage }) => passage), ...neighbours];
  return {
    sides: [sideOf(lookUp, found)],
    others,
    // The same provision in other languages comes last.
    sources: unique([first!, ...others, ...rest]),
    mode: references.items.length > 0 ? 'exact' : 'no_answer',
    prescribed: compose,
    compose,
  };
}
