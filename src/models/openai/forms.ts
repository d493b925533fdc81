/**
 * Servers that call themselves compatible differ in what they take. A request has several forms, the best one first;
 * where the server refuses one as such, the next is tried, and the one that it took is used from then on.
 */
import { refusesForm } from '../calls.ts';

export class Forms<Form> {
  #left: readonly Form[];

  constructor(forms: readonly [Form, ...Form[]]) {
    this.#left = forms;
  }

  /** Throws what the call throws. */
  async send<T>(call: (form: Form) => Promise<T>): Promise<T> {
    const forms = this.#left;
    for (const [n, form] of forms.entries())
      try {
        const value = await call(form);
        // Another call may have learned more meanwhile.
        if (forms.length - n < this.#left.length) this.#left = forms.slice(n);
        return value;
      } catch (error) {
        if (n === forms.length - 1 || !refusesForm(error)) throw error;
      }
    throw new Error('There is always a form.');
  }
}
