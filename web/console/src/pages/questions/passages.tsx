/** The passages found, with their scores: those used come first, with each quotation marked. */
import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schema } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { passageId } from './answer-text.tsx';
import classes from './dossier.module.css';

type Dossier = Schema['Dossier'];

export function Passages({ passages, citations }: Pick<Dossier, 'passages' | 'citations'>) {
  const texts = useTexts();
  if (passages.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.dossier.nothingFound}
      </Text>
    );
  const sorted = passages.toSorted((a, b) => Number(b.shown) - Number(a.shown));
  return (
    <Stack gap="xs">
      {sorted.map((passage) => (
        <Passage
          key={`${passage.ref} ${passage.revision}`}
          passage={passage}
          citations={citations.filter(({ ref }) => ref === passage.ref)}
        />
      ))}
    </Stack>
  );
}

interface Props {
  passage: Dossier['passages'][number];
  citations: Dossier['citations'];
}

function Passage({ passage, citations }: Props) {
  const { dossier } = useTexts();
  const format = useFormat();
  const { ref, title, heading, layer, score, shown, text, hash_holds, revision } = passage;
  return (
    <Paper withBorder p="xs" id={passageId(ref)} tabIndex={-1} className={classes.passage}>
      <Group gap={6} mb={4}>
        <Text size="sm" fw={600} className="words">
          {heading || title || ref}
        </Text>
        {shown && <Badge color="blue">{dossier.used}</Badge>}
        {layer && <Badge color="gray">{layer}</Badge>}
        {hash_holds === false && <Badge color="red">{dossier.hashBroken}</Badge>}
        {[...new Set(citations.map(({ verdict }) => verdict))].map((verdict) => (
          <Badge key={verdict} color={verdict === 'exact' ? 'teal' : 'red'}>
            {dossier.verdicts[verdict]}
          </Badge>
        ))}
      </Group>
      <Text size="xs" c="dimmed" className="words" mb={4}>
        {`${ref} · ${dossier.revision(revision)}${score === null ? '' : ` · ${dossier.score} ${format.number(score)}`}`}
      </Text>
      {text === null ? (
        <Text size="sm" c="dimmed">
          {dossier.textGone}
        </Text>
      ) : (
        <details className={classes.text} open={citations.length > 0}>
          <summary>{dossier.text}</summary>
          <p className="words">
            {marked(
              text,
              citations.map(({ quote }) => quote),
            )}
          </p>
        </details>
      )}
    </Paper>
  );
}

/** A text with the first occurrence of each quotation marked. */
function marked(text: string, quotes: readonly string[]): ReactNode[] {
  const found = quotes
    .map((quote) => ({ start: text.indexOf(quote), end: text.indexOf(quote) + quote.length }))
    .filter(({ start, end }) => start >= 0 && end > start)
    .sort((a, b) => a.start - b.start);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of found) {
    if (start < at) continue;
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, text.slice(at)];
}
