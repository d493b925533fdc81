/**
 * Bytes that are held until what they belong to is whole and answered: bodies and messages on their way, of all clients
 * together and of each network.
 */
import { Failure } from '../failures.ts';

export const overloaded = () =>
  new Failure('unavailable', 'The service is overloaded, try again shortly.', { retryAfterS: 2 });
export const tooMuchAtOnce = () =>
  new Failure('rate_limited', 'Too much is being sent from this address at once, try again shortly.', {
    retryAfterS: 2,
  });

export class HeldBytes {
  readonly #max: number;
  readonly #networkMax: number;
  readonly #ofNetworks = new Map<string, number>();
  #bytes = 0;

  /** `max`: of all together; `networkMax`: the share of them that one network may have. */
  constructor(max: number, networkMax: number) {
    this.#max = max;
    this.#networkMax = networkMax;
  }

  /** Holds so many more; the Failure of a network that may not have them. */
  take(network: string, bytes: number): Failure | null {
    const own = (this.#ofNetworks.get(network) ?? 0) + bytes;
    if (this.#bytes + bytes > this.#max) return overloaded();
    if (own > this.#networkMax) return tooMuchAtOnce();
    this.#bytes += bytes;
    this.#ofNetworks.set(network, own);
    return null;
  }

  /** What was taken is held no more. */
  release(network: string, bytes: number): void {
    const own = (this.#ofNetworks.get(network) ?? 0) - bytes;
    this.#bytes -= bytes;
    if (own > 0) this.#ofNetworks.set(network, own);
    else this.#ofNetworks.delete(network);
  }
}
