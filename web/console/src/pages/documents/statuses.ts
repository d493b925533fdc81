/** The colours of the document states. */
export const statusColors = { published: 'teal', withdrawn: 'gray', ingesting: 'yellow' } as const;
