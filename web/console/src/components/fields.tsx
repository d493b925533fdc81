/** Names with their values, as a description list. */
import type { ReactNode } from 'react';
import classes from './fields.module.css';

export type Field = readonly [label: string, value: ReactNode];

/** Fields without a value are omitted. */
export function Fields({ of }: { of: readonly Field[] }) {
  return (
    <dl className={classes.list}>
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([label, value]) => (
          <div key={label} className={classes.field}>
            <dt className={classes.label}>{label}</dt>
            <dd className={classes.value}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
