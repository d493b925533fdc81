/** The fixed texts of the graph page. */
import type { GraphEdge, GraphNode } from '../../src/asks/graph-schema.ts';
import type { Language } from '../../src/domain/events.ts';

interface Texts {
  title: string;
  search: string;
  find: string;
  /** Heading of the most mentioned nodes. */
  most: string;
  picture: (name: string) => string;
  kinds: Record<GraphNode['kind'], string>;
  /** How an edge describes the other node: an outgoing edge, and an incoming one. */
  out: Record<GraphEdge['relation'], string>;
  in: Record<GraphEdge['relation'], string>;
  mentions: (count: number) => string;
  said: string;
  also: string;
  place: (number: number) => string;
  cut: string;
  late: string;
  nothing: (name: string) => string;
  failed: Record<'busy' | 'denied' | 'unavailable', string>;
  /** Labels of the picture's buttons, in the order used by its script. */
  zoom: readonly [closer: string, farther: string, whole: string];
  help: string;
}

export const texts: Record<Language, Texts> = {
  ru: {
    title: 'Граф знаний',
    search: 'Имя, орган, место, закон или статья',
    find: 'Найти',
    most: 'О чём говорится больше всего',
    picture: (name) => `С чем связано: ${name}`,
    kinds: {
      document: 'документ',
      provision: 'норма',
      term: 'термин',
      name: 'имя',
      person: 'лицо',
      organisation: 'орган',
      place: 'место',
      law: 'закон',
    },
    out: {
      mentions: 'Упоминает',
      refers_to: 'Ссылается на',
      defines: 'Определяет',
      holds: 'Занимает должность',
    },
    in: {
      mentions: 'Упоминается в',
      refers_to: 'На это ссылаются',
      defines: 'Определяется в',
      holds: 'Должность занимает',
    },
    mentions: (count) => `Упоминаний: ${count}`,
    said: 'Где об этом сказано',
    also: 'Возможно, имелось в виду',
    place: (number) => `место ${number}`,
    cut: 'Показано не всё: связей больше, чем помещается.',
    late: 'Новые документы ещё читаются; скоро связей может стать больше.',
    nothing: (name) => `Граф ничего не знает об имени «${name}».`,
    failed: {
      busy: 'Запросов слишком много. Повторите немного позже.',
      denied: 'Граф открывается только по ключу доступа.',
      unavailable: 'Граф сейчас не прочитать. Повторите немного позже.',
    },
    zoom: ['Ближе', 'Дальше', 'Целиком'],
    help: 'Рисунок двигается мышью, пальцем и стрелками, масштаб — клавишами + и −. Всё, что на нём, есть и в списке ниже.',
  },
  kk: {
    title: 'Білім графы',
    search: 'Есім, орган, жер, заң немесе бап',
    find: 'Іздеу',
    most: 'Ең көп айтылатындар',
    picture: (name) => `Байланыстары: ${name}`,
    kinds: {
      document: 'құжат',
      provision: 'норма',
      term: 'термин',
      name: 'атау',
      person: 'тұлға',
      organisation: 'орган',
      place: 'жер',
      law: 'заң',
    },
    out: { mentions: 'Атап өтеді', refers_to: 'Сілтеме жасайды', defines: 'Анықтайды', holds: 'Лауазымы' },
    in: {
      mentions: 'Мұнда аталады',
      refers_to: 'Бұған сілтеме жасайды',
      defines: 'Мұнда анықталады',
      holds: 'Бұл лауазымда',
    },
    mentions: (count) => `Аталу саны: ${count}`,
    said: 'Бұл қайда айтылған',
    also: 'Мүмкін, мынаны іздедіңіз',
    place: (number) => `${number}-орын`,
    cut: 'Бәрі көрсетілмеген: байланыстар бұдан көп.',
    late: 'Жаңа құжаттар әлі оқылып жатыр; жақында байланыстар көбеюі мүмкін.',
    nothing: (name) => `Граф «${name}» атауын білмейді.`,
    failed: {
      busy: 'Сұраулар тым көп. Сәл кейінірек қайталаңыз.',
      denied: 'Граф тек қолжетімділік кілті бойынша ашылады.',
      unavailable: 'Графты қазір оқу мүмкін емес. Сәл кейінірек қайталаңыз.',
    },
    zoom: ['Жақындату', 'Алыстату', 'Толық'],
    help: 'Сурет тінтуірмен, саусақпен және көрсеткі пернелермен жылжиды, масштабы + және − пернелерімен өзгереді. Суреттегінің бәрі төмендегі тізімде бар.',
  },
  en: {
    title: 'Knowledge graph',
    search: 'A name, body, place, law or article',
    find: 'Find',
    most: 'Most mentioned',
    picture: (name) => `Connections of ${name}`,
    kinds: {
      document: 'document',
      provision: 'provision',
      term: 'term',
      name: 'name',
      person: 'person',
      organisation: 'body',
      place: 'place',
      law: 'law',
    },
    out: { mentions: 'Mentions', refers_to: 'Refers to', defines: 'Defines', holds: 'Holds the office' },
    in: {
      mentions: 'Mentioned in',
      refers_to: 'Referred to by',
      defines: 'Defined in',
      holds: 'The office is held by',
    },
    mentions: (count) => `Mentions: ${count}`,
    said: 'Sources',
    also: 'Did you mean',
    place: (number) => `place ${number}`,
    cut: 'Not all connections are shown: there are too many.',
    late: 'New documents are still being processed; more connections may appear soon.',
    nothing: (name) => `The graph contains nothing named “${name}”.`,
    failed: {
      busy: 'Too many requests at once. Try again a little later.',
      denied: 'The graph requires an access key.',
      unavailable: 'The graph cannot be read at the moment. Try again a little later.',
    },
    zoom: ['Closer', 'Farther', 'Whole'],
    help: 'The picture moves with the mouse, a finger or the arrow keys, and zooms with + and −. The list below shows the same content.',
  },
};
