/** Downloads the filtered list as CSV, which the service writes. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { queryOf } from '../app/api.ts';
import { useTexts } from '../app/language.ts';
import type { Search } from './filter-bar.tsx';

export function ExportButton({ path, search }: { path: string; search: Search }) {
  const texts = useTexts();
  return (
    <Button
      component="a"
      href={`${path}${queryOf({ ...search, format: 'csv' })}`}
      download
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
    >
      {texts.common.exportCsv}
    </Button>
  );
}
