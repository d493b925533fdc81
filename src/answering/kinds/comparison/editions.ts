/** Looks up the text in force and the text it replaced. */
import type { Language } from '../../../domain/events.ts';
import type { RetrievalResult } from '../../reading/passages.ts';
import type { Question } from '../../understanding/question.ts';
import { inOneLanguage } from '../../writing/sentences.ts';
import { firstProvision } from '../findings.ts';
import type { Tools } from '../kind.ts';

/** The text in force, and the former one on the same subject. */
export async function bothEditions(
  { references, editions: { subject } }: Question,
  { lang, lookUp }: Tools,
): Promise<{ current: RetrievalResult; former: RetrievalResult }> {
  const current = await lookUp({ question: subject, edition: 'current', references });
  // The heading of a provision gives its subject; its number may differ in the other text.
  const provision = firstProvision(current, lang);
  const [best] = inOneLanguage(current, lang).sentences;
  const heading = (provision?.passage ?? best?.hit)?.chunk.heading ?? '';
  const sentence = provision || !best ? '' : best.hit.text.slice(best.start, best.end);
  const matched = await lookUp({
    question: [subject, heading, sentence].join(' '),
    edition: 'superseded',
    references: [],
  });
  // Results found by both the words and the heading are scored by the words alone, unless only a number was requested.
  const plain = provision ? null : await lookUp({ question: subject, edition: 'superseded', references: [] });
  const former = plain
    ? { ...matched, answerable: plain.answerable || (current.answerable && heading !== '') }
    : { ...matched, answerable: matched.hits.length > 0, exact: counterpart(matched, lang) };
  return { current, former };
}

/** The counterpart of a provision asked for by number: the best provision on its subject, as a whole. */
function counterpart(matched: RetrievalResult, lang: Language): RetrievalResult['exact'] {
  const [best] = inOneLanguage(matched, lang).sentences;
  if (!best?.hit.chunk.number) return [];
  const named = { unit: 'article' as const, number: best.hit.chunk.number };
  const provisions = [{ passage: best.hit, start: 0, end: best.hit.text.length }];
  return [{ ...named, chain: [named], unknownAct: false, provisions, neighbours: [], near: [] }];
}
