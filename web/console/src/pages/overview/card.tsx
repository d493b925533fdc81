/** A titled part of the overview. */
import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './overview.module.css';

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper component="section" className={classes.card}>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
