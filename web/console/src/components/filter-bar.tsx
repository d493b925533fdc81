/** Filters, described by data: each sets its parameter in the URL; an empty filter removes it. */
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../app/language.ts';
import { Days } from './days.tsx';
import classes from './filter-bar.module.css';

type Value = string | boolean | number | undefined;
export type Search = Record<string, Value>;

export type Filter =
  | { kind: 'search' | 'text'; name: string; label: string; width?: number }
  | { kind: 'choice'; name: string; label: string; options: readonly Option[]; width?: number }
  /** Writes `from` and `to`. */
  | { kind: 'days'; label: string };

export interface Option {
  value: string;
  label: string;
}

interface Props {
  filters: readonly Filter[];
  search: Search;
  onChange(change: Search): void;
  children?: ReactNode;
}

const namesOf = (filter: Filter): string[] => (filter.kind === 'days' ? ['from', 'to'] : [filter.name]);
const typingMs = 300;

export function FilterBar({ filters, search, onChange, children }: Props) {
  const texts = useTexts();
  const names = filters.flatMap(namesOf);
  const isFiltered = names.some((name) => search[name] !== undefined);
  return (
    <search className={classes.bar}>
      {filters.map((filter) => (
        <FilterInput key={namesOf(filter).join()} filter={filter} search={search} onChange={onChange} />
      ))}
      {isFiltered && (
        <Button
          variant="subtle"
          leftSection={<IconX size={14} aria-hidden />}
          onClick={() => onChange(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          {texts.common.reset}
        </Button>
      )}
      <Group gap="xs" wrap="nowrap" className={classes.aside}>
        {children}
      </Group>
    </search>
  );
}

function FilterInput({ filter, search, onChange }: { filter: Filter } & Pick<Props, 'search' | 'onChange'>) {
  if (filter.kind === 'days') return <Days label={filter.label} search={search} onChange={onChange} />;
  const { name, label } = filter;
  const value = search[name] === undefined ? '' : String(search[name]);
  if (filter.kind === 'choice')
    return (
      <Select
        aria-label={label}
        placeholder={label}
        data={filter.options}
        value={value === '' ? null : value}
        onChange={(chosen) => onChange({ [name]: parsed(chosen) })}
        clearable
        clearButtonProps={{ 'aria-label': `${label}: ×` }}
        w={filter.width ?? 140}
      />
    );
  return (
    <TypedInput
      key={name}
      label={label}
      value={value}
      isSearch={filter.kind === 'search'}
      width={filter.width}
      onChange={(text) => onChange({ [name]: text === '' ? undefined : text })}
    />
  );
}

/** `true` and `false` are stored as flags in the URL. */
const parsed = (chosen: string | null): Value =>
  chosen === null ? undefined : chosen === 'true' ? true : chosen === 'false' ? false : chosen;

interface Typed {
  label: string;
  value: string;
  isSearch: boolean;
  width?: number | undefined;
  onChange(text: string): void;
}

/** Updates the URL when typing pauses; a changed URL replaces the text. */
function TypedInput({ label, value, isSearch, width, onChange }: Typed) {
  const [text, setText] = useState(value);
  const send = useDebouncedCallback(onChange, typingMs);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      type={isSearch ? 'search' : 'text'}
      leftSection={isSearch && <IconSearch size={14} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        send(currentTarget.value.trim());
      }}
      w={width ?? (isSearch ? 240 : 150)}
    />
  );
}
