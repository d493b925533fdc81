import { randomBytes } from 'node:crypto';
import { Failure } from '../../src/failures.ts';
import type { Destroyed, KeyPurpose, SubjectKey, SubjectKeys } from '../../src/ports/subject-keys.ts';

/** Subjects' keys in memory. */
export class MemoryKeys implements SubjectKeys {
  readonly #keys = new Map<string, { purpose: KeyPurpose; key: Uint8Array | null }>();

  async take(purposes: readonly KeyPurpose[]): Promise<SubjectKey[]> {
    return purposes.map((purpose) => {
      for (const [id, { purpose: of, key }] of this.#keys)
        if (key !== null && of.subject === purpose.subject && of.day === purpose.day) return { id, key };
      const made = { id: randomBytes(16).toString('base64url'), key: randomBytes(32) };
      this.#keys.set(made.id, { purpose, key: made.key });
      return made;
    });
  }

  async find(ids: readonly string[]): Promise<(Uint8Array | null)[]> {
    return ids.map((id) => {
      const found = this.#keys.get(id);
      if (found === undefined) throw new Failure('unavailable', 'There is no such key.');
      return found.key;
    });
  }

  async knows(id: string): Promise<boolean> {
    return this.#keys.has(id);
  }

  async giveUpMissing(): Promise<void> {}

  async stored(): Promise<never> {
    throw new Failure('internal', 'Keys in memory are not handed out.');
  }

  async putBack(): Promise<never> {
    throw new Failure('internal', 'Keys in memory are created here.');
  }

  async destroy(which: Destroyed): Promise<number> {
    const gone = [...this.#keys.values()].filter(
      ({ purpose, key }) =>
        key !== null && ('subject' in which ? purpose.subject === which.subject : purpose.day < which.before),
    );
    for (const one of gone) one.key = null;
    return gone.length;
  }

  async close(): Promise<void> {}
}
