/** A range of days in the URL, as `from` and `to`. */
import { DatePickerInput } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { IconCalendar } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTexts } from '../app/language.ts';
import { useDates } from './use-dates.ts';

interface Props {
  label: string;
  search: Readonly<Record<string, unknown>>;
  onChange(change: { from: string | undefined; to: string | undefined }): void;
}

export function Days({ label, search, onChange }: Props) {
  const dates = useDates();
  const texts = useTexts();
  const given = ['from', 'to'].map((name) =>
    search[name] === undefined ? null : String(search[name]).slice(0, 10),
  );
  const [chosen, setChosen] = useState<[string | null, string | null]>([null, null]);
  const [from, to] = given;
  useEffect(() => setChosen([from ?? null, to ?? null]), [from, to]);
  return (
    <DatePickerInput
      {...dates}
      type="range"
      size="xs"
      aria-label={label}
      placeholder={label}
      leftSection={<IconCalendar size={14} aria-hidden />}
      valueFormat="D MMM YYYY"
      allowSingleDateInRange
      clearable
      clearButtonProps={{ 'aria-label': texts.common.reset }}
      value={chosen}
      onChange={([from, to]) => {
        setChosen([from, to]);
        if ((from === null) === (to === null)) onChange({ from: from ?? undefined, to: to ?? undefined });
      }}
      miw={190}
    />
  );
}
