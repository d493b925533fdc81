/** The corpora, as options of a select. */
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, type Schema, taken } from '../app/api.ts';
import { useSpoken } from '../app/language.ts';

export const corporaKey = ['corpora'] as const;

/** A title may be one text, or one for each language. */
export function useTitleOf() {
  const { language } = useSpoken();
  return useCallback(
    (title: Schema['AdminCorpus']['title'] | null | undefined): string => {
      if (title === null || title === undefined) return '';
      if (typeof title === 'string') return title;
      return title[language] ?? title.en ?? title.ru ?? title.kk ?? '';
    },
    [language],
  );
}

export function useCorpora() {
  return useQuery({
    queryKey: corporaKey,
    queryFn: ({ signal }) => taken(api.GET('/admin/api/corpora', { signal })),
    staleTime: 60_000,
  });
}

/** The id of the corpus that a form starts with: the default one if it exists; null while the list is loading. */
export function useFirstCorpus(): string | null {
  const { data } = useCorpora();
  return (data?.items.find(({ is_default }) => is_default) ?? data?.items[0])?.corpus_id ?? null;
}

/** A corpus as an option: its id and title. */
export function useCorpusOptions() {
  const titleOf = useTitleOf();
  const { data } = useCorpora();
  return (data?.items ?? []).map(({ corpus_id, title }) => ({
    value: corpus_id,
    label: titleOf(title) === '' ? corpus_id : `${corpus_id} — ${titleOf(title)}`,
  }));
}
