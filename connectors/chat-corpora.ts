/**
 * Defines which corpora can be searched in which places. In `*: krk_2026 reestr_texts, C0123: handbook, -100456:`, each
 * entry names a place on the platform (a workspace, a channel or a chat; `*` means everywhere else) and the corpora
 * that can be searched there. The first corpus is the default. If no corpus follows the colon, nothing can be searched
 * there. The entry for the narrowest place applies.
 */

/** The corpora by place. If null, all corpora can be searched everywhere. */
export type CorporaByChat = ReadonlyMap<string, readonly string[]> | null;

/**
 * `from` lists the place itself, then the places that contain it. A null result means all corpora, with the service's
 * default.
 */
export function corporaAt(
  corporaByChat: CorporaByChat,
  from: readonly (string | null | undefined)[],
): readonly string[] | null {
  if (corporaByChat === null) return null;
  for (const place of from) {
    const corpora = place == null ? undefined : corporaByChat.get(place);
    if (corpora) return corpora;
  }
  return corporaByChat.get('*') ?? [];
}
