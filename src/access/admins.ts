/**
 * Administrators' passwords, hashed with scrypt (RFC 7914) and encoded with characters that shells and compose files
 * leave unchanged.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Admin } from '../config.ts';

/** log2 of the cost N; 2^15 takes about 60 ms and 32 MiB. */
const cost = { log2N: 15, r: 8, p: 1 };
const hashBytes = 32;

function derive(password: string, salt: Buffer, { log2N, r, p }: typeof cost): Promise<Buffer> {
  const N = 2 ** log2N;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(password.normalize('NFC'), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
    error ? reject(error) : resolve(key),
  );
  return promise;
}

const written = (salt: Buffer, key: Buffer): string =>
  `scrypt.${cost.log2N}.${cost.r}.${cost.p}.${salt.toString('base64url')}.${key.toString('base64url')}`;

/** `scrypt.<log2 N>.<r>.<p>.<salt>.<hash>`, salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return written(salt, await derive(password, salt, cost));
}

/** A hash that matches no known password. Comparing with it takes as long as with any other hash. */
export function unmatchedHash(): string {
  return written(randomBytes(16), randomBytes(hashBytes));
}

/** Whether the password matches the hash. Takes equally long for a wrong password. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, log2N, r, p, salt, key] = hash.split('.');
  const expected = Buffer.from(key ?? '', 'base64url');
  const made = await derive(password, Buffer.from(salt ?? '', 'base64url'), {
    log2N: Number(log2N),
    r: Number(r),
    p: Number(p),
  });
  return made.length === expected.length && timingSafeEqual(made, expected);
}

export async function newAdmin(name: string, role: Admin['role'], password: string): Promise<Admin> {
  return { name, role, hash: await hashPassword(password) };
}
