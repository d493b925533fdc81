/** The current time, which tests control. */
export interface Clock {
  now(): Date;
}
