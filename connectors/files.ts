/** Files attached to messages: which ones can be read, and how their content is fetched from a platform. */
import { Failure } from '../src/failures.ts';

/** A file that a conversation remembers. */
export interface ChatFile {
  /** The id of the file on the platform. */
  id: string;
  name: string;
  size: number;
  kind: string;
}

const kinds = ['pdf', 'docx', 'txt', 'md'];
const bytesMax = 10 * 1024 * 1024;
const fetchMs = 30_000;

/** Returns null if the file type is not supported or the file is too large. */
export function chatFile(id: string, name: string, size: number): ChatFile | null {
  const kind = name.toLowerCase().split('.').at(-1)!;
  return kinds.includes(kind) && size <= bytesMax ? { id, name, size, kind } : null;
}

/**
 * Fetches the content at a URL. Rejects if the request fails or is redirected, or if the response is a web page, too
 * slow, or too large regardless of the size that the platform reported.
 */
export async function fetchFile(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  limitMs = fetchMs,
): Promise<Uint8Array> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const { body, status, headers: said } = await fetch(url, { headers, redirect: 'manual', signal: limited });
  const isPage = said.get('content-type')?.startsWith('text/html') === true;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    if (status !== 200 || isPage || body === null)
      throw new Failure('unavailable', `The platform did not return the file (${status}).`);
    for await (const chunk of body) {
      size += chunk.length;
      if (size > bytesMax) throw new Failure('too_large', 'The file is larger than 10 MB.');
      chunks.push(chunk);
    }
  } finally {
    await body?.cancel().catch(() => {});
  }
  return Buffer.concat(chunks);
}
