/**
 * The subjects of asks without a key: of a network, for a day. Opaque; the first half is the same for all networks of a
 * block, which one subscriber may have as a whole.
 */
const prefix = 'net:';
const halfLength = 11;

/** A subject of two hashes in base64url, of which the first 11 characters count: of the block, and of the network. */
export const networkSubject = (block: string, network: string): string =>
  `${prefix}${block.slice(0, halfLength)}${network.slice(0, halfLength)}`;

/** What of a network's subject names its block. */
export const blockOfSubject = (subject: string): string =>
  subject.slice(prefix.length, prefix.length + halfLength);
