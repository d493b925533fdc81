/**
 * A list of any length, of which only visible rows are rendered. Columns are data; a click or Enter opens a row.
 */
import { useMediaQuery } from '@mantine/hooks';
import {
  createColumnHelper,
  FlexRender,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTexts } from '../app/language.ts';
import { ErrorState } from './error-state.tsx';
import classes from './log-table.module.css';
import type { Rows } from './use-pages.ts';

export interface Column<Row> {
  id: string;
  label: string;
  /** In pixels; absent: takes the remaining space. */
  width?: number;
  cell(row: Row): ReactNode;
  /** Right-aligned, for numbers. */
  numeric?: boolean;
  /** Also shown on a phone. */
  phone?: boolean;
}

export interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: Rows<Row>;
  /** The selection of rows; a new selection starts at the top. */
  of: string;
  keyOf(row: Row): string | number;
  open?: string | number | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  empty: ReactNode;
}

const rowHeight = 40;
/** The minimum width of a column that takes the remaining space. */
const growMin = 150;
/** The same as in the style sheet. */
const gap = 14;
const skeletons = 12;
/** Rows rendered beyond each edge. */
const overscan = 4;
const features = tableFeatures({});

interface Line<Row> {
  index: number;
  row: Row | undefined;
}

export function LogTable<Row>({ label, columns, rows, of, keyOf, open, onOpen, empty }: TableProps<Row>) {
  const texts = useTexts();
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const shown = useMemo(() => (isPhone ? columns.filter(({ phone }) => phone) : columns), [columns, isPhone]);
  const scroller = useRef<HTMLElement>(null);
  const count = rows.pending ? skeletons : rows.count;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    // A row that appears one frame later is not noticed, but a render for every wheel event delays it.
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  // At least the number of rendered rows, and constant while they scroll.
  const places = Math.ceil((virtual.scrollRect?.height ?? 0) / rowHeight) + 2 * overscan + 1;
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { onRange } = rows;
  useEffect(() => onRange(first, last), [onRange, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new selection starts at the top.
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [of]);

  const table = useTable({
    features,
    columns: useMemo(() => columnsOf(shown), [shown]),
    data: items.map(({ index }): Line<Row> => ({ index, row: rows.rowAt(index) })),
    getRowId: ({ index }) => String(index),
  });
  const least = isPhone ? 90 : growMin;
  const gridTemplateColumns = shown
    .map(({ width }) => (width === undefined ? `minmax(${least}px, 1fr)` : `${width}px`))
    .join(' ');
  const minWidth = shown.reduce((sum, { width = least }) => sum + width + gap, 2 * gap);

  /** One listener for all rows, so that a row is rendered again only if its contents change. */
  const indexOf = ({ target }: MouseEvent | KeyboardEvent) =>
    Number((target as Element).closest('tr')?.dataset.index);
  const click = (event: MouseEvent) => {
    const row = rows.rowAt(indexOf(event));
    if (row !== undefined) onOpen?.(row);
  };
  const press = (event: KeyboardEvent) => {
    if ((event.target as Element).tagName !== 'TR') return;
    const index = indexOf(event);
    const row = rows.rowAt(index);
    if (event.key === 'Enter' && row !== undefined && onOpen) return onOpen(row);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(index + step, 0), count - 1);
    virtual.scrollToIndex(next);
    scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus();
  };

  if (rows.error && rows.count === 0) return <ErrorState error={rows.error} onRetry={rows.refetch} />;
  if (!rows.pending && rows.count === 0) return <>{empty}</>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label={label}>
      <table
        aria-rowcount={rows.pending ? -1 : rows.count + 1}
        aria-busy={rows.pending}
        aria-label={label}
        className={classes.table}
        style={{ minWidth }}
      >
        <thead className={classes.head}>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1} className={classes.line} style={{ gridTemplateColumns }}>
              {group.headers.map((header, n) => (
                <th key={header.id} scope="col" className={classes.label} data-numeric={shown[n]?.numeric}>
                  <FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody
          className={classes.body}
          style={{ height: virtual.getTotalSize() }}
          data-clickable={onOpen !== undefined}
          onClick={click}
          onKeyDown={press}
        >
          {table.getRowModel().rows.map((line, n) => {
            const { index, row } = line.original;
            return (
              <LogRow
                // Keyed by position in view: when scrolling, rows get new contents and are not recreated.
                key={index % places}
                index={index}
                row={row}
                line={line}
                columns={shown}
                isOpen={row !== undefined && open !== undefined && keyOf(row) === open}
                start={items[n]?.start ?? 0}
                gridTemplateColumns={gridTemplateColumns}
              />
            );
          })}
        </tbody>
      </table>
      <div className={classes.count} role="status">
        {rows.pending
          ? texts.states.loading
          : rows.hasMore
            ? texts.common.rowsSoFar(rows.count - 1)
            : texts.common.rows(rows.count)}
      </div>
    </section>
  );
}

interface RowProps {
  index: number;
  row: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a memoised component cannot be generic.
  line: TableRow<typeof features, any>;
  columns: readonly Column<never>[];
  isOpen: boolean;
  start: number;
  gridTemplateColumns: string;
}

const LogRow = memo(
  ({ index, row, line, columns, isOpen, start, gridTemplateColumns }: RowProps) => (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      data-open={isOpen}
      tabIndex={row === undefined ? -1 : 0}
      className={`${classes.line} ${classes.row}`}
      style={{ gridTemplateColumns, transform: `translateY(${start}px)` }}
    >
      {line.getAllCells().map((cell, at) => (
        <td key={cell.id} className={classes.cell} data-numeric={columns[at]?.numeric}>
          {row === undefined ? <span className={classes.pending} /> : <FlexRender cell={cell} />}
        </td>
      ))}
    </tr>
  ),
  // The table recreates its cells each time; what they show depends on the other props.
  (before, now) =>
    (Object.keys(now) as (keyof RowProps)[]).every((name) => name === 'line' || before[name] === now[name]),
);

function columnsOf<Row>(columns: readonly Column<Row>[]) {
  const helper = createColumnHelper<typeof features, Line<Row>>();
  return helper.columns(
    columns.map(({ id, label, cell }) =>
      helper.display({
        id,
        header: label,
        cell: ({ row }) => (row.original.row === undefined ? null : cell(row.original.row)),
      }),
    ),
  );
}
