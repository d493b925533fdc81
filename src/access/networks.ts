/** Who a client without a key is: its network, and the opaque subject made of it. */
import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { networkSubject } from '../domain/network-subjects.ts';

/**
 * What of a client's address is one client: all of IPv4, also where it is written as IPv6, and the first 64 bits of
 * IPv6, which a single subscriber is given as a whole. Proxies write ports beside addresses ("192.0.2.1:4711",
 * "[2001:db8::1]:443"): they are left out. What is no address is taken as it stands, up to 64 characters; absent where
 * the client has gone already.
 */
export function networkOf(address: string | undefined): string {
  if (!address) return 'unknown';
  const bracketed = /^\[([^\]]+)\]/.exec(address)?.[1];
  const plain = bracketed ?? address.replace(/^([^:]+):\d+$/, '$1');
  const bare = plain.split('%', 1)[0] ?? '';
  if (!ipaddr.isValid(bare)) return address.slice(0, 64);
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * The subject of asks from a network: the same all day (UTC) on every instance that shares the secret, and nothing
 * that the address could be told from. Another day's is another, so that nobody is followed from day to day. Its first
 * half is that of the block the network is in (blockOfSubject).
 */
export function subjectOf(network: string, now: Date, secret: Buffer): string {
  const day = now.toISOString().slice(0, 10);
  const hash = (name: string) => createHmac('sha256', secret).update(`${day} ${name}`).digest('base64url');
  return networkSubject(hash(blockOf(network) ?? network), hash(network));
}

/** The /48 that a network of IPv6 belongs to, which one subscriber may have as a whole; null for any other network. */
export function blockOf(network: string): string | null {
  if (!network.endsWith('::/64')) return null;
  return `${network.split(':').slice(0, 3).join(':')}::/48`;
}
