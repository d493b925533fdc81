/** Replies that need no document: to small talk, questions about the assistant, tasks, questions about nothing. */
import type { CorpusSettings, Mode } from '../domain/events.ts';
import { isStopWord, words } from '../text/words.ts';
import { AnswerBuilder, type PreparedAnswer } from './builder.ts';
import { phrases } from './phrases.ts';
import { localized } from './sources.ts';
import type { UnderstoodQuestion } from './understanding.ts';

/** So few words that name nothing ("what", "а что") are no question. */
const emptyWords = 2;

/** Null for a question that documents may answer. */
export function fixedReply(
  { intent, lang }: Pick<UnderstoodQuestion, 'intent' | 'lang'>,
  settings: CorpusSettings,
): PreparedAnswer | null {
  const fixed = phrases[lang];
  const corpus = localized(settings.title, lang);
  const reply = (mode: Mode, text: string): PreparedAnswer => ({
    mode,
    builder: new AnswerBuilder().text(text),
    finish: 'stop',
  });
  if (intent.kind === 'greeting') return reply('greeting', fixed.greeting(corpus));
  if (intent.kind === 'farewell') return reply('greeting', fixed.farewell);
  if (intent.kind === 'thanks') return reply('greeting', fixed.thanks);
  if (intent.kind === 'insult') return reply('greeting', fixed.insult(corpus));
  if (intent.kind === 'task') return reply('no_answer', fixed.task(corpus));
  if (intent.kind === 'meta') {
    return reply(
      'meta',
      intent.ordered
        ? fixed.ordered(corpus)
        : fixed.meta(corpus, localized(settings.description, lang).trim()),
    );
  }
  const asked = words(intent.question);
  const empty = intent.references.length === 0 && asked.length <= emptyWords && asked.every(isStopWord);
  return empty ? reply('no_answer', fixed.unclear) : null;
}
