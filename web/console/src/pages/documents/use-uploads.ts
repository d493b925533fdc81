/** Files being uploaded: one at a time, each with its progress and outcome. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Schema } from '../../app/api.ts';
import { sendFile } from './send-file.ts';

export interface Upload {
  id: number;
  name: string;
  size: number;
  /** The share that was sent. */
  share: number;
  result: Schema['UploadResult'] | null;
  /** For a file that was only previewed. */
  inspection: Schema['Inspection'] | null;
  error: unknown;
}

export function useUploads() {
  const client = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const next = useRef(1);
  const line = useRef(Promise.resolve());

  const add = useCallback(
    (files: File[], fields: Record<string, string | undefined>, lookOnly: boolean) => {
      const added = files.map((file) => ({ file, id: next.current++ }));
      setUploads((known) => [
        ...added.map(({ file: { name, size }, id }) => ({
          id,
          name,
          size,
          share: 0,
          result: null,
          inspection: null,
          error: null,
        })),
        ...known,
      ]);
      const change = (id: number, changed: Partial<Upload>) =>
        setUploads((known) => known.map((one) => (one.id === id ? { ...one, ...changed } : one)));
      for (const { file, id } of added)
        line.current = line.current.then(async () => {
          const onProgress = (share: number) => change(id, { share });
          const sent = lookOnly
            ? sendFile<Schema['Inspection']>('/admin/api/documents/inspect', file, fields, onProgress).then(
                (inspection) => change(id, { share: 1, inspection }),
              )
            : sendFile<Schema['UploadResult']>('/admin/api/documents', file, fields, onProgress).then(
                (result) => change(id, { share: 1, result }),
              );
          await sent.catch((error) => change(id, { error }));
          if (lookOnly) return;
          await Promise.all(
            [['documents'], ['corpora']].map((queryKey) => client.invalidateQueries({ queryKey })),
          );
        });
    },
    [client],
  );
  return { uploads, add };
}
