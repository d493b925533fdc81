/** An answer whose cited text is marked and links to its passage. */
import { Text } from '@mantine/core';
import type { Schema } from '../../app/api.ts';
import classes from './dossier.module.css';

type Citation = Pick<Schema['Dossier']['citations'][number], 'start' | 'end' | 'ref'>;

/** `within`: which of several answers on a page the passage belongs to. */
export const passageId = (ref: string, within = ''): string =>
  `passage-${within}${ref.replaceAll(/[^\w-]/g, '_')}`;

interface Props {
  text: string;
  citations: readonly Citation[];
  within?: string;
}

export function AnswerText({ text, citations, within }: Props) {
  const parts = [];
  let at = 0;
  for (const [n, { start, end, ref }] of citations.toSorted((a, b) => a.start - b.start).entries()) {
    if (start < at) continue;
    parts.push(text.slice(at, start));
    parts.push(
      <a
        key={`${start}`}
        href={`#${passageId(ref, within)}`}
        className={classes.cited}
        onClick={(event) => show(event, passageId(ref, within))}
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

/** Does not change the URL. */
function show(event: { preventDefault(): void }, id: string): void {
  event.preventDefault();
  const passage = document.getElementById(id);
  passage?.scrollIntoView({ block: 'center' });
  passage?.focus();
}
