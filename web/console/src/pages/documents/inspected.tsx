/** What would be read from a file, and what would be left out. */
import { Alert, Badge, Group, Text } from '@mantine/core';
import type { Schema } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { ChunkedText } from './chunked-text.tsx';

export function Inspected({
  inspection: { documents: found, faults, has_more },
}: {
  inspection: Schema['Inspection'];
}) {
  const { documents, langs } = useTexts();
  const format = useFormat();
  return (
    <>
      {found.map(
        ({ doc_key, title, lang, layer, chunk_count, characters, text, chunks, notes, left_out }) => (
          <details key={doc_key}>
            <summary style={{ cursor: 'pointer' }}>
              <Text span size="sm" fw={600}>
                {title || doc_key}
              </Text>{' '}
              <Text span size="xs" c="dimmed">
                {documents.wouldRead(
                  langs[lang] ?? lang,
                  layer,
                  format.number(characters),
                  format.number(chunk_count),
                )}
              </Text>
            </summary>
            {notes.map((note) => (
              <Text key={note} size="sm" className="words">
                {note}
              </Text>
            ))}
            {left_out.map(({ where, text: left }) => (
              <Group key={`${where} ${left}`} gap={6} wrap="nowrap" align="flex-start">
                <Badge color="yellow" style={{ flexShrink: 0 }}>
                  {documents.leftOut}
                </Badge>
                <Text size="sm" className="words">{`${where}: ${left}`}</Text>
              </Group>
            ))}
            <ChunkedText text={text} chunks={chunks} />
          </details>
        ),
      )}
      {faults.map(({ line, reason }) => (
        <Text key={`${line} ${reason}`} size="sm" c="var(--mantine-color-error)" className="words">
          {line === null ? reason : `${line}: ${reason}`}
        </Text>
      ))}
      {has_more && <Alert color="gray">{documents.moreDocuments}</Alert>}
    </>
  );
}
