/** Identifies clients without a key by their network and the opaque subject derived from it. */
import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { networkSubject } from '../domain/network-subjects.ts';

/**
 * The part of an address that identifies a client: all of an IPv4 address, even if written as IPv6, and the first 64
 * bits of an IPv6 address, because a subscriber receives such a block. Ports added by proxies ("192.0.2.1:4711",
 * "[2001:db8::1]:443") are removed. Anything else is used unchanged, up to 64 characters. The address is undefined if
 * the client has already disconnected.
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
 * The subject of asks from a network. It is the same throughout a day (UTC) on every instance that shares the secret,
 * and does not reveal the address. It changes every day, so that nobody can be tracked across days. Its first half
 * identifies the network's block (blockOfSubject).
 */
export function subjectOf(network: string, now: Date, secret: Buffer): string {
  const day = now.toISOString().slice(0, 10);
  const hash = (name: string) => createHmac('sha256', secret).update(`${day} ${name}`).digest('base64url');
  return networkSubject(hash(blockOf(network) ?? network), hash(network));
}

/** The networks in an IPv6 /48 share the limits of this many networks, because one subscriber may have all of them. */
export const blockShare = 4;

/** The /48 of an IPv6 network, all of which may belong to one subscriber; null for any other network. */
export function blockOf(network: string): string | null {
  if (!network.endsWith('::/64')) return null;
  return `${network.split(':').slice(0, 3).join(':')}::/48`;
}
