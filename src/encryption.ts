/** AES-256-GCM. Encrypted bytes consist of the IV (12 bytes), the tag (16 bytes) and the ciphertext. */
import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/** Encrypts with a 32-byte key. `boundTo`: data that must be the same for decryption; default: none. */
export function encrypt(
  key: CipherKey,
  content: Uint8Array | string,
  boundTo: Uint8Array = new Uint8Array(),
): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(boundTo);
  const text = Buffer.concat([cipher.update(Buffer.from(content)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** Throws if the bytes were altered, or encrypted with another key or bound to other data. */
export function decrypt(key: CipherKey, bytes: Uint8Array, boundTo: Uint8Array = new Uint8Array()): Buffer {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(boundTo).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
}
