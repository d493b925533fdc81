/** The version of this program and of its HTTP contract. */
export const version = '2.0.0';
