/**
 * Questions that lean on what was said before: "а раньше?", "подробнее", "and the second one?", "а в 2019?",
 * "оны кім тағайындайды?". They are made whole from the history before anything is looked up; no model is asked.
 */
import type { HistoryMessage } from '../domain/events.ts';
import { parseReferences, type Reference } from '../text/references/parse.ts';
import { foldText, foldWord, isStopWord, stem, words } from '../text/words.ts';
import { namesNoSubject, past } from './intent.ts';
import { phrases } from './phrases.ts';

export interface Resolved {
  /** The question made whole; as given where it stands by itself. */
  question: string;
  /** True when the history was used. */
  rewritten: boolean;
  /** More is wanted about what was answered: sentences already told are left out. */
  more: boolean;
  /** What took the place of the old subject: the answer must be about it. */
  focus?: string;
}

const more =
  /^(?:а |и |ну |можно |можешь |расскажи(?:те)? |скажи(?:те)? |дай(?:те)? |объясни(?:те)? |об этом |об? этом |про это )*(?:по)?подробн(?:ее|ей|о|ости)(?: об этом| про это| пожалуйста| расскажи(?:те)?| объясни(?:те)?)*[\s?.!]*$|^(?:ещ[её]|дальше|продолжай(?:те)?|что ещ[её]|расскажи ещ[её]|а дальше)[\s?.!]*$|^(?:please )?(?:tell me more|more(?: details?| information| info)?(?: please| about (?:it|this|that))?|in more detail|go on|continue|elaborate|explain more|what else)[\s?.!]*$|^(?:толығырақ|толығырақ айт\p{L}*(?: бер\p{L}*)?|тағы|тағы не|жалғастыр\p{L}*|кеңірек(?: айт\p{L}*)?)[\s?.!]*$/u;
const opening =
  /^(?:а|и|ну а|а если|а как|тогда|and|but|what about|how about|and what about|then|so|ал|онда|сонда|ал егер)(?!\p{L})[\s,]*/u;
const closing = /(?:\sше|\sші|ше)[\s?!.]*$/u;
const pronoun =
  /(?<!\p{L})(?:он|она|оно|они|его|е[её]|их|ему|ей|им|ими|н[её]м|ней|него|не[её]|них|этот|эта|это|этого|этой|этом|этому|эти|этих|тот|тому|там|тогда|такой|it|its|he|she|they|him|his|her|them|their|this|that|these|those|there|one|ones|ол|оны|оның|оған|онда|одан|олар|олардың|бұл|бұны|бұның|мұны|осы|сол|соны)(?!\p{L})/u;
const steps: [RegExp, 1 | -1][] = [
  [/(?<!\p{L})(?:следующ\p{L}+|next|келесі\p{L}*)(?!\p{L})/u, 1],
  [/(?<!\p{L})(?:предыдущ\p{L}+|previous|алдыңғы\p{L}*)(?!\p{L})/u, -1],
];
const ordinals: [RegExp, number][] = [
  [/(?<!\p{L})(?:перв(?:ый|ая|ое|ую|ой|ого|ом)|first|бірінші\p{L}*)(?!\p{L})/u, 1],
  [/(?<!\p{L})(?:втор(?:ой|ая|ое|ую|ого|ом)|second|екінші\p{L}*)(?!\p{L})/u, 2],
  [/(?<!\p{L})(?:трет(?:ий|ья|ье|ью|ьей|ьего|ьем)|third|үшінші\p{L}*)(?!\p{L})/u, 3],
  [/(?<!\p{L})(?:четв[её]рт(?:ый|ая|ое|ую|ой|ого|ом)|fourth|төртінші\p{L}*)(?!\p{L})/u, 4],
  [/(?<!\p{L})(?:последн(?:ий|яя|ее|юю|ей|его)|last|соңғы\p{L}*)(?!\p{L})/u, -1],
];
/** A follow-up with a question word of its own keeps what was asked before whole. */
const asksItself =
  /(?<!\p{L})(?:кто|что|как|когда|где|почему|зачем|сколько|какой|какая|какие|раньше|ранее|прежде|теперь|сейчас|who|what(?! about)|how(?! about)|when|where|why|which|before|earlier|now|кім|не|қалай|қашан|қайда|неге|қанша|бұрын|қазір)(?!\p{L})/u;
const year = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/g;

const content = (text: string) => words(text).filter((word) => !isStopWord(word));

/** Makes a question whole with the turns before it (oldest first). */
export function resolveFollowUp(question: string, history: readonly HistoryMessage[]): Resolved {
  const alone = { question, rewritten: false, more: false };
  const last = history.findLastIndex((turn) => turn.role === 'user' && content(turn.content).length > 0);
  if (last < 0) return alone;
  const low = foldText(question).trim();
  const wantsMore = more.test(low);
  const references = parseReferences(question);
  const terms = content(low.replace(opening, ''));
  const opened = opening.test(low) || (closing.test(low) && terms.length <= 3);
  const leans =
    wantsMore ||
    terms.length === 0 ||
    (references.length === 0 && namesNoSubject(question)) ||
    (opened && terms.length <= 3) ||
    (terms.length <= 4 && pronoun.test(low) && references.length === 0) ||
    (references.length > 0 && references.every(isPart));
  if (!leans) return alone;

  const before = resolveFollowUp(history[last]!.content, history.slice(0, last)).question;
  if (wantsMore) return { question: before, rewritten: true, more: true };
  const said = history.slice(last + 1).findLast((turn) => turn.role === 'assistant')?.content ?? '';

  const rewritten = (whole: string): Resolved => ({ question: whole, rewritten: true, more: false });

  const asked = parseReferences(before);
  if (references.length > 0) {
    const whole = asked.at(-1) ?? parseReferences(said)[0];
    if (references.every(isPart) && whole)
      return rewritten(within(bare(question), whole.of ?? whole, question));
    if (references.some(isPart)) return alone;
    // "а статья 7?": the same question about another provision.
    const old = asked[0];
    return rewritten(
      old ? before.slice(0, old.start) + bare(question) + before.slice(old.end) : bare(question),
    );
  }
  const number = terms.length === 1 && /^\d{1,3}$/.test(terms[0]!) ? terms[0]! : null;
  if (number && asked[0]) {
    return rewritten(before.slice(0, asked[0].start) + nameOf(number, before) + before.slice(asked[0].end));
  }

  const step = steps.find(([pattern]) => pattern.test(low))?.[1];
  const from = asked.at(-1);
  if (step !== undefined && terms.length <= 2 && from) {
    // A "следующий" after a point is the next point, a "следующая" the next article.
    const inside = from.of !== null && !/(?:ая|ую|ей)(?!\p{L})/u.test(low);
    const number = Number(inside ? from.number.split('.').at(-1) : (from.of ?? from).number) + step;
    if (Number.isInteger(number)) {
      if (!inside) return rewritten(nameOf(String(number), before));
      return rewritten(within(pointOf(number, before), from.of!, before));
    }
  }
  const nth = ordinals.find(([pattern]) => pattern.test(low))?.[1];
  if (nth !== undefined && terms.length <= 2) {
    const picked = pick(asked, said, nth, question);
    if (picked) return rewritten(picked);
  }
  const years = question.match(year);
  if (years && terms.length === years.length) {
    return rewritten(
      `${ended(before.replace(year, '')).replace(/\s(?:в|во|in|за|for)$/iu, '')} ${bare(question)}`,
    );
  }
  if (
    opened &&
    terms.length > 0 &&
    terms.length <= 2 &&
    !past.test(low) &&
    !pronoun.test(low) &&
    !asksItself.test(low)
  ) {
    return { ...rewritten(exchange(before, bare(question))), focus: bare(question) };
  }
  return rewritten(`${ended(before)} ${bare(question)}`);
}

const isPart = (reference: Reference) =>
  reference.of === null && ['point', 'subpoint', 'indent', 'part', 'paragraph'].includes(reference.unit);

/** The words of a follow-up without its opening. */
function bare(question: string): string {
  const trimmed = question.trim();
  const start = opening.exec(trimmed.toLowerCase())?.[0].length ?? 0;
  return trimmed
    .slice(start)
    .replace(/\s+ше(?=[?!.\s]*$)/u, '')
    .replace(/[?!.\s]+$/u, '');
}

const isKazakh = (text: string) => /[әғқңөұүһі]/i.test(text);
const isEnglish = (text: string) => /[a-z]/i.test(text) && !/[а-я]/i.test(text);
const ended = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[?!.,\s]+$/u, '')
    .trim();

/** The name of an article in the language of another text. */
function nameOf(number: string, like: string): string {
  return isEnglish(like) ? `Article ${number}` : isKazakh(like) ? `${number}-бап` : `статья ${number}`;
}

/** The name of a point in the language of another text. */
function pointOf(number: number, like: string): string {
  return isEnglish(like) ? `point ${number}` : isKazakh(like) ? `${number}-тармағы` : `пункт ${number}`;
}

/** The name of a part of an article. */
function within(part: string, article: { number: string }, like: string): string {
  if (isEnglish(like)) return `${part} of Article ${article.number}`;
  return isKazakh(like) ? `${article.number}-баптың ${part}` : `${part} статьи ${article.number}`;
}

/**
 * "а в Сенате?" after "Сколько депутатов в Парламенте?": the new subject in the place of the old one, which is the
 * name in the question, else its last word, in Kazakh its first.
 */
function exchange(before: string, subject: string): string {
  const whole = ended(before);
  const list = [...whole.matchAll(/[\p{L}\p{N}-]+/gu)].filter((found) => content(found[0]).length > 0);
  if (list.length < 2) return `${whole} ${subject}`;
  const preposition = /(?:^|\s)(?:у|в|во|на|для|о|об|of|in|for|the|a|an)\s+$/iu;
  // "а в Палате регионов?" after "… в Палате представителей?": from the word they share on.
  const [first] = content(subject).map(stem);
  const shared = list.find((found) => found.index > 0 && stem(foldWord(found[0])) === first);
  if (shared && content(subject).length > 1)
    return `${whole.slice(0, shared.index).replace(preposition, ' ').trim()} ${subject}`;
  const name = list.findLast((found) => found.index > 0 && /^\p{Lu}/u.test(found[0]));
  const old = name ?? (isKazakh(whole) ? list[0] : list.at(-1))!;
  const head = whole.slice(0, old.index).replace(preposition, ' ');
  const tail = whole.slice(old.index + old[0].length).replace(/^['’]s/u, '');
  return `${head}${/\s$/.test(head) || head === '' ? '' : ' '}${subject}${tail}`.trim();
}

/** Two names told together: "the House of Lords and the House of Commons". */
const pair =
  /(\p{Lu}\p{Ll}+(?: (?:of (?:the )?)?\p{L}+)?) (?:and|и|мен|бен|пен|және) (?:the )?(\p{Lu}\p{Ll}+(?: (?:of (?:the )?)?\p{L}+)?)/u;

/** The n-th (-1: last) provision, else name of two, else line, of what was asked or answered. */
function pick(asked: readonly Reference[], said: string, nth: number, like: string): string | null {
  const at = <T>(list: readonly T[]) => (nth < 0 ? list.at(-1) : list[nth - 1]);
  const distinct = asked.filter((one, n) => asked.findIndex((other) => other.number === one.number) === n);
  if (distinct.length > 1) {
    const one = at(distinct);
    return one ? nameOf(one.number, like) : null;
  }
  const article = distinct[0];
  if (article?.of && nth > 0) {
    // After a point, "the second one" is the point beside it.
    const beside = [...article.chain.slice(0, -1), { unit: article.unit, number: String(nth) }];
    return phrases[isEnglish(like) ? 'en' : isKazakh(like) ? 'kk' : 'ru'].provision(beside);
  }
  if (article?.unit === 'article' && nth > 0) {
    // After one article, "the second one" is its point.
    return within(pointOf(nth, like), article, like);
  }
  const both = pair.exec(said)?.slice(1);
  if (both && nth <= both.length) return at(both) ?? null;
  const lines = said
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => content(line).length > 2);
  const line = lines.length > 1 ? at(lines) : undefined;
  return line ? line.slice(0, 300) : null;
}
