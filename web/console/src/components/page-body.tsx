/** The scrolling part of a page, below its sections; can be scrolled by keyboard. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

export function PageBody({
  label,
  width = 900,
  children,
}: {
  label: string;
  width?: number;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section className={classes.scrolled} tabIndex={0} aria-label={label}>
      <Stack maw={width}>{children}</Stack>
    </section>
  );
}
