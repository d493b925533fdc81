/**
 * Whether a sentence that shares a question's words says the opposite of what is asked: the question is negated and
 * the sentence is not, an antonym stands in the place of one of its words, or the word itself has been turned by a
 * prefix. Finds near misses; a sentence about something else it cannot tell.
 */
import { stem } from '../text/words.ts';
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

const turned = ['un', 'in', 'im', 'ir', 'il', 'dis', 'non', 'не', 'без', 'бес'];

/** Takes words as words() yields them. */
export function opposed(question: readonly string[], sentence: readonly string[]): boolean {
  if (isNegated(question) && !isNegated(sentence)) return true;
  const there = new Set(sentence.map(stem));
  for (const word of question) {
    const asked = stem(word);
    if (there.has(asked)) continue;
    for (const other of antonyms.get(asked) ?? []) if (there.has(other)) return true;
    if (word.length < 5) continue;
    for (const prefix of turned) {
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
