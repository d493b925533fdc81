/** The colours of the states of a document. */
export const statusColors = { published: 'teal', withdrawn: 'gray', ingesting: 'yellow' } as const;
