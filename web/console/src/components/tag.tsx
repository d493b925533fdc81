/** A coloured word for lists: a plain element, because scrolling renders hundreds of them. */
import type { ReactNode } from 'react';
import classes from './tag.module.css';

export type TagColor = 'blue' | 'teal' | 'yellow' | 'red' | 'gray';

export function Tag({ color, children }: { color: TagColor; children: ReactNode }) {
  return (
    <span className={classes.tag} data-color={color}>
      {children}
    </span>
  );
}
