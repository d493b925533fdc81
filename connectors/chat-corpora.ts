/**
 * Which corpora may be asked where. `*: krk_2026 reestr_texts, C0123: handbook, -100456:` names, for a place of the
 * platform (a workspace, a channel, a chat; `*`: everywhere else), the corpora that may be asked there, the first of
 * them unless another is named; none behind the colon: nothing may be asked. The narrowest place that is named counts.
 */

/** By place; null: all corpora may be asked everywhere. */
export type CorporaByChat = ReadonlyMap<string, readonly string[]> | null;

/** `from`: the place itself, then those around it. null: all corpora, the service's default unless one is named. */
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
