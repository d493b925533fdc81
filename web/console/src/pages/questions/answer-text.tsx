/** An answer, with what is cited marked and led to its passage. */
import { Text } from '@mantine/core';
import type { Schema } from '../../app/api.ts';
import classes from './dossier.module.css';

type Citation = Schema['Dossier']['citations'][number];

export const passageId = (ref: string): string => `passage-${ref.replaceAll(/[^\w-]/g, '_')}`;

export function AnswerText({ text, citations }: { text: string; citations: Citation[] }) {
  const parts = [];
  let at = 0;
  for (const [n, { start, end, ref }] of citations.toSorted((a, b) => a.start - b.start).entries()) {
    if (start < at) continue;
    parts.push(text.slice(at, start));
    parts.push(
      <a
        key={`${start}`}
        href={`#${passageId(ref)}`}
        className={classes.cited}
        onClick={(event) => show(event, ref)}
      >
        {text.slice(start, end)}
        <sup>{n + 1}</sup>
      </a>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return (
    <Text size="sm" className="words" mb="xs" lh={1.6}>
      {parts}
    </Text>
  );
}

/** Within the drawer, without a change of the address. */
function show(event: { preventDefault(): void }, ref: string): void {
  event.preventDefault();
  const passage = document.getElementById(passageId(ref));
  passage?.scrollIntoView({ block: 'center' });
  passage?.focus();
}
