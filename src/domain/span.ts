/** A section of a text. */
export interface Span {
  /** UTF-16 offset of the first unit. */
  start: number;
  /** UTF-16 offset after the last unit. */
  end: number;
}
