/**
 * Compatible servers differ in the requests they accept. A request has several forms, best first. If the server rejects
 * one as invalid, the next one is tried. The accepted form is used from then on.
 */
import { refusesForm } from '../calls.ts';

export class RequestForms<Form> {
  #left: readonly Form[];

  constructor(forms: readonly [Form, ...Form[]]) {
    this.#left = forms;
  }

  /** Rethrows the call's error. */
  async send<T>(call: (form: Form) => Promise<T>): Promise<T> {
    const forms = this.#left;
    for (const [n, form] of forms.entries())
      try {
        const value = await call(form);
        // A concurrent call may already have ruled out more forms.
        if (forms.length - n < this.#left.length) this.#left = forms.slice(n);
        return value;
      } catch (error) {
        if (n === forms.length - 1 || !refusesForm(error)) throw error;
      }
    throw new Error('A request needs at least one form.');
  }
}
