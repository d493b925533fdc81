/** The first path segment of each console page below /admin; the service serves the same file for all of them. */
export const pageNames = ['sign-in', 'questions', 'documents', 'answers', 'access', 'history'] as const;
