/**
 * A list of any length; the page contains only the visible rows. Columns are data, and a row opens by click or Enter.
 */
import { useMediaQuery } from '@mantine/hooks';
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTexts } from '../app/language.ts';
import { ErrorState } from './error-state.tsx';
import classes from './log-table.module.css';
import type { Rows } from './use-pages.ts';

export interface Column<Row> {
  id: string;
  label: string;
  /** Pixels; absent: takes what is left. */
  width?: number;
  cell(row: Row): ReactNode;
  /** Numbers stand at the right. */
  numeric?: boolean;
  /** Shown on a phone too. */
  phone?: boolean;
}

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: Rows<Row>;
  /** What the rows are selected by; another one begins at the top. */
  of: string;
  keyOf(row: Row): string | number;
  open?: string | number | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  empty: ReactNode;
}

const rowHeight = 40;
/** The width of a column that takes the remaining space. */
const growMin = 180;
/** The same as in the style sheet. */
const gap = 14;
const skeletons = 12;
const features = tableFeatures({});

interface Line<Row> {
  index: number;
  row: Row | undefined;
}

export function LogTable<Row>({ label, columns, rows, of, keyOf, open, onOpen, empty }: Props<Row>) {
  const texts = useTexts();
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const shown = useMemo(() => (isPhone ? columns.filter(({ phone }) => phone) : columns), [columns, isPhone]);
  const scroller = useRef<HTMLElement>(null);
  const count = rows.pending ? skeletons : rows.count;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { onRange } = rows;
  useEffect(() => onRange(first, last), [onRange, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another selection begins at the top.
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

  const move = (event: KeyboardEvent<HTMLElement>, index: number, row: Row) => {
    if (event.key === 'Enter' && onOpen) return onOpen(row);
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard.
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
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody className={classes.body} style={{ height: virtual.getTotalSize() }}>
          {table.getRowModel().rows.map((line, n) => {
            const { index, row } = line.original;
            return (
              <tr
                // By its place in view: rows that scroll take new contents, and none is made anew.
                key={index % items.length}
                aria-rowindex={index + 2}
                data-index={index}
                data-open={row !== undefined && open !== undefined && keyOf(row) === open}
                data-clickable={onOpen !== undefined}
                tabIndex={row === undefined ? -1 : 0}
                className={`${classes.line} ${classes.row}`}
                style={{ gridTemplateColumns, transform: `translateY(${items[n]?.start ?? 0}px)` }}
                onClick={() => row !== undefined && onOpen?.(row)}
                onKeyDown={(event) =>
                  row !== undefined && event.target === event.currentTarget && move(event, index, row)
                }
              >
                {line.getAllCells().map((cell, at) => (
                  <td key={cell.id} className={classes.cell} data-numeric={shown[at]?.numeric}>
                    {row === undefined ? (
                      <span className={classes.pending} />
                    ) : (
                      <table.FlexRender cell={cell} />
                    )}
                  </td>
                ))}
              </tr>
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
