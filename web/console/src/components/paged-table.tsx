/** A list that loads the visible pages; a loaded page renders only the list again, not the filters above it. */
import type { QueryKey } from '@tanstack/react-query';
import { LogTable, type TableProps } from './log-table.tsx';
import { type ReadPage, usePages } from './use-pages.ts';

interface Props<Row> extends Omit<TableProps<Row>, 'rows' | 'of'> {
  queryKey: QueryKey;
  read: ReadPage<Row>;
}

export function PagedTable<Row>({ queryKey, read, ...table }: Props<Row>) {
  return <LogTable {...table} rows={usePages(queryKey, read)} of={JSON.stringify(queryKey)} />;
}
