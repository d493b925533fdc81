/** The event types, from the service's documentation. */
import { useQuery } from '@tanstack/react-query';
import type { Option } from '../../components/filter-bar.tsx';

interface Document {
  paths: Record<string, { get?: { parameters?: { name: string; schema: { enum?: string[] } }[] } }>;
}

export function useEventTypes(): Option[] {
  const { data = [] } = useQuery({
    queryKey: ['event-types'],
    queryFn: async ({ signal }) => {
      const document: Document = await (await fetch('/api/openapi.json', { signal })).json();
      const parameters = document.paths['/admin/api/events']?.get?.parameters ?? [];
      const types = parameters.find(({ name }) => name === 'type')?.schema.enum ?? [];
      return types.toSorted().map((value) => ({ value, label: value }));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
