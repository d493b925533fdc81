/** Answers that people in chats propose: each is accepted, possibly reworded, or rejected. */
import { Button, Group, Paper, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useTabs } from './tabs.ts';

type Proposal = Schema['FaqProposal'];

export function Proposals() {
  const { nav, answers } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['proposals'],
    queryFn: ({ signal }) => taken(api.GET('/admin/api/faq-cache/proposals', { signal })),
  });
  return (
    <Section label={nav.answers} tabs={useTabs()}>
      <PageBody label={answers.proposals}>
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <Skeleton h={220} />
        ) : data.items.length === 0 ? (
          <EmptyState icon={IconInbox} title={answers.noProposals} hint={answers.noProposalsHint} />
        ) : (
          data.items.map((proposal) => <ProposalCard key={proposal.proposal_id} proposal={proposal} />)
        )}
      </PageBody>
    </Section>
  );
}

function ProposalCard({ proposal }: { proposal: Proposal }) {
  const { answers } = useTexts();
  const format = useFormat();
  const { can } = useSession();
  const form = useForm({ initialValues: { question: proposal.question, answer: proposal.answer } });
  const params = { path: { proposal_id: proposal.proposal_id } };
  const touches = [['proposals'], ['faq']];
  const accept = useAction({
    run: (body: typeof form.values) =>
      taken(api.POST('/admin/api/faq-cache/proposals/{proposal_id}/accept', { params, body })),
    done: answers.accepted,
    touches,
  });
  const reject = useAction({
    run: () => taken(api.POST('/admin/api/faq-cache/proposals/{proposal_id}/reject', { params })),
    done: answers.rejected,
    touches,
  });
  return (
    <Paper withBorder p="md" component="form" onSubmit={form.onSubmit((values) => accept.mutate(values))}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {`${proposal.corpus_id} · ${format.moment(proposal.proposed_at)} · ${proposal.subject}`}
        </Text>
        {can('write') ? (
          <>
            <Textarea label={answers.question} minRows={1} {...form.getInputProps('question')} />
            <Textarea label={answers.answer} {...form.getInputProps('answer')} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" loading={reject.isPending} onClick={() => reject.mutate()}>
                {answers.reject}
              </Button>
              <Button type="submit" loading={accept.isPending}>
                {answers.accept}
              </Button>
            </Group>
          </>
        ) : (
          <>
            <Text fw={600} className="words">
              {proposal.question}
            </Text>
            <Text size="sm" className="words">
              {proposal.answer}
            </Text>
          </>
        )}
      </Stack>
    </Paper>
  );
}
