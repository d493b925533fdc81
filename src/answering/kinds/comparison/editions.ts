/** Looks up a subject in the current text and in the text it replaced. */
import type { Language } from '../../../domain/events.ts';
import type { Question } from '../../../question/question.ts';
import type { RetrievalResult } from '../../../reading/passages.ts';
import { inOneLanguage } from '../../writing/sentences.ts';
import { firstProvision } from '../findings.ts';
import type { Tools } from '../kind.ts';

export async function bothEditions(
  { references, editions: { subject } }: Question,
  { lang, lookUp }: Tools,
): Promise<{ current: RetrievalResult; former: RetrievalResult }> {
  const current = await lookUp({ question: subject, edition: 'current', references });
  // The heading of a provision states its subject. Its number may differ in the former text.
  const provision = firstProvision(current, lang);
  const [best] = inOneLanguage(current, lang).sentences;
  const heading = (provision?.passage ?? best?.hit)?.chunk.heading ?? '';
  const sentence = provision || !best ? '' : best.hit.text.slice(best.start, best.end);
  const matched = await lookUp({
    question: [subject, heading, sentence].join(' '),
    edition: 'superseded',
    references: [],
  });
  // Unless a provision was requested by number, the former text must answer the question's own words or match the
  // heading of an answerable result in the current text.
  const plain = provision ? null : await lookUp({ question: subject, edition: 'superseded', references: [] });
  const former = plain
    ? { ...matched, answerable: plain.answerable || (current.answerable && heading !== '') }
    : { ...matched, answerable: matched.hits.length > 0, exact: counterpart(matched, lang) };
  return { current, former };
}

/** The counterpart of a provision requested by number: the whole of the best provision about its subject. */
function counterpart(matched: RetrievalResult, lang: Language): RetrievalResult['exact'] {
  const [best] = inOneLanguage(matched, lang).sentences;
  if (!best?.hit.chunk.number) return [];
  const named = { unit: 'article' as const, number: best.hit.chunk.number };
  const provisions = [{ passage: best.hit, start: 0, end: best.hit.text.length }];
  return [{ ...named, chain: [named], unknownAct: false, provisions, neighbours: [], near: [] }];
}
