/** The first part of every address of the console below /admin; the service serves the same file at each of them. */
export const pageNames = ['sign-in', 'questions', 'documents', 'answers', 'access', 'history'] as const;
