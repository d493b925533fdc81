/** Events in order; each shows its data when opened. */
import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Schema } from '../app/api.ts';
import { useFormat, useTexts } from '../app/language.ts';
import classes from './event-chain.module.css';
import { JsonView } from './json-view.tsx';

export function EventChain({ events }: { events: Schema['HistoryEvent'][] }) {
  const texts = useTexts();
  const format = useFormat();
  return (
    <ol className={classes.chain}>
      {events.map(({ id, type, time, actor, position, stream, data }) => (
        <li key={id} className={classes.event}>
          <details>
            <summary className={classes.summary}>
              <Text span size="sm" fw={600}>
                {type}
              </Text>{' '}
              <Text span size="xs" c="dimmed">
                {`${format.moment(time)} · ${actor ?? ''} · ${position}`}
              </Text>
            </summary>
            <JsonView value={data} />
            <Link to="/history" search={{ stream }} className={classes.link}>
              {texts.common.openStream}
            </Link>
          </details>
        </li>
      ))}
    </ol>
  );
}
