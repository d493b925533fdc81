/** The sections of the documents. */
import { useTexts } from '../../app/language.ts';

export function useTabs() {
  const { documents } = useTexts();
  return [
    { to: '/documents', label: documents.list },
    { to: '/documents/upload', label: documents.upload },
    { to: '/documents/corpora', label: documents.corpora },
    { to: '/documents/embeddings', label: documents.embeddings },
  ] as const;
}
