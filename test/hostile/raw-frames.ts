/** Raw WebSocket frames (RFC 6455, 5.2): valid ones, and invalid ones of every kind. */

export interface Frame {
  fin: boolean;
  /** The three reserved bits, as a number from 0 to 7. */
  rsv: number;
  opcode: number;
  masked: boolean;
  payload: Buffer;
  /** How its length is encoded: in the shortest form, in a longer one, or wrongly. */
  length: 'short' | '16 bits' | '64 bits' | bigint;
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

export const frame = (opcode: number, payload: string | Buffer = '', wrong: Partial<Frame> = {}): Frame => ({
  fin: true,
  rsv: 0,
  opcode,
  masked: true,
  payload: Buffer.from(payload),
  length: 'short',
  ...wrong,
});

const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

export function bytesOf({ fin, rsv, opcode, masked, payload, length }: Frame): Buffer {
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode];
  const bit = masked ? 0x80 : 0;
  const size = typeof length === 'bigint' ? length : BigInt(payload.length);
  const isShort = length === 'short' && size < 126n;
  if (isShort) head.push(bit | Number(size));
  else if (length === '64 bits' || size > 0xffffn) {
    const long = Buffer.alloc(8);
    long.writeBigUInt64BE(size);
    head.push(bit | 127, ...long);
  } else head.push(bit | 126, Number(size >> 8n), Number(size & 255n));
  if (!masked) return Buffer.concat([Buffer.from(head), payload]);
  return Buffer.concat([Buffer.from(head), mask, payload.map((byte, n) => byte ^ mask[n % 4]!)]);
}

const { continuation, text, binary, close, ping } = opcodes;
const begun = frame(text, '{"query', { fin: false });

/** Frames that no client may send, on which a server must close the connection. */
export const forbidden: Record<string, Frame[]> = {
  'without a mask': [frame(text, '{"query":"a"}', { masked: false })],
  'with reserved bits': [frame(text, '{"query":"a"}', { rsv: 1 })],
  'compressed without negotiation': [frame(text, '{"query":"a"}', { rsv: 4 })],
  'of an unknown type': [frame(3, 'a')],
  'of an unknown control type': [frame(11)],
  'that do not continue a message': [frame(continuation, 'a')],
  'that begin within a message': [begun, frame(text, 'a')],
  'with a fragmented control message': [frame(ping, 'a', { fin: false })],
  'with an oversized control message': [frame(ping, 'a'.repeat(126))],
  'with half a close code': [frame(close, 'a')],
  'with an invalid close code': [frame(close, Buffer.from([0, 5]))],
  'with invalid UTF-8': [frame(text, Buffer.from([0xff, 0xfe]))],
  'larger than the message size limit': [frame(text, 'a', { length: 2n ** 21n + 1n })],
  'with the largest possible length': [frame(binary, 'a', { length: 2n ** 64n - 1n })],
  'that together are too large': [
    begun,
    ...Array.from({ length: 3 }, () => frame(continuation, 'a'.repeat(2 ** 20), { fin: false })),
  ],
  'in too many fragments': [
    begun,
    ...Array.from({ length: 300 }, () => frame(continuation, 'a', { fin: false })),
  ],
};
