/**
 * Chat of an OpenAI-compatible server with JSON output, not streamed. The format is given by a schema, or by
 * instructions if the server does not support schemas.
 */
import type OpenAI from 'openai';
import { type ModelUsage, noUsage, type StructuredModel } from '../../ports/models.ts';
import { type Calls, garbled } from '../calls.ts';
import { parsed, unfenced } from '../json.ts';
import { billing } from '../options.ts';
import { RequestForms } from './forms.ts';
import { tokensOf } from './generator.ts';

const inWords = (schema: unknown): string =>
  `Answer with one JSON value and nothing else: no comment, no code block. It must match this JSON Schema:\n${JSON.stringify(schema)}`;

export function openAiStructured(
  client: OpenAI,
  calls: Calls,
  model: string,
  onUsage: (usage: ModelUsage) => void,
): StructuredModel {
  const forms = new RequestForms<'by schema' | 'in words'>(['by schema', 'in words']);
  return {
    name: `openai:${model}`,
    async complete({ system, content, schema, maxTokens, withinMs }, signal, onCallUsage) {
      const billed = billing(onUsage, onCallUsage);
      const ask = (form: 'by schema' | 'in words', ending: AbortSignal) =>
        client.chat.completions.create(
          {
            model,
            messages: [
              { role: 'system', content: form === 'by schema' ? system : `${system}\n\n${inWords(schema)}` },
              { role: 'user', content },
            ],
            max_tokens: maxTokens,
            temperature: 0,
            ...(form === 'by schema' && {
              response_format: {
                type: 'json_schema',
                json_schema: { name: 'answer', schema: { ...schema }, strict: false },
              },
            }),
          },
          { signal: ending },
        );
      const { text, finish } = await calls.call({ withinMs, signal }, async (ending) => {
        const { choices, usage } = (await forms.send((form) => ask(form, ending))) ?? {};
        const [choice] = Array.isArray(choices) ? choices : [];
        const said: unknown = choice?.message?.content;
        if (typeof said !== 'string') throw garbled(calls.name);
        billed({ ...noUsage, ...tokensOf(usage) });
        return { text: said, finish: choice?.finish_reason };
      });
      // The model answered incompletely; a retry would give the same result.
      if (finish !== 'stop') throw garbled(calls.name);
      return parsed(calls.name, unfenced(text));
    },
  };
}
