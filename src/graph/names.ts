/**
 * The names of a chunk: persons, bodies and offices, places, laws and documents. A name is a run of capitalised words
 * with what belongs to it in small letters; its kind is that of the noun that heads it, else what stands beside it.
 * Where the noun stands is a fact of the language: "Палата представителей", "Өкілдер палатасы", "House of
 * Representatives".
 */
import { isGeneralWord } from '../text/general-words.ts';
import {
  endingIn,
  endings,
  type Language,
  type OfficeHead,
  ofEach,
  setOf,
  tableOfAll,
  textOf,
  wordsOfAll,
} from '../text/languages/index.ts';
import type { EntityKind } from './mentions.ts';
import type { Token } from './tokens.ts';
import { languageOf, noFacts, type WordFacts } from './vocabulary.ts';

/** A name as tokens, `to` exclusive. */
export interface Name {
  kind: EntityKind;
  from: number;
  to: number;
  /** See Mention. */
  sure: boolean;
  kindKnown: boolean;
  rank: 0 | 1;
  /** No noun of it says what it names. */
  bare: boolean;
  /** Its first word as a dictionary has it, where the others stay as they are whatever its case; null: not known. */
  opening: string | null;
}

const runMax = 8;
/** Words in small letters that may belong to a name: its noun, or what it governs. */
const smallMax = 6;

const articles = wordsOfAll('grammar.articles');
const conjunctions = wordsOfAll('grammar.conjunctions');
const years = tableOfAll('calendar.years');
const topicOpens = wordsOfAll('acts.topicOpens');
const endsFinite = endings('morphology.finite', 2);
const endsReflexive = endings('morphology.reflexive', 3);
/** As `isAdjective`, without the endings that nouns have, too. */
const endsAsAdjective = endings('morphology.adjectives', 3);
const isPast = endings('morphology.past', 2);
const isParticiple = endings('morphology.participles', 2);
const isComplement = endings('entities.complements', 2);
const isPlural = endings('entities.pluralComplements', 2);
const isOwner = endings('acts.owner', 2);
const isRoman = /^[IVXLC]+$/;

const rules = ofEach((language) => {
  const head = textOf(language, 'grammar.officeHead') as OfficeHead;
  const whereEndings = textOf(language, 'entities.whereEndings');
  return {
    head,
    joins: setOf(textOf(language, 'entities.joins')),
    fieldJoins: setOf(textOf(language, 'entities.fieldJoins')),
    where: setOf(textOf(language, 'entities.whereWords')),
    whereEnding: whereEndings === '' ? null : endingIn(whereEndings, 3),
    opensComplement: setOf(textOf(language, 'entities.complementOpens')),
    vowels: textOf(language, 'letters.vowels'),
    inflects: head !== 'before preposition',
  };
});
type Rules = (typeof rules)[Language];

/** Reads the names of the tokens that `free` lets through, in order. */
export function namesIn(tokens: readonly Token[], lang: Language, free: (token: Token) => boolean): Name[] {
  return new NameReader(tokens, lang, free).read();
}

class NameReader {
  private readonly tokens: readonly Token[];
  private readonly lang: Language;
  private readonly free: (token: Token) => boolean;
  private readonly out: Name[] = [];

  constructor(tokens: readonly Token[], lang: Language, free: (token: Token) => boolean) {
    this.tokens = tokens;
    this.lang = lang;
    this.free = free;
  }

  read(): Name[] {
    for (let at = 0; at < this.tokens.length; ) at = this.readAt(at);
    return this.out;
  }

  private facts(at: number): WordFacts {
    return this.tokens[at]?.facts ?? noFacts;
  }

  private rules(at: number): Rules {
    return rules[languageOf(this.tokens[at]!.low, this.lang)];
  }

  /** A capitalised word that may be a part of a name. */
  private isPart(at: number): boolean {
    const token = this.tokens[at];
    return (
      token?.capital === true &&
      token.text.length > 1 &&
      this.free(token) &&
      (!this.facts(at).isStop || this.isAcronym(at)) &&
      token.facts.month === null &&
      !token.facts.isWeekday &&
      !token.facts.isUnit &&
      !token.facts.isHonorific
    );
  }

  /** Capitals alone among words that are not: "WHO" is no pronoun. */
  private isAcronym(at: number): boolean {
    return this.tokens[at]!.shouted && !this.tokens[at - 1]?.shouted && this.tokens[at + 1]?.shouted !== true;
  }

  private isSmall(at: number): boolean {
    const token = this.tokens[at];
    return (
      token !== undefined && token.kind === 'word' && !token.capital && token.adjacent && this.free(token)
    );
  }

  private isHead(at: number): boolean {
    const { is, isAct, isState } = this.facts(at);
    return is.size > 0 || isAct || isState;
  }

  /** Reads what begins at a token; the token to go on with. */
  private readAt(at: number): number {
    const initials = this.withInitials(at);
    if (initials !== null) return initials;
    if (!this.isPart(at)) return this.smallName(at) ?? at + 1;
    let to = at + 1;
    while (to - at < runMax && this.isPart(to) && this.tokens[to]!.adjacent) to++;
    const { head } = this.rules(at);
    if (head === 'before preposition') {
      const office = to - at > 1 && this.tokens[at]!.opens && this.facts(at + 1).is.has('sole');
      return this.joined(office && !this.isHead(at) ? at + 1 : at, to);
    }
    // "Сегодня Марина Тулепова": an ordinary word that has its capital letter from the sentence.
    const ordinary =
      this.tokens[at]!.opens &&
      to - at > 1 &&
      isGeneralWord(this.tokens[at]!.low) &&
      !this.isHead(at) &&
      !(to === at + 2 && this.facts(at + 1).isSurname) &&
      (head === 'last' ? !this.isHead(at + 1) : !this.facts(at).isAdjective);
    // "Әркім Конституцияны сақтайды": what there is one of is nobody's.
    const alone =
      head === 'last' && this.tokens[at]!.opens && to - at > 1 && !this.isHead(at) && this.isSole(at + 1);
    const from = ordinary || alone ? at + 1 : at;
    return head === 'last' ? this.nounLast(from, to) : this.nounFirst(from, to);
  }

  private add(kind: EntityKind, from: number, to: number, more: Partial<Name> = {}): void {
    const opens = this.tokens[from]!.opens;
    this.out.push({
      kind,
      from,
      to,
      sure: !opens || to - from > 1,
      kindKnown: true,
      rank: this.rankOf(from, to),
      bare: !this.hasHead(from, to),
      opening: this.openingOf(from, to),
      ...more,
    });
  }

  /** A noun that comes first governs what follows: "Палаты представителей" is the genitive of "Палата представителей". */
  private openingOf(from: number, to: number): string | null {
    const { inflects, head } = this.rules(from);
    if (!inflects || this.rankOf(from, to) === 1 || (head === 'last' && to > from + 1)) return null;
    return this.facts(from).dictionary;
  }

  private isSole(at: number): boolean {
    const { is, isConstitution, isPossessed } = this.facts(at);
    return (is.has('sole') || isConstitution) && !isPossessed;
  }

  private hasHead(from: number, to: number): boolean {
    for (let n = from; n < to; n++) if (this.isHead(n)) return true;
    return false;
  }

  /** "А. Б. Сейтов", "Сейтов А.Б.", "J. Smith". */
  private withInitials(at: number): number | null {
    const isInitial = (n: number) =>
      this.tokens[n]?.kind === 'word' &&
      this.tokens[n]!.capital &&
      this.tokens[n]!.text.length === 1 &&
      this.tokens[n + 1]?.text === '.' &&
      this.tokens[n + 1]!.start === this.tokens[n]!.end &&
      this.free(this.tokens[n]!);
    const near = (n: number) =>
      this.tokens[n] !== undefined && this.tokens[n]!.start - this.tokens[n - 1]!.end <= 1;
    if (isInitial(at)) {
      let n = at + 2;
      if (isInitial(n) && near(n)) n += 2;
      if (!this.isPart(n) || !near(n) || this.tokens[n]!.shouted || this.isHead(n)) return null;
      this.add('person', at, n + 1, { sure: true });
      return n + 1;
    }
    if (!this.isPart(at) || this.tokens[at]!.shouted || this.isHead(at)) return null;
    let n = at + 1;
    while (n < at + 5 && isInitial(n) && near(n)) n += 2;
    if (n === at + 1) return null;
    // One initial that ends a sentence is none: "витамин С. Он".
    if (n === at + 3 && !this.facts(at).isSurname) return null;
    this.add('person', at, n, { sure: true });
    return n;
  }

  /** "министр водных ресурсов и экологии": in small letters throughout. */
  private smallName(at: number): number | null {
    const token = this.tokens[at]!;
    if (token.kind !== 'word' || !this.free(token) || token.capital) return null;
    const facts = this.facts(at);
    if (facts.act === 'law' && this.rules(at).head === 'first noun') {
      const to = this.topic(at + 1);
      if (to > at + 1) {
        this.add('law', at, to, { sure: true });
        return to;
      }
    }
    if (!facts.is.has('small')) return null;
    const to = this.complement(at, at + 1);
    if (to === at + 1) return null;
    this.add('organisation', at, to, { sure: true });
    return to;
  }

  /** What an act in small letters is about, "об омбудсмане": where it ends. */
  private topic(from: number): number {
    if (!this.isSmall(from) || !topicOpens.has(this.tokens[from]!.low)) return from;
    let to = from + 1;
    // Adjectives, their noun, and what it governs.
    let noun = false;
    while (to - from <= smallMax && this.isSmall(to) && !this.facts(to).isStop && !this.isVerb(to)) {
      if (noun && !isComplement(this.tokens[to]!.low)) break;
      noun ||= !this.facts(to).isAdjective;
      to++;
    }
    return to > from + 1 ? to : from;
  }

  private isVerb(at: number): boolean {
    const { low } = this.tokens[at]!;
    if (this.isHead(at)) return false;
    return isPast(low) || isParticiple(low) || endsReflexive(low) || (endsFinite(low) && !isComplement(low));
  }

  /** The words in small letters that a noun governs, "представителей", "по правам человека": where they end. */
  private complement(head: number, from: number): number {
    const { is } = this.facts(head);
    if (!is.has('governing')) return from;
    const { opensComplement, fieldJoins } = this.rules(head);
    const fields = is.has('fields');
    let to = from;
    let opened = false;
    for (let n = from; n - from < smallMax && this.isSmall(n); n++) {
      const { low } = this.tokens[n]!;
      if (n === from && opensComplement.has(low)) opened = true;
      else if (opened && to === from && !this.facts(n).isStop) to = this.facts(n).isAdjective ? to : n + 1;
      else if (to > from && fields && fieldJoins.has(low)) continue;
      else if (this.facts(n).isStop) break;
      // Behind an adjective stands its noun, whatever it ends in: "автомобильных дорог".
      else if (
        !(n > from && to === n && isPlural(this.tokens[n - 1]!.low)) &&
        (!isComplement(low) || this.isVerb(n))
      )
        break;
      else {
        to = n + 1;
        if (!fields && !opened && !this.facts(n).isAdjective) break;
      }
    }
    return to;
  }

  /** Behind a name: "Республики Кенсай", "Кенсая". */
  private ofState(from: number): number {
    if (!this.isPart(from) || !this.tokens[from]!.adjacent) return from;
    const { isState, isCountry } = this.facts(from);
    if (isCountry) return from + 1;
    if (!isState) return from;
    const next = from + 1;
    return this.isPart(next) && this.tokens[next]!.adjacent && !this.isHead(next) ? next + 1 : next;
  }

  /** Behind the name of an act: the year that tells it from others, and its number. */
  private ofYear(to: number): number {
    const [year, word] = [this.tokens[to], this.tokens[to + 1]];
    if (year && /^(?:1[89]|20)\d\d$/.test(year.text) && year.adjacent && word && years.has(word.low))
      return to + 2;
    return to;
  }

  private kindOf(head: number): EntityKind {
    const { is, isAct, isState } = this.facts(head);
    if (is.has('placesBeside') || is.has('placesWithin') || isState) return 'place';
    if (isAct) return 'law';
    if (is.has('documents')) return 'document';
    return 'organisation';
  }

  /** Languages whose noun comes first, behind its adjectives. */
  private nounFirst(from: number, to: number): number {
    let at = from;
    const [first, second] = [this.facts(from), from + 1 < to ? this.facts(from + 1) : null];
    // "Поручаю Кабинету министров": the first word has its capital letter from the sentence.
    if (
      this.tokens[from]!.opens &&
      second !== null &&
      !this.isHead(from) &&
      !first.isCountry &&
      (!first.isAdjective || (second.isState && !endsAsAdjective(this.tokens[from]!.low))) &&
      (this.isHead(from + 1) || (second.isAdjective && to === from + 2 && this.sharedHead(to) !== null))
    )
      at++;
    let end = to;
    while (at < to) {
      let head = at;
      while (head < to && !this.isHead(head) && this.facts(head).isAdjective) head++;
      if (head < to && this.isHead(head)) end = this.headed(at, head, to);
      else if (head === to) end = this.adjectives(at, to);
      else {
        end = head;
        while (end < to && !this.isHead(end)) end++;
        this.unknown(at, end);
      }
      at = Math.max(end, at + 1);
    }
    return Math.max(end, to);
  }

  /** A name with its noun: what belongs to it behind the noun. */
  private headed(from: number, head: number, runEnd: number): number {
    const facts = this.facts(head);
    const kind = this.kindOf(head);
    let end = head + 1;
    const isOffice = facts.is.has('offices');
    if (facts.is.has('placesBeside') && end < runEnd && from === head) {
      this.unknown(end, runEnd, 'place');
      return runEnd;
    }
    while (end < runEnd) {
      const state = this.ofState(end);
      if (state > end) end = state;
      // "Председатель Верховного суда".
      else if (isOffice && end === runEnd - 1 && this.facts(end).isAdjective && !this.isHead(end)) {
        const small = this.smallHead(runEnd);
        if (small === null) break;
        end = small;
      } else if (this.isHead(end) && !this.facts(end).is.has('offices')) end++;
      else if (isOffice || this.isHead(end) || (this.facts(end).isAdjective && end + 1 < runEnd)) break;
      else end++;
    }
    if (end >= runEnd) {
      const last = this.facts(end - 1);
      if (last.isAdjective && !this.isHead(end - 1)) end = this.smallHead(end) ?? end;
      else end = this.complement(end - 1, end);
      end = Math.max(end, this.ofState(end));
      if (kind === 'law') end = this.ofYear(Math.max(end, this.topic(end)));
    }
    const named = end - from > 1 || facts.isConstitution || facts.is.has('sole');
    this.add(kind, from, end, { sure: named || !this.tokens[from]!.opens });
    return end;
  }

  /** Behind adjectives: the noun in small letters that they belong to, "Конституционный суд"; behind it. */
  private smallHead(from: number): number | null {
    for (let n = from; n < from + 3 && this.isSmall(n); n++) {
      if (this.isHead(n)) return this.complement(n, n + 1);
      if (!this.facts(n).isAdjective) return null;
    }
    return null;
  }

  /** Where the words in small letters begin that hold the noun of adjectives, their own or that of one joined by "and". */
  private sharedHead(to: number): number | null {
    if (this.smallHead(to) !== null) return to;
    const joined =
      conjunctions.has(this.tokens[to]?.low ?? '') && this.isPart(to + 1) && this.facts(to + 1).isAdjective;
    return joined && !this.isPart(to + 2) && this.smallHead(to + 2) !== null ? to + 2 : null;
  }

  /** Adjectives with a capital letter and no noun that has one. */
  private adjectives(from: number, to: number): number {
    let end = this.smallHead(to);
    const shared = this.sharedHead(to);
    if (shared === null) {
      this.unknown(from, to);
      return to;
    }
    let head = shared;
    while (!this.isHead(head)) head++;
    // "Саздинского и Верхнекемского водохранилищ": the noun is the next one's.
    if (end === null) {
      this.add(this.kindOf(head), from, to, { sure: true });
      return to;
    }
    const kind = this.kindOf(head);
    end = Math.max(end, this.ofState(end));
    if (kind === 'law') end = this.ofYear(end);
    // "Новый закон", "Каждый суд": at the beginning of a sentence any adjective has a capital letter.
    this.add(kind, from, end, { sure: !this.tokens[from]!.opens });
    return end;
  }

  /** Languages whose noun comes last. */
  private nounLast(from: number, runEnd: number): number {
    const { opensComplement } = this.rules(from);
    // "Адам құқықтары жөніндегі уәкіл".
    for (let n = runEnd; n < runEnd + 4 && this.isSmall(n); n++)
      if (opensComplement.has(this.tokens[n]!.low) && this.tokens[n + 1]?.adjacent && this.isHead(n + 1)) {
        this.add('organisation', from, n + 2, { sure: true });
        return n + 2;
      }
    // "Денсаулық сақтау министрлігі": what it is for stands in small letters.
    if (runEnd - from === 1 && !this.isHead(from))
      for (
        let n = runEnd + 1;
        n < runEnd + 4 && this.isSmall(n - 1) && this.isSmall(n) && !this.isHead(n - 1);
        n++
      )
        if (this.facts(n).is.has('fields')) {
          this.add('organisation', from, n + 1, { sure: true });
          return n + 1;
        }
    let at = from;
    while (at < runEnd) {
      // As far as the words belong to one noun: the next one is possessed, or the one before it possesses.
      let head = -1;
      let end = at;
      for (; end < runEnd; end++) {
        if (!this.isHead(end)) {
          if (head >= 0 && !isOwner(this.tokens[end - 1]!.low)) break;
          // A person before the body or place of the next noun, and a place that something is done in.
          const { whereEnding } = this.rules(end);
          const more = head < 0 && end + 1 < runEnd;
          const family = end === at && this.facts(end).isSurname && !this.isHead(end + 1);
          const person =
            family ||
            (end === at + 1 &&
              end + 2 === runEnd &&
              !this.isHead(end + 1) &&
              this.isSmall(runEnd) &&
              this.isHead(runEnd)) ||
            (end === at + 1 && (this.facts(end).isSurname || (end + 2 < runEnd && !this.isHead(end + 1))));
          if (more && (person || (whereEnding?.test(this.tokens[end]!.low) && !this.facts(end).isCountry))) {
            end++;
            break;
          }
          continue;
        }
        if (head >= 0 && !isOwner(this.tokens[end - 1]!.low) && !this.facts(end).isPossessed) break;
        head = end;
      }
      if (end === runEnd && this.isSmall(end) && this.isHead(end) && this.facts(end).isPossessed) {
        const { is } = this.facts(end);
        if (is.has('placesBeside')) {
          this.unknown(at, runEnd, 'place');
          return end + 1;
        }
        head = end++;
        // "Өңірлер палатасының Төрағасы".
        while (isOwner(this.tokens[end - 1]!.low) && this.isPart(end) && this.facts(end).isPossessed)
          head = end++;
      }
      if (head < 0) this.unknown(at, end);
      else if (this.facts(head).is.has('placesBeside') && head === end - 1 && head > at)
        this.unknown(at, head, 'place');
      else {
        // "Президент Алдияр Кеңесбек": who holds an office is named behind it.
        const kind = this.kindOf(head);
        const start = kind === 'law' ? this.yearBefore(at) : at;
        const held = this.isPart(end) && !this.isHead(end) && this.facts(head).is.has('offices');
        // "Айыпты Өкілдер палатасы", "Су қоймасы": the capital letter may be that of the sentence alone.
        const guessed = head - at > 1 || this.facts(head).is.has('placesWithin');
        const unsure =
          this.tokens[at]!.opens &&
          guessed &&
          !this.isHead(at) &&
          (head - at === 1 ? !this.tokens[head]!.capital : !this.isHead(at + 1));
        const named = head > at || held || this.facts(head).isConstitution || this.facts(head).is.has('sole');
        this.add(kind, start, head + 1, { sure: (named && !unsure) || !this.tokens[at]!.opens });
        end = head + 1;
      }
      at = end;
    }
    return Math.max(at, runEnd);
  }

  /** "1994 жылғы Конституция": the year before an act. */
  private yearBefore(at: number): number {
    const [year, word] = [this.tokens[at - 2], this.tokens[at - 1]];
    return year && word && years.has(word.low) && /^(?:1[89]|20)\d\d$/.test(year.text) ? at - 2 : at;
  }

  /** Languages that join the words of a name by prepositions. */
  private joined(from: number, runEnd: number): number {
    const { joins, fieldJoins } = this.rules(from);
    let head = -1;
    for (let n = from; n < runEnd; n++) if (this.isHead(n)) head = n;
    // "Prime Minister Marina Tulepova": who holds an office is named behind it.
    if (head >= 0 && head < runEnd - 1 && this.facts(head).is.has('offices')) {
      this.add('organisation', from, head + 1, { sure: true });
      this.unknown(head + 1, runEnd);
      return runEnd;
    }
    const headed = head >= 0 ? this.facts(head) : null;
    const [firstJoin] = joins;
    // "Helen Marsh of Oxford University": two names.
    const isPerson =
      runEnd - from > 1 &&
      Array.from({ length: runEnd - from }, (_, n) => from + n).every((n) => this.mayBePerson(n));
    let end = runEnd;
    if (headed?.isAct) {
      const year = this.tokens[end];
      if (year?.adjacent && /^(?:1[89]|20)\d\d$/.test(year.text)) end++;
    }
    for (let rounds = 0; rounds < 3; rounds++) {
      const joint = this.tokens[end];
      if (!joint?.adjacent || joint.kind !== 'word') break;
      const field = end > runEnd && fieldJoins.has(joint.low) && headed?.is.has('fields');
      const plain =
        joins.has(joint.low) &&
        (headed !== null || (joint.low === firstJoin && !(end === runEnd && isPerson)));
      if (!field && !plain) break;
      let next = end + 1;
      if (!field && articles.has(this.tokens[next]?.low ?? '')) next++;
      if (!this.isPart(next) || !this.tokens[next]!.adjacent) {
        const year = this.tokens[next];
        if (headed?.isAct && year && /^(?:1[89]|20)\d\d$/.test(year.text)) end = next + 1;
        break;
      }
      end = next + 1;
      while (this.isPart(end) && this.tokens[end]!.adjacent && end - from < runMax * 2) end++;
    }
    if (headed === null) {
      // "Citizenship of the Republic": the capital letter of one word that opens a sentence tells nothing.
      const sure = runEnd - from > 1 || !this.tokens[from]!.opens;
      if (end > runEnd) this.add('organisation', from, end, { kindKnown: false, sure });
      else this.unknown(from, end);
    } else if (headed.is.has('placesBeside') && end > runEnd && from === head) {
      this.add('place', runEnd + (articles.has(this.tokens[runEnd + 1]?.low ?? '') ? 2 : 1), end, {
        sure: true,
      });
    } else {
      const named = end - from > 1 || headed.isConstitution || headed.is.has('sole');
      this.add(this.kindOf(head), from, end, { sure: named || !this.tokens[from]!.opens });
    }
    return end;
  }

  /** Capitalised words without a noun that tells what they name. */
  private unknown(from: number, to: number, kind?: EntityKind): void {
    if (from >= to) return;
    const length = to - from;
    const token = this.tokens[from]!;
    const facts = this.facts(from);
    const before = this.tokens[from - 1];
    const behind = this.tokens[to];
    const sure = !token.opens;
    if (kind !== undefined) {
      this.add(kind, from, to, { sure: true });
      return;
    }
    // "НАС Динара Ахметова": an acronym is a name by itself.
    if (length > 1 && token.shouted && this.tokens[from + 1]!.shouted === false) {
      this.unknown(from, from + 1);
      this.unknown(from + 1, to);
      return;
    }
    const honoured = before !== undefined && (before.facts.isHonorific || this.facts(from - 2).isHonorific);
    const honouredBehind =
      this.rules(from).head === 'last' && behind?.adjacent && behind.facts.isHonorific && !behind.capital;
    if (length <= 3 && (honoured || honouredBehind) && !token.shouted) {
      this.add('person', from, to, { sure: true });
      return;
    }
    if (length === 1) {
      if (token.shouted) {
        if (token.text.length <= 6 && !isRoman.test(token.text))
          this.add('organisation', from, to, { sure: true, kindKnown: false });
        return;
      }
      const { where, whereEnding, joins } = this.rules(from);
      const classed =
        this.isOfPlace(from - 1) ||
        (joins.has(before?.low ?? '') && this.isOfPlace(from - 2)) ||
        (before?.text === ':' && (this.isOfPlace(from - 2) || this.isOfPlace(from - 2, 'placesWithin')));
      const inside = where.has(before?.low ?? '') || whereEnding?.test(token.low) === true;
      if (facts.isCountry || facts.isState || classed) this.add('place', from, to, { sure: sure || classed });
      else if (inside) this.add('place', from, to, { sure });
      else if (facts.isSurname && !facts.isAdjective && token.text.length > 4)
        this.add('person', from, to, { sure });
      else if (!facts.isAdjective || sure)
        this.add(
          this.kindInList(from) ??
            (this.rules(from).head === 'before preposition' ? 'organisation' : 'place'),
          from,
          to,
          {
            sure: sure && (!facts.isAdjective || this.kindInList(from) !== null),
            kindKnown: false,
          },
        );
      return;
    }
    const { whereEnding: locative } = this.rules(from);
    if (length === 2 && token.opens && locative?.test(this.tokens[from + 1]!.low)) {
      this.unknown(from + 1, to);
      return;
    }
    const list = Array.from({ length }, (_, n) => this.facts(from + n));
    if (list.some(({ isCountry }) => isCountry)) this.add('place', from, to, { sure });
    else if (length <= 3 && list.every((_, n) => this.mayBePerson(from + n))) {
      const surname = list.at(-1)!.isSurname || list.some(({ isFatherName }) => isFatherName);
      this.add('person', from, to, { sure: sure || surname || length === 2, kindKnown: surname });
    } else this.add('organisation', from, to, { sure, kindKnown: false });
  }

  /** The kind of the name before a comma or an "and": what stands in one list is of one kind. */
  private kindInList(from: number): EntityKind | null {
    const last = this.out.at(-1);
    if (last === undefined || last.to !== from - 1 || last.to - last.from > 2) return null;
    const { text, low } = this.tokens[from - 1]!;
    // "Acme Tools Inc, Boston".
    if (text === ',' && last.kind === 'organisation' && last.kindKnown && !last.bare) return 'place';
    return (text === ',' || conjunctions.has(low)) && (last.kind === 'place' || last.kind === 'person')
      ? last.kind
      : null;
  }

  /** Where all words of a title have capital letters, ordinary ones are nobody's name. */
  private mayBePerson(at: number): boolean {
    const { shouted, low } = this.tokens[at]!;
    return !shouted && !(this.rules(at).head === 'before preposition' && isGeneralWord(low));
  }

  /** A noun that a place's name stands behind: "город". */
  private isOfPlace(at: number, of: 'placesBeside' | 'placesWithin' = 'placesBeside'): boolean {
    const token = this.tokens[at];
    return token !== undefined && token.kind === 'word' && this.facts(at).is.has(of);
  }

  /** See Mention: whether the noun of a name stands as a dictionary has it. */
  private rankOf(from: number, to: number): 0 | 1 {
    const { inflects, vowels, head } = this.rules(from);
    if (!inflects) return 1;
    const heads = Array.from({ length: to - from }, (_, n) => from + n).filter((n) => this.isHead(n));
    const noun = head === 'last' ? heads.at(-1) : heads[0];
    if (noun !== undefined) return this.facts(noun).isBase ? 1 : 0;
    const { low } = this.tokens[to - 1]!;
    if (head === 'last') return this.facts(to - 1).stem === low ? 1 : 0;
    const bare = (word: string) => !vowels.includes(word.at(-1)!);
    const first = this.tokens[from]!.low;
    if (first.length === 1) return bare(low) ? 1 : 0;
    if (to - from === 1)
      return bare(low) && !this.rules(from).where.has(this.tokens[from - 1]?.low ?? '') ? 1 : 0;
    if (bare(first)) return bare(low) ? 1 : 0;
    return this.facts(to - 1).isSurname && !bare(low) ? 1 : 0;
  }
}
