/** The number of questions by one of their properties; each value links to its questions. */
import { Progress, Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useFormat, useTexts } from '../../app/language.ts';
import { Card } from './card.tsx';
import classes from './overview.module.css';

const parameter = { channel: 'channel', corpus: 'corpus_id', mode: 'mode', lang: 'lang' } as const;

interface Props {
  kind: keyof typeof parameter;
  counts: Record<string, number> | undefined;
  range: { from?: string | undefined; to?: string | undefined };
}

export function Breakdown({ kind, counts, range }: Props) {
  const texts = useTexts();
  const format = useFormat();
  const sorted = Object.entries(counts ?? {}).sort(([, a], [, b]) => b - a);
  const sum = sorted.reduce((n, [, count]) => n + count, 0);
  const words: Record<string, string> = kind === 'corpus' ? {} : texts[`${kind}s`];
  return (
    <Card title={texts.overview.by[kind]}>
      {counts === undefined && <Skeleton h={120} />}
      {counts !== undefined && sorted.length === 0 && <p className={classes.none}>{texts.overview.none}</p>}
      <Stack gap={2}>
        {sorted.map(([name, count]) => (
          <Link
            key={name}
            to="/questions"
            search={{ ...range, [parameter[kind]]: name }}
            className={classes.row}
          >
            <span className="cut">{words[name] ?? name}</span>
            <span className="numbers">{format.number(count)}</span>
            <Progress className={classes.bar} value={(100 * count) / sum} size={4} aria-hidden />
          </Link>
        ))}
      </Stack>
    </Card>
  );
}
