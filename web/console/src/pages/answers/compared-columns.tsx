/** The results of a comparison: answers with their citations, or the sources of a moment next to those of today. */
import { Badge, Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schema } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { AnswerText, passageId } from '../questions/answer-text.tsx';
import type { Outcome, Result } from './use-trials.ts';

type Source = Schema['SourceRef'];

export function ComparedColumns({ outcomes }: { outcomes: Outcome[] }) {
  const { compare } = useTexts();
  if (outcomes.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, md: outcomes.length }}>
      {outcomes.map((outcome, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position.
        <Paper key={n} withBorder p="md" component="section" aria-labelledby={`outcome-${n}`} miw={0}>
          <Title order={2} size="h3" mb="xs" id={`outcome-${n}`}>
            {compare.column(n + 1)}
          </Title>
          <Content outcome={outcome} n={n} />
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function Content({ outcome, n }: { outcome: Outcome; n: number }) {
  const { compare } = useTexts();
  if (outcome.state === 'failed') return <ErrorState error={outcome.error} />;
  if (outcome.state === 'done')
    return outcome.result.kind === 'answer' ? (
      <Answer trial={outcome.result.trial} within={`${n}-`} />
    ) : (
      <Past {...outcome.result} />
    );
  return (
    <Group gap="xs">
      {outcome.state === 'running' && <Loader size="xs" aria-hidden />}
      <Text size="sm" c="dimmed">
        {outcome.state === 'running' ? compare.running : compare.waiting}
      </Text>
    </Group>
  );
}

function Answer({ trial, within }: { trial: Schema['Trial']; within: string }) {
  const { compare, dossier, modes } = useTexts();
  const format = useFormat();
  const { answer, citations = [], sources = [], mode, latency_ms, timings, degraded, unverified } = trial;
  const nameOf = (stage: string) => dossier.stages[stage as keyof typeof dossier.stages] ?? stage;
  const stages = Object.entries(timings).map(([name, ms]) => ({ stage: name.replace(/_ms$/, ''), ms }));
  return (
    <Stack gap="xs">
      <Group gap={6}>
        <Badge>{modes[mode]}</Badge>
        <Badge color="gray">{format.duration(latency_ms)}</Badge>
        {degraded && <Badge color="red">{compare.degraded}</Badge>}
        {unverified && <Badge color="yellow">{compare.unverified}</Badge>}
      </Group>
      <AnswerText text={answer} citations={citations} within={within} />
      <Title order={3}>{compare.sources}</Title>
      {sources.length === 0 && <Text size="sm">{compare.noSources}</Text>}
      {sources.map((source) => (
        <SourceLine key={source.ref} source={source} id={passageId(source.ref, within)}>
          {citations
            .filter(({ ref }) => ref === source.ref)
            .map(({ start, quote }) => (
              <Text key={start} component="blockquote" size="sm" m={0} className="words">
                <mark>{quote}</mark>
              </Text>
            ))}
        </SourceLine>
      ))}
      <Title order={3}>{compare.timings}</Title>
      <Text size="xs" c="dimmed" className="words numbers">
        {stages.map(({ stage, ms }) => `${nameOf(stage)} ${format.duration(ms)}`).join(' · ')}
      </Text>
    </Stack>
  );
}

function Past({ past, present }: Extract<Result, { kind: 'past' }>) {
  const { compare } = useTexts();
  const keyOf = ({ ref, revision }: Source) => `${ref} ${revision}`;
  const lists = [
    { title: compare.foundThen, found: past, other: present },
    { title: compare.foundNow, found: present, other: past },
  ];
  return (
    <SimpleGrid type="container" cols={{ base: 1, '480px': 2 }}>
      {lists.map(({ title, found, other }) => (
        <Stack key={title} gap="xs">
          <Title order={3}>{title}</Title>
          {found.sources.length === 0 && <Text size="sm">{compare.noSources}</Text>}
          {found.sources.map((source, n) => (
            <SourceLine key={source.ref} source={source}>
              {!other.sources.some((one) => keyOf(one) === keyOf(source)) && (
                <Badge color="yellow">{compare.onlyHere}</Badge>
              )}
              {found.texts?.[n] !== undefined && (
                <Text size="xs" className="words" lineClamp={6}>
                  {found.texts[n]}
                </Text>
              )}
            </SourceLine>
          ))}
        </Stack>
      ))}
    </SimpleGrid>
  );
}

interface LineProps {
  source: Source;
  id?: string;
  children: ReactNode;
}

function SourceLine({ source: { ref, heading, title, revision }, id, children }: LineProps) {
  const { dossier } = useTexts();
  return (
    <Paper withBorder p="xs" id={id} tabIndex={id === undefined ? undefined : -1}>
      <Text size="sm" fw={600} className="words">
        {heading || title || ref}
      </Text>
      <Text size="xs" c="dimmed" className="words">
        {revision === undefined ? ref : `${ref} · ${dossier.revision(revision)}`}
      </Text>
      {children}
    </Paper>
  );
}
