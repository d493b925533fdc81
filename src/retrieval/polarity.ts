/**
 * Whether a sentence that shares a question's words says the opposite of what is asked: the question is negated and
 * the sentence is not, an antonym stands in the place of one of its words, or the word itself has been turned by a
 * prefix. Finds near misses; a sentence about something else it cannot tell.
 */
import { isStopWord, stem } from '../text/words.ts';
import { isNegated } from './question.ts';

const pairs = (
  'before after, first last, earliest latest, earlier later, early late, begin end, start finish, start end, open close, increase decrease, rise fall, ' +
  'grow shrink, gain lose, win lose, victory defeat, largest smallest, large small, big small, biggest smallest, highest lowest, high low, higher lower, ' +
  'upper lower, longest shortest, long short, longer shorter, more less, most least, most fewest, many few, majority minority, maximum minimum, best worst, better worse, good bad, ' +
  'strong weak, stronger weaker, strongest weakest, fast slow, faster slower, hot cold, warm cold, warmer colder, north south, northern southern, east west, eastern western, ' +
  'left right, male female, man woman, boy girl, father mother, son daughter, brother sister, husband wife, old new, older newer, oldest newest, old young, older younger, oldest youngest, ' +
  'rich poor, richest poorest, easy difficult, simple complex, hard soft, deep shallow, wide narrow, heavy light, thick thin, dark light, internal external, inner outer, inside outside, ' +
  'include exclude, accept reject, allow forbid, allow prohibit, permit forbid, agree disagree, love hate, birth death, born died, buy sell, import export, arrive leave, enter leave, ' +
  'create destroy, build destroy, attack defend, ally enemy, friend enemy, public private, legal illegal, direct indirect, finite infinite, positive negative, active passive, ' +
  'maternal paternal, ancient modern, full empty, true false, same different, above below, top bottom, front back, cause prevent, support oppose, appoint dismiss, ' +
  'до после, первый последний, ранний поздний, раньше позже, начало конец, начать закончить, начаться закончиться, открыть закрыть, увеличить уменьшить, рост падение, ' +
  'победа поражение, выиграть проиграть, большой маленький, больший меньший, больше меньше, наибольший наименьший, максимальный минимальный, высокий низкий, высший низший, ' +
  'длинный короткий, самый наименее, лучший худший, сильный слабый, быстрый медленный, горячий холодный, тёплый холодный, северный южный, восточный западный, север юг, восток запад, ' +
  'левый правый, мужчина женщина, мужской женский, отец мать, сын дочь, брат сестра, муж жена, старый новый, старший младший, богатый бедный, внутренний внешний, родиться умереть, ' +
  'рождение смерть, купить продать, импорт экспорт, впадать вытекать, разрешить запретить, назначить освободить, принять отклонить, государственный частный, ' +
  'бірінші соңғы, дейін кейін, үлкен кіші, көп аз, жоғары төмен, солтүстік оңтүстік, шығыс батыс, тағайындау босату'
).split(', ');

const antonyms = new Map<string, Set<string>>();
for (const pair of pairs) {
  const [a, b] = pair.replaceAll('ё', 'е').split(' ').map(stem);
  if (a === undefined || b === undefined || a === b) continue;
  if (!antonyms.has(a)) antonyms.set(a, new Set());
  if (!antonyms.has(b)) antonyms.set(b, new Set());
  antonyms.get(a)!.add(b);
  antonyms.get(b)!.add(a);
}

const prefixes = ['un', 'in', 'im', 'ir', 'il', 'dis', 'non', 'не', 'без', 'бес'];

/** Takes words as words() yields them. */
export function opposed(question: readonly string[], sentence: readonly string[]): boolean {
  if (isNegated(question) && !isNegated(sentence)) return true;
  const there = new Set(sentence.map(stem));
  for (const word of question) {
    const asked = stem(word);
    if (there.has(asked)) continue;
    for (const other of antonyms.get(asked) ?? []) if (there.has(other)) return true;
    if (word.length < 5) continue;
    for (const prefix of prefixes) {
      if (there.has(stem(prefix + word))) return true;
      if (
        word.startsWith(prefix) &&
        word.length >= prefix.length + 5 &&
        there.has(stem(word.slice(prefix.length)))
      )
        return true;
    }
  }
  return false;
}

const having = new Set('with с со по by under мен бен пен'.split(' '));
const lacking = new Set('without без'.split(' '));
const kazakhHaving = /(?:мен|бен|пен)$/u;
const kazakhLacking = /(?:сыз|сіз)(?:дар|дер)?$/u;
/** "With a written decision": so far behind the preposition its noun may stand. */
const reach = 3;

/** What stands with, and what without; nouns after a preposition as stems, Kazakh ones without their endings. */
function companions(list: readonly string[], prepositions: ReadonlySet<string>, ending: RegExp): Set<string> {
  const found = new Set<string>();
  for (const [n, word] of list.entries()) {
    if (prepositions.has(word))
      for (const next of list.slice(n + 1, n + 1 + reach)) if (!isStopWord(next)) found.add(stem(next));
    if (word.length > 5 && ending.test(word)) {
      // "Сот шешімімен": the noun before it says whose.
      for (const noun of [kazakhNoun(word, ending), list[n - 1] ?? '']) if (noun.length > 2) found.add(noun);
    }
  }
  return found;
}

const kazakhNoun = (word: string, ending: RegExp) => word.replace(ending, '').replace(/[іы]?[мнң]?$/u, '');

/** Whether a sentence tells of being without what the question says to be there, and nowhere of being with it. */
export function turned(question: readonly string[], sentence: readonly string[]): boolean {
  if (!sentence.some((word) => lacking.has(word) || kazakhLacking.test(word))) return false;
  const wanted = companions(question, having, kazakhHaving);
  if (wanted.size === 0) return false;
  const absent = companions(sentence, lacking, kazakhLacking);
  const there = companions(sentence, having, kazakhHaving);
  return [...wanted].some((one) => absent.has(one) && !there.has(one));
}
