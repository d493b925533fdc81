/** A moment: chosen from the calendar, or entered as a position in the history. */
import { ActionIcon, Popover, TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { IconCalendar } from '@tabler/icons-react';
import { useTexts } from '../../app/language.ts';
import { useDates } from '../../components/use-dates.ts';

interface Props {
  label: string;
  value?: string;
  onChange?: (value: string) => void;
  error?: unknown;
}

export function MomentInput({ label, value = '', onChange, error }: Props) {
  const { moments } = useTexts();
  const dates = useDates();
  return (
    <TextInput
      label={label}
      placeholder={moments.placeholder}
      value={value}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value.trim())}
      error={error ? String(error) : undefined}
      rightSection={
        <Popover position="bottom-end" withinPortal trapFocus>
          <Popover.Target>
            <ActionIcon variant="subtle" size="sm" aria-label={`${label}: ${moments.calendar}`}>
              <IconCalendar size={15} aria-hidden />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <DateTimePicker
              {...dates}
              size="xs"
              aria-label={label}
              placeholder={label}
              valueFormat="D MMM YYYY HH:mm"
              submitButtonProps={{ 'aria-label': moments.show }}
              onChange={(chosen) => chosen && onChange?.(new Date(chosen).toISOString())}
              popoverProps={{ withinPortal: false }}
              miw={230}
            />
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}
