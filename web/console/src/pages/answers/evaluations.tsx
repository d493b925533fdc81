/** Stored evaluation reports: the list, the figures of one report, and the differences between two. */
import {
  Badge,
  Code,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { IconReportAnalytics } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { Delta } from '../../components/delta.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Fields } from '../../components/fields.tsx';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { useTabs } from './tabs.ts';

type Kept = Schema['Evaluation'];
type Report = Schema['EvaluationReport'];
type Comparison = NonNullable<Report['comparison']>;
const route = getRouteApi('/shell/answers/evaluations');
/** Rows per request. */
const size = 500;

export function Evaluations() {
  const { nav, evaluations } = useTexts();
  const { name } = route.useSearch();
  const { data, error, refetch } = useQuery({
    queryKey: ['evaluations'],
    queryFn: ({ signal }) => taken(api.GET('/admin/api/evaluations', { signal })),
  });
  return (
    <Section label={nav.answers} tabs={useTabs()}>
      <PageBody label={evaluations.list} width={1100}>
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <Skeleton h={240} />
        ) : name !== undefined ? (
          <One name={name} others={data.items.filter((one) => one.name !== name)} />
        ) : data.items.length === 0 ? (
          <EmptyState icon={IconReportAnalytics} title={evaluations.none} hint={evaluations.noneHint}>
            <Code>docent eval questions.jsonl --keep before</Code>
          </EmptyState>
        ) : (
          <List kept={data.items} />
        )}
      </PageBody>
    </Section>
  );
}

function List({ kept }: { kept: Kept[] }) {
  const { evaluations } = useTexts();
  const format = useFormat();
  return (
    <Table.ScrollContainer minWidth={320} type="native" scrollAreaProps={{ tabIndex: 0 }}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            {(['name', 'set', 'at'] as const).map((column) => (
              <Table.Th key={column}>{evaluations[column]}</Table.Th>
            ))}
            {(['version', 'service'] as const).map((column) => (
              <Table.Th key={column} visibleFrom="sm">
                {evaluations[column]}
              </Table.Th>
            ))}
            <Table.Th ta="end">{evaluations.questions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {kept.map(({ name, set, at, version, service, questions }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Link to="/answers/evaluations" search={{ name }}>
                  {name}
                </Link>
              </Table.Td>
              <Table.Td className="words">{set}</Table.Td>
              <Table.Td>{format.short(at)}</Table.Td>
              <Table.Td visibleFrom="sm">{version}</Table.Td>
              <Table.Td className="words" visibleFrom="sm">
                {service}
              </Table.Td>
              <Table.Td ta="end">{format.number(questions)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** All rows of a report, loaded page by page, with its comparison if `against` names another report. */
async function readReport(name: string, against: string | undefined, signal: AbortSignal): Promise<Report> {
  const page = (offset: number) =>
    taken(
      api.GET('/admin/api/evaluations/{name}', {
        params: {
          path: { name },
          query: { limit: size, offset, ...(offset === 0 && against && { against }) },
        },
        signal,
      }),
    );
  const report = await page(0);
  while (report.rows.length < report.questions) {
    const { rows } = await page(report.rows.length);
    if (rows.length === 0) break;
    report.rows.push(...rows);
  }
  return report;
}

function useReport(name: string | undefined, against: string | undefined) {
  return useQuery({
    queryKey: ['evaluation', name, against],
    queryFn: ({ signal }) => readReport(name!, against, signal),
    enabled: name !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function One({ name, others }: { name: string; others: Kept[] }) {
  const { evaluations } = useTexts();
  const format = useFormat();
  const { against } = route.useSearch();
  const change = useSearchChange();
  const { data, error, refetch } = useReport(name, against);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <Skeleton h={360} />;
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <div>
          <Link to="/answers/evaluations" search={{}}>
            {evaluations.back}
          </Link>
          <Title order={2}>{name}</Title>
        </div>
        <Select
          label={evaluations.against}
          data={others.map((one) => one.name)}
          value={against ?? null}
          onChange={(value) => change({ against: value ?? undefined })}
          clearable
        />
      </Group>
      <Fields
        of={[
          [evaluations.set, data.set],
          [evaluations.at, format.moment(data.at)],
          [evaluations.version, data.version],
          [evaluations.service, data.service],
          [evaluations.questions, format.number(data.questions)],
        ]}
      />
      {data.comparison === null || against === undefined ? (
        <Figures figures={data.figures} />
      ) : (
        <Compared report={data} comparison={data.comparison} against={against} />
      )}
    </Stack>
  );
}

function Figures({ figures }: { figures: Report['figures'] }) {
  const { evaluations } = useTexts();
  const format = useFormat();
  return (
    <Table fz="sm" maw={480}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{evaluations.figure}</Table.Th>
          <Table.Th ta="end">{evaluations.value}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(figures).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="end" className="numbers">
              {value === null ? '—' : format.number(value)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Compared({
  report,
  comparison,
  against,
}: {
  report: Report;
  comparison: Comparison;
  against: string;
}) {
  const { evaluations } = useTexts();
  const format = useFormat();
  const { questions, left_out, changed, reworded } = comparison;
  const earlier = useReport(changed.length > 0 ? against : undefined, undefined);
  const answersOf = (rows: Report['rows'] = []) => new Map(rows.map(({ id, answer }) => [id, answer]));
  const [before, after] = [answersOf(earlier.data?.rows), answersOf(report.rows)];
  return (
    <>
      <Text size="sm" c="dimmed">
        {evaluations.common(format.number(questions), format.number(left_out))}
      </Text>
      <FigureDifferences figures={comparison.figures} />
      <Title order={2}>
        {changed.length === 0 ? evaluations.noneChanged : evaluations.changed(format.number(changed.length))}
      </Title>
      <Text size="sm">{evaluations.reworded(format.number(reworded))}</Text>
      {earlier.error && <ErrorState error={earlier.error} onRetry={earlier.refetch} />}
      {changed.map(({ id, query, ...verdicts }) => (
        <Paper key={id} withBorder p="md" component="section" aria-label={query}>
          <Title order={3} mb="xs" className="words">
            {query}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {(['before', 'after'] as const).map((side) => (
              <div key={side}>
                <Text size="xs" c="dimmed" className="words">
                  {`${evaluations[side]} · ${verdicts[side]}`}
                </Text>
                <Text size="sm" className="words">
                  {(side === 'before' ? before : after).get(id) ?? '…'}
                </Text>
              </div>
            ))}
          </SimpleGrid>
          {before.has(id) && (
            <details>
              <summary>{evaluations.difference}</summary>
              <Delta before={before.get(id) ?? ''} after={after.get(id) ?? ''} />
            </details>
          )}
        </Paper>
      ))}
    </>
  );
}

function FigureDifferences({ figures }: Pick<Comparison, 'figures'>) {
  const { evaluations } = useTexts();
  const format = useFormat();
  const shown = (value: number | null) => (value === null ? '—' : format.number(value));
  const signed = (value: number) => `${value > 0 ? '+' : ''}${format.number(value)}`;
  return (
    <Table.ScrollContainer minWidth={560} type="native" scrollAreaProps={{ tabIndex: 0 }}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{evaluations.figure}</Table.Th>
            {(['before', 'after', 'difference', 'interval'] as const).map((column) => (
              <Table.Th key={column} ta="end">
                {evaluations[column]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="numbers">
          {figures.map(({ name, before, after, interval, significant }) => (
            <Table.Tr key={name}>
              <Table.Td>
                {name} {significant && <Badge color="teal">{evaluations.significant}</Badge>}
              </Table.Td>
              <Table.Td ta="end">{shown(before)}</Table.Td>
              <Table.Td ta="end">{shown(after)}</Table.Td>
              <Table.Td ta="end">{before === null || after === null ? '—' : signed(after - before)}</Table.Td>
              <Table.Td ta="end">
                {interval === null ? '—' : `${signed(interval.low)} … ${signed(interval.high)}`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
