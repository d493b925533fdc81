/**
 * Identifies the documents of an act named in a question together with a provision. A document matches if its title
 * contains the kind of act (if one is named), all names and most words of the topic. Names may also occur at the
 * beginning of the document. Words that occur in the provision itself are ignored, because they do not distinguish acts
 * ("статья 29 Конституции: Президент").
 */
import type { Passage } from '../../../ports/chunk-search.ts';
import { covers } from '../../../reading/matching.ts';
import { kindsIn, type NamedAct } from '../../../text/references/acts.ts';
import { soundKey } from '../../../text/variants.ts';
import { foldText, isStopWord, stem, words } from '../../../text/words.ts';
import type { ProvisionReads } from './provision-reads.ts';

/** Minimum share of an act's topic words that a title must contain. */
const topicShare = 0.66;

const isBare = ({ names, topics, number }: NamedAct) => names.length + topics.length === 0 && number === null;

const alike = (one: string, other: string) => covers(one, other) || covers(other, one);

/** Whether the text contains a word, in any script. */
function holds(text: string, word: string): boolean {
  const wanted = stem(foldText(word));
  const sound = soundKey(wanted);
  return words(text).some((other) => {
    const there = stem(other);
    return alike(wanted, there) || (sound.length > 3 && alike(sound, soundKey(there)));
  });
}

/** Whether an abbreviation consists of the first letters of consecutive words in the text. */
function abbreviates(abbreviation: string, text: string, capitals: boolean): boolean {
  const list = [...text.matchAll(/\p{L}+/gu)]
    .map(([word]) => word)
    .filter((word) => !capitals || /^\p{Lu}/u.test(word));
  const wanted = foldText(abbreviation);
  return [list, list.filter((word) => !isStopWord(foldText(word)))].some((some) =>
    some
      .map((word) => foldText(word)[0])
      .join('')
      .includes(wanted),
  );
}

/** Whether a title contains the kind of the act. */
export const isTitled = (act: NamedAct | null, title: string): boolean =>
  act?.kind != null && kindsIn(title).includes(act.kind);

/** Whether a document is the act, judging by its title and head. `said`: the text of the provision. */
function fits(act: NamedAct, title: string, head: string, said: string): boolean {
  const spoken = new Set(words(said).map(stem));
  const has = (word: string) => holds(title, word) || spoken.has(stem(foldText(word)));
  const named = act.names.every(
    (name) =>
      has(name) ||
      (/\p{Lu}.*\p{Lu}/u.test(name) && (abbreviates(name, title, false) || abbreviates(name, head, true))) ||
      holds(head, name),
  );
  const topics = act.topics.filter(has).length;
  const numbered = act.number === null || words(`${title} ${head}`).includes(act.number);
  return named && numbered && topics >= topicShare * act.topics.length;
}

/** The beginning of a document, which usually contains its full name. */
async function headOf(reads: ProvisionReads, id: number): Promise<string> {
  const items = await reads.head(id, headPassages);
  return items.map(({ chunk, text }) => `${chunk.path.join(' ')} ${text}`).join('\n');
}
const headPassages = 3;
const headMax = 300;

/** Where to search for the act. */
export interface ActScope {
  /** The layers to search, leading layer first. */
  layers: readonly string[];
  /** The titles of the corpus and its layers, which may name an act. */
  about: readonly string[];
  /** Passages with the requested number, or with adjacent numbers if none has it. */
  numbered: readonly Passage[];
  /** Passages found by words. */
  hits: readonly Passage[];
}

/**
 * Returns the documents of the act in the first layer that contains it, or null if any document may contain the
 * provision. Documents of lower layers with the same number are included, because they may comment on the provision,
 * but only if the act itself contains that number.
 */
export async function documentsOf(
  reads: ProvisionReads,
  act: NamedAct,
  scope: ActScope,
): Promise<Set<number> | null> {
  const { layers, numbered } = scope;
  const chosen = await actAmong(reads, act, scope);
  const own = chosen && numbered.find(({ facts }) => chosen.has(facts.doc_id));
  if (!own) return chosen;
  const lower = new Set(layers.slice(layers.indexOf(own.facts.layer.name) + 1));
  const beside = numbered.filter(({ facts }) => lower.has(facts.layer.name));
  return new Set([...chosen, ...beside.map(({ facts }) => facts.doc_id)]);
}

/** Returns the documents of the act in the first layer that contains it; null: any document. */
export async function actAmong(
  reads: ProvisionReads,
  act: NamedAct,
  { layers, about, numbered, hits }: ActScope,
): Promise<Set<number> | null> {
  const passages = [...numbered, ...hits];
  for (const layer of layers) {
    const own = passages.filter(({ facts }) => facts.layer.name === layer);
    const chosen = await chosenAmong(reads, act, about, own, numbered);
    if (chosen.size > 0) return chosen;
  }
  return about.some((title) => isNamedBy(act, title)) ? null : new Set();
}

/** Whether the title of a corpus or layer names the act. */
const isNamedBy = (act: NamedAct, title: string): boolean =>
  isTitled(act, title) && (isBare(act) || fits(act, title, '', ''));

/** Returns the documents of one layer that are the act. */
async function chosenAmong(
  reads: ProvisionReads,
  act: NamedAct,
  about: readonly string[],
  passages: readonly Passage[],
  numbered: readonly Passage[],
): Promise<Set<number>> {
  const titles = new Map(passages.map(({ facts }) => [facts.doc_id, `${facts.title} ${facts.doc_key}`]));
  const ofKind = (title: string) => {
    const kinds = kindsIn(title);
    return act.kind === null || kinds.length === 0 ? 'open' : kinds.includes(act.kind) ? 'same' : 'other';
  };
  const notOther = [...titles].filter(([, title]) => ofKind(title) !== 'other').map(([id]) => id);
  if (isBare(act)) {
    const same = new Set([...titles].filter(([, title]) => ofKind(title) === 'same').map(([id]) => id));
    if (numbered.some(({ facts }) => same.has(facts.doc_id))) return same;
    if (about.some((title) => isNamedBy(act, title)) || act.kind !== 'constitution') return new Set(notOther);
    // A constitution says so in its title or head, and a law must not be mistaken for it.
    const heads = await Promise.all(notOther.map(async (id) => [id, await headOf(reads, id)] as const));
    const constitutions = heads
      .filter(([, head]) => ofKind(head.slice(0, headMax)) === 'same')
      .map(([id]) => id);
    return new Set([...same, ...constitutions]);
  }
  const found = new Set<number>();
  for (const id of notOther) {
    const title = titles.get(id)!;
    const said = numbered
      .filter(({ facts }) => facts.doc_id === id)
      .map(({ text }) => text)
      .join('\n');
    // The head counts only if the document has the provision or its title contains the kind of act.
    const trusted = said !== '' || ofKind(title) === 'same';
    const head = trusted ? await headOf(reads, id) : '';
    if (fits(act, title, head, said)) found.add(id);
  }
  if (found.size > 0) return found;
  return about.some((title) => isNamedBy(act, title)) ? new Set(notOther) : found;
}
