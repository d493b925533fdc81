/** One event as stored, with links to related pages. */
import { Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useFormat, useTexts } from '../../app/language.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { Fields } from '../../components/fields.tsx';
import { JsonView } from '../../components/json-view.tsx';
import type { Event } from './columns.tsx';

export function EventDrawer({ event, onClose }: { event: Event | undefined; onClose: () => void }) {
  const { history } = useTexts();
  const format = useFormat();
  return (
    <DetailDrawer opened={event !== undefined} onClose={onClose} title={event?.type ?? ''}>
      {event && (
        <Stack>
          <Fields
            of={[
              [history.time, format.moment(event.time)],
              [history.stream, event.stream],
              [history.revision, format.number(event.revision)],
              [history.actor, event.actor],
              [history.position, event.position],
              [history.id, event.id],
              [history.version, event.version],
              [history.correlation, event.correlation_id],
              [history.causation, event.causation_id],
            ]}
          />
          <Group gap="md" fz="sm">
            <Link to="/history" search={{ stream: event.stream }}>
              {history.wholeStream}
            </Link>
            {event.correlation_id && (
              <Link to="/history" search={{ correlation_id: event.correlation_id }}>
                {history.sameRequest}
              </Link>
            )}
            <Link to="/history/moments" search={{ to: event.position }}>
              {history.compareWith}
            </Link>
            <Link to="/history/proof" search={{ event: event.id }}>
              {history.prove}
            </Link>
            <Link to="/documents" search={{ as_of: event.position }}>
              {history.documentsThen}
            </Link>
          </Group>
          <JsonView value={event.data} />
        </Stack>
      )}
    </DetailDrawer>
  );
}
