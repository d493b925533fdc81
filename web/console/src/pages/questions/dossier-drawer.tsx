/** The dossier of one question: everything that was recorded about it. */
import { Alert, Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { EventChain } from '../../components/event-chain.tsx';
import { Fields } from '../../components/fields.tsx';
import { useKeyName } from '../../components/use-keys.ts';
import { AnswerText } from './answer-text.tsx';
import { Passages } from './passages.tsx';
import { Remedies } from './remedies.tsx';
import { SecondReading } from './second-reading.tsx';

const Waterfall = lazy(() => import('./waterfall.tsx'));

type Dossier = Schema['Dossier'];

interface Props {
  requestId: string | undefined;
  onClose: () => void;
}

export function DossierDrawer({ requestId, onClose }: Props) {
  const texts = useTexts();
  return (
    <DetailDrawer opened={requestId !== undefined} onClose={onClose} title={texts.dossier.title}>
      {requestId !== undefined && <Loaded requestId={requestId} />}
    </DetailDrawer>
  );
}

function Loaded({ requestId }: { requestId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['dossier', requestId],
    queryFn: ({ signal }) =>
      taken(api.GET('/admin/api/asks/{request_id}', { params: { path: { request_id: requestId } }, signal })),
  });
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined)
    return (
      <Stack aria-busy>
        {[60, 120, 220, 160].map((height) => (
          <Skeleton key={height} h={height} />
        ))}
      </Stack>
    );
  return <Contents dossier={data} />;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} mb={6}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Contents({ dossier }: { dossier: Dossier }) {
  const texts = useTexts();
  const format = useFormat();
  const { can } = useSession();
  const { asked, answer, citations, passages, ratings, events, request_id } = dossier;
  const words = texts.dossier;
  const keyName = useKeyName(asked?.key_id ?? null);
  const isOpen = answer?.mode === 'no_answer' && asked !== null && !asked.forgotten;
  return (
    <Stack gap="lg">
      {asked && (
        <Part title={words.asked}>
          {asked.forgotten ? (
            <Alert color="gray">{words.forgotten}</Alert>
          ) : (
            <Text size="lg" fw={600} className="words" mb="xs">
              {asked.query}
            </Text>
          )}
          <Fields
            of={[
              [words.rewritten, asked.rewritten],
              [words.searches, answer?.searches.join(' · ')],
              [texts.questions.askedAt, format.moment(asked.at)],
              [texts.questions.channel, texts.channels[asked.channel as keyof typeof texts.channels]],
              [texts.common.corpus, asked.corpus_id],
              [words.style, asked.style],
              [words.subject, asked.subject],
              [words.key, keyName],
            ]}
          />
          {can('write') && !asked.forgotten && (
            <Text size="sm" mt={4}>
              <Link to="/access/forgetting" search={{ subject: asked.subject }}>
                {words.forget}
              </Link>
            </Text>
          )}
          {isOpen && can('write') && (
            <Group mt="sm">
              <Remedies question={asked.query} corpusId={asked.corpus_id} />
            </Group>
          )}
        </Part>
      )}
      {answer && (
        <Part title={words.answered}>
          <AnswerText text={answer.text} citations={citations} />
          <Fields
            of={[
              [texts.questions.mode, texts.modes[answer.mode as keyof typeof texts.modes] ?? answer.mode],
              [texts.questions.latency, format.duration(answer.latency_ms)],
              [words.model, answer.model],
              [words.cached, answer.cached ? texts.common.yes : null],
              [words.degraded, answer.degraded ? texts.common.yes : null],
              [words.unverified, answer.unverified ? texts.common.yes : null],
              [words.replaced, answer.replaced],
            ]}
          />
        </Part>
      )}
      {!answer && (
        <Alert color="gray">{`${words.outcome}: ${words.outcomes[dossier.outcome] ?? dossier.outcome}`}</Alert>
      )}
      {answer?.writing && <SecondReading writing={answer.writing} />}
      <Part title={words.passages(passages.filter(({ shown }) => shown).length, dossier.passages_considered)}>
        <Passages passages={passages} citations={citations} />
      </Part>
      {answer && (
        <Part title={words.timings}>
          <Suspense fallback={<Skeleton h={200} />}>
            <Waterfall timings={answer.timings} />
          </Suspense>
        </Part>
      )}
      {ratings.length > 0 && (
        <Part title={words.ratings}>
          {ratings.map(({ at, rating, comment }) => (
            <Text key={at} size="sm" className="words">
              {`${format.short(at)} · ${texts.ratings[rating as keyof typeof texts.ratings] ?? rating}${comment ? ` · ${comment}` : ''}`}
            </Text>
          ))}
        </Part>
      )}
      {dossier.prompt?.text && (
        <Part title={words.prompt(dossier.prompt.version)}>
          <Text size="sm" className="words">
            {dossier.prompt.text}
          </Text>
        </Part>
      )}
      <Part title={words.events}>
        <EventChain events={events} />
      </Part>
      <Text size="xs" c="dimmed">
        {words.note}{' '}
        <Anchor
          href={`/admin/api/asks/${encodeURIComponent(request_id)}?format=html`}
          target="_blank"
          rel="noreferrer"
          underline="always"
        >
          {words.print}
        </Anchor>
      </Text>
    </Stack>
  );
}
