/** The kinds of question in order of priority. The first kind that finds something answers. */
import { comparison } from './comparison/index.ts';
import { datesAndSpeakers } from './dates-and-speakers/index.ts';
import { formerText } from './former-text/index.ts';
import type { Kind } from './kind.ts';
import { outline } from './outline/index.ts';
import { passages } from './passages/index.ts';
import { severalQuestions } from './passages/several.ts';
import { provisions } from './provisions/index.ts';
import { references } from './references/index.ts';

export const kinds: readonly Kind[] = [
  severalQuestions,
  comparison,
  formerText,
  references,
  provisions,
  outline,
  datesAndSpeakers,
  passages,
];
