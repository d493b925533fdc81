/** The columns of events, wherever they are listed. */
import { useMemo } from 'react';
import type { Schema } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import type { Column } from '../../components/log-table.tsx';

export type Event = Schema['HistoryEvent'];

export function useColumns(): Column<Event>[] {
  const { history } = useTexts();
  const format = useFormat();
  return useMemo(
    () => [
      { id: 'time', label: history.time, width: 140, cell: ({ time }) => format.short(time) },
      { id: 'type', label: history.type, width: 190, phone: true, cell: ({ type }) => type },
      { id: 'stream', label: history.stream, phone: true, cell: ({ stream }) => stream },
      {
        id: 'revision',
        label: history.revision,
        width: 80,
        numeric: true,
        cell: ({ revision }) => format.number(revision),
      },
      { id: 'actor', label: history.actor, width: 150, cell: ({ actor }) => actor ?? '—' },
      {
        id: 'position',
        label: history.position,
        width: 170,
        cell: ({ position }) => <span className="numbers">{position}</span>,
      },
    ],
    [history, format],
  );
}
