/** How a model wrote the answer: each sentence with the verdict of its second reading, and the calls it took. */
import { Badge, Stack, Table, Text, Title } from '@mantine/core';
import type { Schema } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';

type Writing = NonNullable<NonNullable<Schema['Dossier']['answer']>['writing']>;
const colors: Record<string, string> = {
  supported: 'teal',
  code: 'teal',
  partly: 'yellow',
  unverified: 'gray',
};

export function SecondReading({ writing }: { writing: Writing }) {
  const { dossier } = useTexts();
  const format = useFormat();
  return (
    <section>
      <Title order={3} mb={6}>
        {dossier.secondReading}
      </Title>
      <Stack gap="xs">
        {writing.sentences.map(({ text, verdict, reason, repaired_from }) => (
          <div key={text}>
            <Badge color={colors[verdict] ?? 'red'}>{dossier.sentences[verdict]}</Badge>
            <Text size="sm" className="words">
              {text}
            </Text>
            {reason && (
              <Text size="xs" c="dimmed" className="words">
                {reason}
              </Text>
            )}
            {repaired_from && (
              <Text size="xs" c="dimmed" className="words">
                {`${dossier.repairedFrom}: ${repaired_from}`}
              </Text>
            )}
          </div>
        ))}
        <Table fz="xs" verticalSpacing={4}>
          <Table.Tbody>
            {writing.calls.map(({ purpose, model, count, input_tokens, output_tokens, cost_micro_usd }) => (
              <Table.Tr key={`${purpose} ${model}`}>
                <Table.Td>{dossier.purposes[purpose]}</Table.Td>
                <Table.Td>{model}</Table.Td>
                <Table.Td ta="end">{`× ${format.number(count)}`}</Table.Td>
                <Table.Td ta="end">
                  {dossier.tokens(format.number(input_tokens), format.number(output_tokens))}
                </Table.Td>
                <Table.Td ta="end">
                  {cost_micro_usd === undefined ? '' : format.money(cost_micro_usd / 1e6)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </section>
  );
}
