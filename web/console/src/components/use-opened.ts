/** The row that was opened, as long as the address names it; an address alone, without its row, opens nothing. */
import { useState } from 'react';

export function useOpened<Row>(
  key: string | undefined,
  keyOf: (row: Row) => string,
): [Row | undefined, (row: Row) => void] {
  const [row, keep] = useState<Row>();
  return [row !== undefined && keyOf(row) === key ? row : undefined, keep];
}
