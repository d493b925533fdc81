/** Determines the layer of a document from the request or manifest and from its own front matter. */
import type { Layer } from '../domain/events.ts';
import { Refusal } from '../formats/blocks.ts';

/** The only layer of a corpus that does not declare any. */
export const mainLayer: Layer = { name: 'main', title: null, kind: 'text', visibility: 'public' };

/** The layers of a corpus, and the layer that a request or manifest gives to a file. */
export interface LayerChoice {
  layers: readonly Layer[];
  /** Name of the layer in the administrator's request or the manifest; null if neither states one. */
  said: string | null;
}

/**
 * `own` is the layer in the document's front matter or JSONL line. It may lower the document's rank or restrict its
 * readers, but not raise its rank or widen its readership. If a layer is given and `own` ranks higher or has more
 * readers, `own` is ignored and `note` reports this. Throws Refusal if the layer is unknown.
 */
export function layerOf(
  own: string | null,
  { layers, said }: LayerChoice,
): { layer: Layer; note: string | null } {
  const given = said === null ? null : named(said, layers);
  const [first] = layers;
  if (own === null) {
    const layer = given ?? first;
    if (layer === undefined) throw new Refusal('the corpus has no layer');
    return { layer, note: null };
  }
  const layer = named(own, layers);
  if (given === null) return { layer, note: null };
  const widens = given.visibility === 'restricted' && layer.visibility !== 'restricted';
  const rises = layers.indexOf(layer) < layers.indexOf(given);
  if (!widens && (!rises || layer.visibility === 'restricted')) return { layer, note: null };
  const why = widens ? 'which everyone may read' : 'which ranks higher';
  return {
    layer: given,
    note: `it names the layer "${own}", ${why}; it stays in "${given.name}", as specified`,
  };
}

function named(name: string, layers: readonly Layer[]): Layer {
  const layer = layers.find((other) => other.name === name);
  if (layer === undefined)
    throw new Refusal(
      `the corpus has no layer "${name}", only ${layers.map((other) => other.name).join(', ')}`,
    );
  return layer;
}
