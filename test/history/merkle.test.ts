import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  consistencyProof,
  GrowingTree,
  includes,
  inclusionProof,
  isConsistent,
  leafPrefix,
  rootOf,
  sha256,
} from '../../src/history/merkle.ts';

/** The leaves and roots of the reference tests of Certificate Transparency (RFC 6962). */
const published: readonly [leaf: string, root: string][] = [
  ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  ['606162636465666768696a6b6c6d6e6f', '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
];
const leafHash = (entry: Uint8Array) => sha256(Buffer.concat([Buffer.of(leafPrefix), entry]));
const leaves = published.map(([leaf]) => leafHash(Buffer.from(leaf, 'hex')));

it('roots match the published ones', () => {
  expect(rootOf([]).toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  const tree = new GrowingTree();
  for (const [i, [, root]] of published.entries()) {
    tree.append(leaves[i]!);
    expect(tree.root().toString('hex')).toBe(root);
    expect(rootOf(leaves, 0, i + 1).toString('hex')).toBe(root);
  }
});

it('proofs match the published ones', () => {
  const hex = (proof: Buffer[]) => proof.map((one) => one.toString('hex'));
  expect(hex(inclusionProof(leaves, 5))).toEqual([
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ]);
  expect(hex(consistencyProof(leaves, 6))).toEqual([
    '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ]);
});

const many = Array.from({ length: 70 }, (_, i) => leafHash(Buffer.of(i)));
const head = (size: number) => ({ size, root: rootOf(many, 0, size) });

it('a proof shows that a leaf is in a tree, for every leaf of every tree and no other', () => {
  for (let size = 1; size <= many.length; size++) {
    for (let index = 0; index < size; index++) {
      const proof = inclusionProof(many, index, size);
      expect(includes(head(size), index, many[index]!, proof)).toBe(true);
      expect(includes(head(size), index, many[(index + 1) % 70]!, proof)).toBe(false);
      expect(includes(head(size), (index + 1) % size, many[index]!, proof)).toBe(size === 1);
    }
  }
});

it('a proof shows that a tree is a prefix of a larger one, for every pair', () => {
  for (let size = 1; size <= many.length; size++) {
    for (let first = 0; first <= size; first++) {
      expect(isConsistent(head(first), head(size), consistencyProof(many, first, size))).toBe(true);
    }
  }
});

it('a changed proof is rejected', () => {
  const size = fc.integer({ min: 2, max: many.length });
  fc.assert(
    fc.property(size, fc.nat(), fc.nat(), fc.integer({ min: 0, max: 255 }), (n, a, at, bit) => {
      const index = a % n;
      const spoil = (proof: Buffer[]) => {
        if (proof.length === 0) return [Buffer.alloc(32)];
        const changed = proof.map((one) => Buffer.from(one));
        changed[at % changed.length]![bit >> 3]! ^= 1 << (bit & 7);
        return changed;
      };
      const inclusion = inclusionProof(many, index, n);
      expect(includes(head(n), index, many[index]!, spoil(inclusion))).toBe(false);
      expect(includes(head(n), index, many[index]!, inclusion.slice(1))).toBe(false);
      expect(includes(head(n), index, many[index]!, [...inclusion, Buffer.alloc(32)])).toBe(false);
      const consistency = consistencyProof(many, index, n);
      expect(isConsistent(head(index), head(n), spoil(consistency))).toBe(false);
      expect(isConsistent(head(index), head(n), [...consistency, Buffer.alloc(32)])).toBe(false);
    }),
  );
});
