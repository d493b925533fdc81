/** Finds one document in the list, which the service returns only in pages. */
import { ApiError, api, type Schema, taken } from '../../app/api.ts';

const size = 500;

export async function readDocument(
  docId: number,
  asOf: string | undefined,
  signal: AbortSignal,
): Promise<Schema['Document']> {
  for (let offset = 0; ; offset += size) {
    const query = { limit: size, offset, ...(asOf !== undefined && { as_of: asOf }) };
    const { items, total } = await taken(api.GET('/admin/api/documents', { params: { query }, signal }));
    const found = items.find(({ doc_id }) => doc_id === docId);
    if (found) return found;
    if (offset + size >= total)
      throw new ApiError(new Response(null, { status: 404 }), { detail: `There is no document ${docId}.` });
  }
}
