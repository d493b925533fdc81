/** The differences between two texts, with additions and deletions marked. */
import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { useTexts } from '../app/language.ts';
import classes from './delta.module.css';

export function Delta({ before, after }: { before: string; after: string }) {
  const texts = useTexts();
  const parts = useMemo(() => {
    let at = 0;
    return diffWordsWithSpace(before, after).map((part) => {
      at += part.value.length;
      return { ...part, key: `${at}${part.added ? '+' : part.removed ? '-' : '='}` };
    });
  }, [before, after]);
  if (before === after) return <p className={classes.same}>{texts.common.noDifference}</p>;
  return (
    <div className={classes.text}>
      {parts.map(({ key, value, added, removed }) =>
        added ? (
          <ins key={key} className={classes.added}>
            {value}
          </ins>
        ) : removed ? (
          <del key={key} className={classes.removed}>
            {value}
          </del>
        ) : (
          <span key={key}>{value}</span>
        ),
      )}
    </div>
  );
}
