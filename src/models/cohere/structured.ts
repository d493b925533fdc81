/** Cohere's chat with JSON output, not streamed. */
import type { CohereClientV2 } from 'cohere-ai';
import { type ModelUsage, noUsage, type StructuredModel } from '../../ports/models.ts';
import { type Calls, garbled } from '../calls.ts';
import { parsed } from '../json.ts';
import { billing } from '../options.ts';
import { requestOptions } from './client.ts';

export function cohereStructured(
  client: CohereClientV2,
  calls: Calls,
  model: string,
  onUsage: (usage: ModelUsage) => void,
): StructuredModel {
  return {
    name: `cohere:${model}`,
    async complete({ system, content, schema, maxTokens, withinMs }, signal, onCallUsage) {
      const billed = billing(onUsage, onCallUsage);
      const { text, finish } = await calls.call({ withinMs, signal }, async (ending) => {
        const { message, finishReason, usage } =
          (await client.chat(
            {
              model,
              messages: [
                { role: 'system', content: system },
                { role: 'user', content },
              ],
              responseFormat: { type: 'json_object', jsonSchema: { ...schema } },
              maxTokens,
              temperature: 0,
            },
            requestOptions(ending),
          )) ?? {};
        const blocks: unknown = message?.content;
        if (!Array.isArray(blocks) || finishReason === undefined) throw garbled(calls.name);
        const { inputTokens = 0, outputTokens = 0 } = usage?.billedUnits ?? usage?.tokens ?? {};
        billed({ ...noUsage, input_tokens: inputTokens, output_tokens: outputTokens });
        // Thinking blocks have no text.
        return { text: blocks.map((block) => String(block?.text ?? '')).join(''), finish: finishReason };
      });
      // The model answered incompletely; a retry would give the same result.
      if (finish !== 'COMPLETE' && finish !== 'STOP_SEQUENCE') throw garbled(calls.name);
      return parsed(calls.name, text);
    },
  };
}
