/** Questions with the same words, most asked first; each links to its asks in the query log. */
import { Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Schema } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { Card } from './card.tsx';
import classes from './overview.module.css';

interface Props {
  title: string;
  asked: Schema['AskedOften'][] | undefined;
  range: { from?: string | undefined; to?: string | undefined };
  unanswered?: boolean;
}

export function AskedOften({ title, asked, range, unanswered = false }: Props) {
  const texts = useTexts();
  const format = useFormat();
  return (
    <Card title={title}>
      {asked === undefined && <Skeleton h={220} />}
      {asked?.length === 0 && <p className={classes.none}>{texts.overview.none}</p>}
      {asked?.map(({ query, corpus_id, count, last_asked_at }) => (
        <Link
          key={`${corpus_id} ${query}`}
          to="/questions"
          search={{ ...range, search: query, corpus_id, ...(unanswered && { mode: 'no_answer' }) }}
          className={classes.row}
        >
          <span className="cut">{query}</span>
          <span className="numbers">{format.number(count)}</span>
          <Text span size="xs" c="dimmed" className="cut">
            {corpus_id}
          </Text>
          <Text span size="xs" c="dimmed">
            {format.short(last_asked_at)}
          </Text>
        </Link>
      ))}
    </Card>
  );
}
