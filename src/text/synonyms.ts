/**
 * Words that ask for the same whatever the subject: general language only, no word in two groups. Where stemming does
 * not bring the forms of a word together (suppletion, aspect, irregular verbs), they stand in one group too.
 */
import { foldWord, stem } from './words.ts';

const groups = `
год года годы годов лет
человек человека человеку человеком люди людей людям людьми людях
ребенок ребенка ребенку ребенком дети детей детям детьми детях
гражданин гражданина гражданину гражданином граждане граждан гражданам гражданами гражданах
мать матери матерью мама мамы маму мамой
отец отца отцу отцом папа папы папу папой
дочь дочери дочерью дочка дочки дочку дочкой
сын сына сыном сыновья сыновей сыновьям
жена жены жену женой супруга супруги супругу супругой
муж мужа мужу мужем супруг супругом
друг друзья друзей друзьям
государство страна
гражданство подданство
автор создатель
актер артист
врач доктор
космонавт астронавт
писатель литератор
режиссер кинорежиссер
фильм кинофильм кинокартина
автомобиль машина авто
самолет авиалайнер
корабль судно
компания фирма
лекарство медикамент
количество число численность
размер величина
длительность продолжительность
срок период
цена стоимость
изменение поправка
обязанность долг
причина повод
награда премия
столица столичный
смерть кончина гибель
рождение появление
население жители жителей жителям
река речка
песня песенка
большой крупный
больше более
знаменитый известный
другой иной другие иные других иных
каждый любой всякий каждая любая каждое любое
все всех всем всеми весь вся всю всего всей
необходимо нужно надо требуется необходим нужен необходима нужна необходимы нужны
должен должна должно должны обязан обязана обязано обязаны
может могут можем могу вправе можно
запрещено запрещается нельзя запрещен запрещена запрещены
разрешено разрешается допускается разрешен разрешена допустимо
сейчас теперь ныне
всегда постоянно
также тоже
быстро скоро
избирать избирает избирают избирается избираются избрать избран избрана избраны избрали выбирать выбирает выбирают выбирается выбираются выбрать выбран выбрана выбраны выбрали
назначать назначает назначают назначается назначаются назначить назначен назначена назначены назначил назначили
получать получает получают получить получил получила получили
предоставлять предоставляет предоставляют предоставить давать дает дают дать
принимать принимает принимают принимается принимаются принять принят принята приняты принял приняли
обращаться обращается обращаются обратиться
действовать действует действуют
длиться длится длятся длилась длился длилось продолжаться продолжается продолжалась продолжался
использовать использует используют использовал использовали применять применяет применяют применял применяли
начинать начинает начать начал начала начали
начинаться начинается начинаются начаться начался началась началось начались
заканчиваться заканчивается закончиться закончился закончилась закончилось окончиться окончился окончилась завершиться завершился завершилась
возникать возникает возникнуть возник возникла возникло возникли появиться появился появилась появилось появились
происходить происходит произойти произошел произошла произошло произошли случиться случился случилась случилось
изобрести изобрел изобрела изобрели придумать придумал придумала придумали
построить построил построили построен построена построено построенный построенные возведенный возведенные возвести возвел возвели возведен возведена
создавать создать создал создала создали создан создана создано созданный созданные основанный основанные учрежденный учрежденные основать основал основала основали основан основана учредить учредил учредили учрежден учреждена
победить победил победила победили выиграть выиграл выиграла выиграли
умереть умер умерла умерли скончаться скончался скончалась скончались
родиться родился родилась родились рожден рождена
увольнять увольняет уволить уволен уволили
отменять отменяет отменить отменен отменена отменили упразднить упразднен упразднена
руководить руководит руководил управлять управляет управлял возглавлять возглавляет возглавлял
писать написать написал написала написан написана написано написаны
снимать снял сняла снят снята
жить живет живут жил жила жили проживать проживает проживают проживал
учиться учится учатся учился училась учились обучаться обучается обучаются обучался
работать работает работают работал трудиться трудится трудятся
купить купил купила купили приобрести приобрел приобрела приобрели
сообщить сообщает сообщают уведомить уведомляет уведомляют известить извещает извещают
век века веков столетие столетия столетий
данные данных сведения сведений
расстояние дистанция
маленький небольшой
главный основной
учитель преподаватель педагог
ученик школьник учащийся учащихся
зарплата жалованье
религия вероисповедание
петь поет спеть спел спела исполнить исполнил исполнила

country nation
salary wage
live lives lived reside resides resided
inform informed notify notified
teacher instructor
film movie
author writer
spouse partner
cost price
car automobile
phone telephone
mobile cellphone
reason cause
begin began begun begins start starts started commence
end ends ended finish finishes finished
happen happens happened occur occurs occurred
buy buys bought purchase purchased
choose chose chosen choose pick
get gets got gotten receive receives received obtain obtained
help assist
take took taken takes
give gave given gives
find found finds
make made makes
build built builds constructed
write wrote written writes
speak spoke spoken speaks
know knew known knows
see saw seen sees
lose lost loses
win won wins
pay paid pays
send sent sends
hold held holds
go goes went gone
die died dies dead
child children
man men
woman women
person people persons
wife wives
big large
biggest largest
fast quick quickly
now currently presently
wrong incorrect
must shall
allow allowed permit permitted
cancel cancelled canceled
euro euros eur
dollar dollars usd
pound pounds gbp

сұрақ сауал
мемлекет ел
мерзім уақыт
міндетті тиіс
керек қажет
көмек жәрдем
мұғалім ұстаз
жалақы еңбекақы
оқушы шәкірт
ақша қаражат
бүгін қазір
заң заңнама
бола болады
`;

const byWord = new Map<string, string>();
const byStem = new Map<string, string>();
for (const line of groups.split('\n')) {
  const group = line.split(' ').filter(Boolean).map(foldWord);
  for (const word of group) {
    if (!byWord.has(word)) byWord.set(word, group[0]!);
    if (!byStem.has(stem(word))) byStem.set(stem(word), group[0]!);
  }
}

/** The name of each word's group: the first word of it, which stays when groups come and go. Read models store it. */
export const synonymGroups: ReadonlyMap<string, string> = byWord;

/** The name of the group a word (as `words()` yields it) belongs to, by itself or by its stem; null where it has none. */
export function synonymGroup(word: string): string | null {
  return byWord.get(word) ?? byStem.get(stem(word)) ?? null;
}

const stemsOf = new Map<string, Set<string>>();
for (const [word, group] of byWord) stemsOf.set(group, (stemsOf.get(group) ?? new Set()).add(stem(word)));

/** The stems of the group that a stem belongs to; empty where it has none. */
export function synonymsOf(of: string): string[] {
  const group = byStem.get(of);
  return group === undefined ? [] : [...stemsOf.get(group)!];
}
