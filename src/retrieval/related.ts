/**
 * Words that answer each other without being the same: who asks for an age is answered in years, who asks about a
 * house finds "dwelling". General language only. They are no evidence that two questions ask the same (synonyms.ts
 * is stricter); here they let a passage speak of what a question asks in other words.
 */
import { synonymsOf } from '../text/synonyms.ts';
import { foldWord, stem } from '../text/words.ts';

const groups = `
возраст лет моложе старше достигший достиг
работать работа труд трудиться
бастовать забастовка забастовки
деньги денежный денег валюта
дом дома жилище жилье квартира
обыск обыскать обыскивать осмотр войти проникновение
снять снимают отстранить отрешить отрешен отрешение сместить импичмент
умер умереть смерть смерти скончался
купить покупка продать продаваться продаются продажа приобрести собственность
продать продаются
арест арестовать арестовали арестованный задержание задержать задержали задержанный
больница врач лечение медицинский
школа учиться обучение образование
армия военный воинский
компьютер алгоритм автоматизированный
митинг собрание шествие демонстрация
страна республика государство
пенсия пенсионный
судья судьи судей судей судьей
запретить запрет запрещать запрещено запрещается
изменить изменение менять поправка
выбирать выбирает выборы избирать избирает избирается избран избрание
заменять заменяет замещать замещает исполнять исполняет обязанности
переизбрать переизбран переизбираться избран
паспорт гражданство
двойной двойное второй другой два
зарплата жалованье оклад
чиновник должностное служащий
суд судебный
подпись подписать поддержка
вера религия религиозный верить
глава руководитель начальник аким губернатор
младший несовершеннолетний ребенок подросток

age old younger older
retire retirement pension
house home dwelling
search enter entry
reelect reelected elected election
passport citizenship nationality
currency money monetary
dies died die death dead
work job employ employed employment
arrest arrested detain detained detention custody
rally protest demonstration assembly
buy sell sold purchase
doctor hospital medical health
school education
army military
computer algorithm automated
ban banned prohibit prohibited forbidden
change amend amendment
choose elect elected elects
fire dismiss dismissed removed removal impeach impeachment
mp deputy
replace replaces succeed succeeds performed performs acting
boss head chief
minor child

жас жасы жаста жасқа
валюта ақша
үй баспана тұрғын
қамау ұстау ұсталған
сату сатып сатылмайды
`;

const byStem = new Map<string, Set<string>>();
for (const line of groups.split('\n')) {
  const all = line
    .split(' ')
    .filter(Boolean)
    .map((word) => stem(foldWord(word)));
  for (const one of all) {
    const known = byStem.get(one) ?? new Set();
    for (const other of all) if (other !== one) known.add(other);
    byStem.set(one, known);
  }
}

/** Stems of words that may answer a word of this stem, its synonyms included; never itself. */
export function relatedStems(of: string): string[] {
  return [...new Set([...(byStem.get(of) ?? []), ...synonymsOf(of)])].filter((one) => one !== of);
}
