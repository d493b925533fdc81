/** A text with its chunks marked: each begins with its heading, and a line at its side shows where it ends. */
import { Text } from '@mantine/core';
import type { Schema } from '../../app/api.ts';
import classes from './chunks.module.css';

interface Props {
  text: string;
  chunks: Schema['TextChunk'][];
}

export function ChunkedText({ text, chunks }: Props) {
  const parts = [];
  let at = 0;
  for (const { chunk_index, heading, start, end, page } of chunks) {
    if (start > at)
      parts.push(
        <p key={`before ${start}`} className={`words ${classes.text}`}>
          {text.slice(at, start)}
        </p>,
      );
    parts.push(
      <section key={chunk_index} className={classes.chunk}>
        <Text size="xs" c="dimmed" className="words">
          {[chunk_index, heading, page === null ? '' : `${page}`].filter(Boolean).join(' · ')}
        </Text>
        <p className={`words ${classes.text}`}>{text.slice(Math.max(start, at), end)}</p>
      </section>,
    );
    at = Math.max(at, end);
  }
  if (at < text.length)
    parts.push(
      <p key="after" className={`words ${classes.text}`}>
        {text.slice(at)}
      </p>,
    );
  return <div>{parts}</div>;
}
