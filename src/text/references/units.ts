/** The words and abbreviations that name numbered provisions in Russian, Kazakh and English. */

export const referenceUnits = [
  'article',
  'paragraph',
  'part',
  'point',
  'subpoint',
  'indent',
  'section',
  'chapter',
  'annex',
] as const;
export type ReferenceUnit = (typeof referenceUnits)[number];

export interface UnitForm {
  unit: ReferenceUnit;
  /** Several may follow, joined by commas, "и", a dash. */
  plural: boolean;
  /** "ст.", "п.": a full stop may stand between it and its number. */
  short: boolean;
  /** A bare singular that can follow its number ("23 статья", "23-бап"). */
  after: 'always' | 'ordinal' | 'never';
}

type Rule = [
  pattern: RegExp,
  unit: ReferenceUnit,
  plural: 'plural' | 'one' | 'short',
  after?: UnitForm['after'],
];
const rules: Rule[] = [
  [/^стать(?:я|ю|е|ей|ёй)$/, 'article', 'one', 'always'],
  [/^(?:статя|стаття|статьья|сатья|статю|статье|стотья|статъя)$/, 'article', 'one', 'always'],
  [/^стать(?:и|ям|ями|ях)$|^статей$/, 'article', 'plural', 'ordinal'],
  [/^ст{1,2}$|^стст$/, 'article', 'short'],
  [
    /^бап(?:т?[аеыі]|ты|тың|тын|тан|қа|ка|пен|тағы|тагы)?$|^баб(?:ы|ын|ына|ында|ынан|ының|ындағы|ымен)$/,
    'article',
    'one',
    'always',
  ],
  [/^баптар\p{L}*$/u, 'article', 'plural', 'always'],
  [/^(?:article|artcle|articel|artical|artilce)$/, 'article', 'one', 'ordinal'],
  [/^articles$/, 'article', 'plural', 'never'],
  [/^arts?$/, 'article', 'short'],
  [/^параграф(?:а|у|ом|е|қа|тың|та)?$|^paragraph$/, 'paragraph', 'one', 'ordinal'],
  [/^параграф(?:ы|ов|ам|ах|ами)$|^paragraphs$/, 'paragraph', 'plural', 'ordinal'],
  [/^§+$|^paras?$/, 'paragraph', 'short'],
  [/^част(?:ь|ью)$|^бөлі(?:к|г)\p{L}*$|^part$/u, 'part', 'one', 'ordinal'],
  [/^част(?:и|ей|ям|ями|ях)$|^parts$/, 'part', 'plural', 'ordinal'],
  [/^ч$/, 'part', 'short'],
  [/^пункт(?:а|у|ом|е)?$|^тарма(?:қ|ғ|к|г)(?!ша)\p{L}*$|^(?:point|clause)$/u, 'point', 'one', 'ordinal'],
  [/^пункт(?:ы|ов|ам|ами|ах)$|^(?:points|clauses)$/, 'point', 'plural', 'ordinal'],
  [/^п{1,2}$/, 'point', 'short'],
  [
    /^подпункт(?:а|у|ом|е)?$|^тарма(?:қ|к)ша\p{L}*$|^sub-?(?:point|paragraph|clause)$/u,
    'subpoint',
    'one',
    'ordinal',
  ],
  [/^подпункт(?:ы|ов|ам|ами|ах)$|^sub-?(?:points|paragraphs|clauses)$/, 'subpoint', 'plural', 'ordinal'],
  [/^подп$/, 'subpoint', 'short'],
  [/^абзац(?:а|у|ем|е|ы|ев|ам|ах)?$/, 'indent', 'one', 'ordinal'],
  [/^абз$/, 'indent', 'short'],
  [/^раздел(?:а|у|ом|е)?$|^бөлім(?:\p{L}*)$|^section$/u, 'section', 'one', 'ordinal'],
  [/^раздел(?:ы|ов|ам|ами|ах)$|^sections$/, 'section', 'plural', 'ordinal'],
  [/^разд$|^sec$|^sect$/, 'section', 'short'],
  [/^глав(?:а|у|е|ой|ою)$|^тарау(?:\p{L}*)$|^chapter$/u, 'chapter', 'one', 'ordinal'],
  [/^глав(?:ы|ам|ами|ах)?$|^chapters$/, 'chapter', 'plural', 'ordinal'],
  [/^гл$|^chap$/, 'chapter', 'short'],
  [/^приложени(?:е|я|ю|ем|и)$|^(?:annex|appendix)$/, 'annex', 'one', 'ordinal'],
  [/^прил$/, 'annex', 'short'],
];

/** What may stand in what: a higher number stands inside a lower one. */
export const rank: Record<ReferenceUnit, number> = {
  annex: 0,
  section: 0,
  chapter: 0,
  article: 1,
  paragraph: 2,
  part: 2,
  point: 3,
  subpoint: 4,
  indent: 5,
};

const unitCache = new Map<string, UnitForm | null>();
/** The unit a lower-case word names, null for any other word. */
export function unitOf(word: string): UnitForm | null {
  const known = unitCache.get(word);
  if (known !== undefined) return known;
  const rule = rules.find(([pattern]) => pattern.test(word));
  const form = rule
    ? {
        unit: rule[1],
        plural: rule[2] !== 'one',
        short: rule[2] === 'short',
        after: rule[3] ?? ('never' as const),
      }
    : null;
  if (unitCache.size > 5000) unitCache.clear();
  unitCache.set(word, form);
  return form;
}

/** The language of a word that names a unit; null for "§". */
export function languageOfUnit(word: string): 'ru' | 'kk' | 'en' | null {
  if (word.startsWith('§')) return null;
  if (/^[a-z]/.test(word)) return 'en';
  return /^(?:ба[пб]|тарма|бөлі|тарау)/.test(word) ? 'kk' : 'ru';
}
