/** Replies that need no documents: to small talk, questions about the assistant, tasks and empty questions. */
import type { CorpusSettings, Mode } from '../domain/events.ts';
import type { Question } from '../question/question.ts';
import { phrases } from '../text/phrases.ts';
import { isStopWord, words } from '../text/words.ts';
import { AnswerBuilder, type PreparedAnswer } from './writing/builder.ts';
import { localized } from './writing/sources.ts';

/** A message of at most this many words, all of them stop words ("what", "а что"), is not a question. */
const emptyWords = 2;

/** Returns null for a question that documents may answer. */
export function fixedReply(
  {
    talk,
    text,
    references,
    ordered,
    lang,
  }: Pick<Question, 'talk' | 'text' | 'references' | 'ordered' | 'lang'>,
  settings: CorpusSettings,
): PreparedAnswer | null {
  const fixed = phrases[lang];
  const corpus = localized(settings.title, lang);
  const reply = (mode: Mode, said: string): PreparedAnswer => ({
    mode,
    builder: new AnswerBuilder().text(said),
    finish: 'stop',
  });
  if (talk === 'greeting') return reply('greeting', fixed.greeting(corpus));
  if (talk === 'farewell') return reply('greeting', fixed.farewell);
  if (talk === 'thanks') return reply('greeting', fixed.thanks);
  if (talk === 'insult') return reply('greeting', fixed.insult(corpus));
  if (talk === 'task') return reply('no_answer', fixed.task(corpus));
  if (talk === 'meta') {
    return reply(
      'meta',
      ordered ? fixed.ordered(corpus) : fixed.meta(corpus, localized(settings.description, lang).trim()),
    );
  }
  const asked = words(text);
  const empty = references.length === 0 && asked.length <= emptyWords && asked.every(isStopWord);
  return empty ? reply('no_answer', fixed.unclear) : null;
}
