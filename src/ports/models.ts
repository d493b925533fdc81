export interface Models {
  /** Name and dimension of the embedder; two generations of vectors may live side by side. */
  embedder: { name: string; dimension: number; deterministic: boolean } | null;
  embed(texts: readonly string[], kind: 'document' | 'query', signal?: AbortSignal): Promise<Float32Array[]>;
}
