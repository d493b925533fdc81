/** The opened row, as long as the URL names it. A URL opens nothing if its row is not loaded. */
import { useState } from 'react';

export function useOpened<Row>(
  key: string | undefined,
  keyOf: (row: Row) => string,
): [Row | undefined, (row: Row) => void] {
  const [row, keep] = useState<Row>();
  return [row !== undefined && keyOf(row) === key ? row : undefined, keep];
}
