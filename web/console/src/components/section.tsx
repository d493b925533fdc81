/** A page: its sections as links, its actions beside them, and its content below. */
import { Group } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './section.module.css';

export interface Tab {
  to: NonNullable<LinkProps['to']>;
  label: string;
}

interface Props {
  /** Describes the sections to screen readers. */
  label: string;
  tabs: readonly Tab[];
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ label, tabs, actions, children }: Props) {
  const nav = useRef<HTMLElement>(null);
  // On a phone, the tabs are wider than the screen.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <div className={classes.page}>
      <Group justify="space-between" className={classes.head} wrap="nowrap">
        <nav ref={nav} aria-label={label} className={classes.tabs}>
          {tabs.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              search={{}}
              className={classes.tab}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {label}
            </Link>
          ))}
        </nav>
        <Group gap="xs" wrap="nowrap" className={classes.actions}>
          {actions}
        </Group>
      </Group>
      <div className={classes.body}>{children}</div>
    </div>
  );
}
