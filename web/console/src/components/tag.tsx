/** A word in a colour, for lists: a plain element, as hundreds of them are drawn while a list scrolls. */
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
