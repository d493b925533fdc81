/** Quoted names whose kind the noun beside them tells, and acts with their numbers: «Цифровой Кенсай», "Закон № 152". */
import { type Language, ofEach, textOf } from '../text/languages/index.ts';
import type { EntityKind } from './mentions.ts';
import type { Token } from './tokens.ts';

export interface Title {
  kind: EntityKind;
  /** Tokens, `to` exclusive. */
  from: number;
  to: number;
  /** The tokens the key is made of. */
  named: readonly [from: number, to: number];
}

const closing: Readonly<Record<string, string>> = { '«': '»', '“': '”', '„': '“', '"': '"' };
/** The longest title in tokens, and the words that may stand between an act's noun and its title. */
const titleMax = 30;
const betweenMax = 12;
const smallMax = 3;

/** Languages in which the noun that says what a name is stands last. */
const headIsLast = ofEach((language) => textOf(language, 'grammar.officeHead') === 'last');

export function titlesIn(tokens: readonly Token[], lang: Language): Title[] {
  const out: Title[] = [];
  const nounAt = (at: number): EntityKind | null => {
    const token = tokens[at];
    if (token?.kind !== 'word') return null;
    const { is, isAct } = token.facts;
    if (isAct) return 'law';
    if (is.has('documents')) return 'document';
    return is.has('bodies') || is.has('companies') || is.has('placesWithin') ? 'organisation' : null;
  };
  // "«Таң» жауапкершілігі шектеулі серіктестігі": words in small letters may stand before the noun.
  const nounBehind = (from: number): EntityKind | null => {
    const reach = headIsLast[lang] ? smallMax : 1;
    for (let n = from; n < from + reach && tokens[n]?.kind === 'word' && !tokens[n]!.capital; n++) {
      const kind = nounAt(n);
      if (kind !== null) return kind;
    }
    return null;
  };
  let last = 0;
  for (let at = 0; at < tokens.length; at++) {
    const close = closing[tokens[at]!.text];
    if (close !== undefined && tokens[at]!.kind === 'sign') {
      let to = at + 1;
      while (to < tokens.length && to - at < titleMax && tokens[to]!.text !== close) to++;
      if (tokens[to]?.text !== close || to === at + 1) continue;
      const act = actBefore(tokens, at, last);
      if (act !== null) out.push({ kind: 'law', from: act, to: to + 1, named: [act, to] });
      else if (tokens[at + 1]!.capital) {
        const [before, behind] = [nounAt(at - 1), nounBehind(to + 1)];
        const kind = headIsLast[lang] ? (behind ?? before) : (before ?? behind);
        if (kind !== null) out.push({ kind, from: at + 1, to, named: [at + 1, to] });
      }
      last = to + 1;
      at = to;
      continue;
    }
    if (nounAt(at) !== 'law') continue;
    const to = numbered(tokens, at + 1);
    if (to === at + 1) continue;
    out.push({ kind: 'law', from: at, to, named: [at, to] });
    last = to;
    at = to - 1;
  }
  return out;
}

/** The noun of an act whose title a quotation is: only names stand between, its number and its date. */
function actBefore(tokens: readonly Token[], at: number, floor: number): number | null {
  for (let n = at - 1; n >= Math.max(floor, at - betweenMax); n--) {
    const token = tokens[n]!;
    if (token.facts.isAct) return n;
    const passes = token.kind === 'number' || /^[№#,.-]$/.test(token.text) || token.capital || n >= at - 2;
    if (!passes || (/^[.;!?]$/.test(token.text) && !/^\d/.test(tokens[n - 1]?.text ?? ''))) return null;
  }
  return null;
}

/** "(EU) 2016/679", "№ 152-ФЗ", "95/46/EC", "No 12" behind an act's noun: where it ends. */
function numbered(tokens: readonly Token[], from: number): number {
  let at = from;
  if (tokens[at]?.text === '(' && tokens[at + 1]?.shouted && tokens[at + 2]?.text === ')') at += 3;
  let marked = false;
  if (/^(?:№|#|N|No|Nr)$/i.test(tokens[at]?.text ?? '')) {
    marked = true;
    at++;
    if (tokens[at]?.text === '.') at++;
  }
  if (tokens[at]?.kind !== 'number') return from;
  let to = at + 1;
  const isClose = (n: number) => tokens[n] !== undefined && tokens[n]!.start === tokens[n - 1]!.end;
  while (isClose(to) && /^[/-]$/.test(tokens[to]!.text) && isClose(to + 1) && tokens[to + 1]!.kind !== 'sign')
    to += 2;
  return marked || to > at + 1 ? to : from;
}
