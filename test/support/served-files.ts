/** Files, valid and invalid, that a platform serves to clients with its token. */
import type { ServerResponse } from 'node:http';

export interface ServedFile {
  body: Uint8Array | string;
  type?: string;
  status?: number;
  headers?: Record<string, string>;
  /** The body begins and never ends. */
  hangs?: true;
}

export function serveFile(response: ServerResponse, file: ServedFile | undefined): void {
  if (!file) {
    response.writeHead(404).end();
    return;
  }
  const { body, type = 'application/octet-stream', status = 200, headers = {}, hangs } = file;
  response.writeHead(status, { 'content-type': type, ...headers });
  if (hangs) response.write(body);
  else response.end(body);
}
