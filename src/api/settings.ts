/** What is set for the whole service: the system prompt in versions, and the configuration it was started with. */
import { type Static, Type } from 'typebox';
import * as sample from './sample.ts';
import { asOf, listOf, NullableText, orNull, page, record, Time } from './schema.ts';

const content = 'Answer from the passages alone, briefly, in the language of the question.';

export const SystemPromptRequest = record(
  'SystemPromptRequest',
  {
    content: Type.String({
      minLength: 1,
      maxLength: 20_000,
      'x-not-blank': true,
      description: 'The new text of the prompt; not only blanks.',
    }),
  },
  { example: { content } },
);

export const SystemPrompt = record(
  'SystemPrompt',
  {
    version: Type.Integer({ description: '0: the built-in prompt.' }),
    content: Type.String(),
    changed_at: orNull(Time),
    changed_by: NullableText,
  },
  { example: { version: 3, content, changed_at: sample.earlier, changed_by: 'olga' } },
);
export type SystemPrompt = Static<typeof SystemPrompt>;
export const SystemPromptList = listOf(SystemPrompt);
export const PromptVersionsQuery = Type.Object({ ...page(500), ...asOf });
export const AsOfQuery = Type.Object(asOf);
export const PromptVersionPath = Type.Object({ version: Type.Integer() });

export const ShownConfig = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'ShownConfig',
  description: 'Values by variable; secrets and addresses that may hold one are not among them.',
  examples: [{ HOST: '127.0.0.1', PORT: 8080, DOCENT_DEFAULT_CORPUS: 'krk_2026', DOCENT_PUBLIC: 'open' }],
});
