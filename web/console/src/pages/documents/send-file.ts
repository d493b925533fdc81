/** Sends one file with its fields, and reports progress, which `fetch` cannot. */
import { ApiError, scripted, signedOut } from '../../app/api.ts';

export function sendFile<Result>(
  path: '/admin/api/documents' | '/admin/api/documents/inspect',
  file: File,
  fields: Record<string, string | undefined>,
  onProgress: (share: number) => void,
): Promise<Result> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value) form.set(name, value);
  form.set('file', file);
  const request = new XMLHttpRequest();
  request.open('POST', path);
  request.responseType = 'json';
  for (const [name, value] of Object.entries(scripted)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(new Error('network'));
    request.onload = () => {
      if (request.status < 300) return resolve(request.response);
      if (request.status === 401) signedOut();
      const headers = { 'retry-after': request.getResponseHeader('retry-after') ?? '' };
      reject(new ApiError(new Response(null, { status: request.status, headers }), request.response));
    };
    request.send(form);
  });
}
