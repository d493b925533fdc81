/** Vectors in events: consecutive float32 values in base64, little-endian on every machine. */

const floatBytes = 4;

export function encodeVectors(vectors: readonly Float32Array[]): string {
  const floats = vectors.reduce((sum, vector) => sum + vector.length, 0);
  const bytes = Buffer.alloc(floats * floatBytes);
  let at = 0;
  for (const vector of vectors) for (const value of vector) at = bytes.writeFloatLE(value, at);
  return bytes.toString('base64');
}

export function decodeVectors(text: string, dimension: number): Float32Array[] {
  const bytes = Buffer.from(text, 'base64');
  const vectors: Float32Array[] = [];
  for (let at = 0; at + dimension * floatBytes <= bytes.length; at += dimension * floatBytes)
    vectors.push(Float32Array.from({ length: dimension }, (_, i) => bytes.readFloatLE(at + i * floatBytes)));
  return vectors;
}
