/** The steps of a checked proof. */
import { Badge, Code, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormat, useTexts } from '../../app/language.ts';
import { Fields } from '../../components/fields.tsx';
import type { Checked } from './check-proof.ts';
import { base64Of } from './signed-checkpoint.ts';

export function ProofSteps({ checked }: { checked: Checked }) {
  const { proof } = useTexts();
  const holds =
    checked.signed !== false &&
    (checked.of === 'event' ? checked.meetsRoot : checked.meetsFirst && checked.meetsSecond);
  return (
    <Stack component="section" aria-label={proof.steps}>
      <Title order={2} size="h3">
        <Badge size="lg" color={!holds ? 'red' : checked.signed === null ? 'yellow' : 'teal'}>
          {!holds ? proof.broken : checked.signed === null ? proof.holdsUnsigned : proof.holds}
        </Badge>
      </Title>
      {checked.of === 'event' ? <Inclusion {...checked} /> : <Consistency {...checked} />}
      <Step title={proof.stepSignature} holds={checked.signed}>
        <Text size="sm">
          {checked.signed === null ? proof.noKeyGiven : checked.signed ? proof.signed : proof.unsigned}
        </Text>
      </Step>
    </Stack>
  );
}

/** `holds` null: it could not be checked. */
function Step({ title, holds, children }: { title: string; holds: boolean | null; children: ReactNode }) {
  const { proof } = useTexts();
  return (
    <Paper withBorder p="md">
      <Title order={3} mb="xs">
        {title}{' '}
        <Badge color={holds === null ? 'gray' : holds ? 'teal' : 'red'}>
          {holds === null ? proof.unchecked : holds ? proof.right : proof.wrong}
        </Badge>
      </Title>
      {children}
    </Paper>
  );
}

const Hash = ({ of }: { of: Uint8Array }) => <Code className="words">{base64Of(of)}</Code>;

function Inclusion({ event, index, leaf, steps, checkpoint, meetsRoot }: Extract<Checked, { of: 'event' }>) {
  const { proof, history } = useTexts();
  const format = useFormat();
  return (
    <>
      <Step title={proof.stepLeaf} holds>
        <Fields
          of={[
            [history.type, event.type],
            [history.stream, event.stream],
            [history.revision, format.number(event.revision)],
            [history.id, event.id],
            [proof.place, proof.placeOf(format.number(index + 1), format.number(checkpoint.size))],
            [proof.leaf, <Hash key="leaf" of={leaf} />],
          ]}
        />
        <details>
          <summary>{proof.data}</summary>
          <Code block className="words" fz="xs">
            {new TextDecoder().decode(event.data)}
          </Code>
        </details>
      </Step>
      <Step title={proof.stepClimb} holds>
        <ol style={{ margin: 0, paddingInlineStart: 20 }}>
          {steps.map(({ sibling, side, hash }) => (
            <li key={base64Of(hash)}>
              <Text size="xs" c="dimmed">
                {proof.sibling[side]} <Hash of={sibling} />
              </Text>
              <Hash of={hash} />
            </li>
          ))}
        </ol>
      </Step>
      <Step title={proof.stepRoot} holds={meetsRoot}>
        <Hash of={checkpoint.root} />
      </Step>
    </>
  );
}

function Consistency({ from, to, meetsFirst, meetsSecond }: Extract<Checked, { of: 'consistency' }>) {
  const { proof } = useTexts();
  const format = useFormat();
  return (
    <>
      <Step title={proof.stepFirst(format.number(from.size))} holds={meetsFirst}>
        <Hash of={from.root} />
      </Step>
      <Step title={proof.stepSecond(format.number(to.size))} holds={meetsSecond}>
        <Hash of={to.root} />
      </Step>
    </>
  );
}
