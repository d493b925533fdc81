/**
 * The subjects of asks without a key: one per network and day. They are opaque. The first half is the same for all
 * networks in a block, because one subscriber may own an entire block.
 */
const prefix = 'net:';
const halfLength = 11;

/**
 * A subject made of two base64url hashes, of the block and of the network. The first 11 characters of each are used.
 */
export const networkSubject = (block: string, network: string): string =>
  `${prefix}${block.slice(0, halfLength)}${network.slice(0, halfLength)}`;

/** The part of a network's subject that identifies its block. */
export const blockOfSubject = (subject: string): string =>
  subject.slice(prefix.length, prefix.length + halfLength);
