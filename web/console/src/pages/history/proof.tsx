/** The service's last checkpoint, and any proof, which this browser checks step by step. */
import {
  Alert,
  Button,
  Code,
  FileButton,
  Group,
  Paper,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconFileUpload, IconLockOpen } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError, api } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Fields } from '../../components/fields.tsx';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { checkProof } from './check-proof.ts';
import { ProofSteps } from './proof-steps.tsx';
import { base64Of, type Checkpoint, isSignedBy, readCheckpoint, readPublicKey } from './signed-checkpoint.ts';
import { useTabs } from './tabs.ts';

const route = getRouteApi('/shell/history/proof');

const checkpointQuery = {
  queryKey: ['checkpoint'],
  /** null: nothing is sealed. */
  queryFn: async (): Promise<string | null> => {
    const response = await fetch('/api/transparency/checkpoint');
    if (response.status === 404) return null;
    if (!response.ok) throw new ApiError(response, await response.json().catch(() => null));
    return response.text();
  },
};

export function Proof() {
  const { nav, proof } = useTexts();
  const { data, error, refetch, isPending } = useQuery(checkpointQuery);
  const checkpoint = data ? readCheckpoint(data) : null;
  const { event } = route.useSearch();
  const made = useQuery({
    queryKey: ['proof', event],
    enabled: event !== undefined,
    queryFn: () => proofOf(event!),
  });
  return (
    <Section label={nav.history} tabs={useTabs()}>
      <PageBody label={proof.title}>
        <Paper withBorder p="md">
          <Title order={2} size="h3" mb="xs">
            {proof.checkpoint}
          </Title>
          {error ? (
            <ErrorState error={error} onRetry={refetch} />
          ) : isPending ? (
            <Skeleton h={80} />
          ) : checkpoint === null ? (
            <EmptyState icon={IconLockOpen} title={proof.notSealed} hint={proof.notSealedHint} />
          ) : (
            <CheckpointFields checkpoint={checkpoint} />
          )}
        </Paper>
        {made.error && <ErrorState error={made.error} onRetry={made.refetch} />}
        {made.isLoading ? (
          <Skeleton h={400} />
        ) : (
          <ProofForm key={made.data} text={made.data ?? ''} checkpoint={checkpoint} />
        )}
      </PageBody>
    </Section>
  );
}

export function CheckpointFields({
  checkpoint: { origin, size, root, signatures },
}: {
  checkpoint: Checkpoint;
}) {
  const { proof } = useTexts();
  const format = useFormat();
  return (
    <Fields
      of={[
        [proof.origin, origin],
        [proof.size, format.number(size)],
        [proof.root, <Code key="root">{base64Of(root)}</Code>],
        [proof.signatures, signatures.map(({ name }) => name).join(', ')],
      ]}
    />
  );
}

/** The service reads the whole history for this, so it may take a while. */
async function proofOf(event_id: string): Promise<string> {
  const { data, error, response } = await api.GET('/admin/api/events/{event_id}/proof', {
    params: { path: { event_id } },
    parseAs: 'text',
  });
  if (!response.ok || data === undefined) throw new ApiError(response, error);
  return data;
}

/** `text`: the initial proof. */
function ProofForm({ text: given, checkpoint }: { text: string; checkpoint: Checkpoint | null }) {
  const { proof } = useTexts();
  const form = useForm({
    initialValues: { key: '', text: given },
    validate: { text: (text, { key }) => (text.trim() === '' && key.trim() === '' ? proof.needed : null) },
  });
  const check = useMutation({
    mutationFn: async ({ key: written, text }: typeof form.values) => {
      const key = written.trim() === '' ? null : await readPublicKey(written);
      if (key === null && written.trim() !== '') return { fault: proof.noKey };
      const sealed = key && checkpoint ? await isSignedBy(checkpoint, key) : null;
      if (text.trim() === '') return { sealed };
      const checked = await checkProof(text, key);
      return checked === null ? { fault: proof.noProof } : { checked, sealed };
    },
  });
  return (
    <>
      <Paper
        withBorder
        p="md"
        component="form"
        noValidate
        onSubmit={form.onSubmit((values) => check.mutate(values))}
      >
        <Stack>
          <Title order={2} size="h3">
            {proof.title}
          </Title>
          <Text size="sm" c="dimmed">
            {proof.hint}
          </Text>
          <Code block className="words">
            {'node src/docent.js prove <event id> > event.tlog-proof'}
          </Code>
          <TextInput
            label={proof.key}
            description={proof.keyHint}
            placeholder="docent.example+1a2b3c4d+AQ…"
            autoComplete="off"
            {...form.getInputProps('key')}
          />
          <Textarea
            label={proof.text}
            minRows={6}
            maxRows={12}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...form.getInputProps('text')}
          />
          <Group justify="space-between">
            <FileButton onChange={async (file) => file && form.setFieldValue('text', await file.text())}>
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconFileUpload size={14} aria-hidden />}>
                  {proof.file}
                </Button>
              )}
            </FileButton>
            <Button type="submit" loading={check.isPending}>
              {proof.check}
            </Button>
          </Group>
        </Stack>
      </Paper>
      <div aria-live="polite">
        {check.error && <Alert color="red">{check.error.message}</Alert>}
        {check.data?.fault && <Alert color="red">{check.data.fault}</Alert>}
        {check.data && 'sealed' in check.data && check.data.sealed !== null && (
          <Alert color={check.data.sealed ? 'teal' : 'red'} mb="md">
            {check.data.sealed ? proof.servedSigned : proof.servedUnsigned}
          </Alert>
        )}
        {check.data?.checked && <ProofSteps checked={check.data.checked} />}
      </div>
    </>
  );
}
