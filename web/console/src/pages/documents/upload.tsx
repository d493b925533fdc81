/** Uploading: dropped or chosen files, their fields, and the outcome of each. */
import {
  Alert,
  Checkbox,
  Group,
  Paper,
  Progress,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { useForm } from '@mantine/form';
import { IconUpload } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { ErrorState, wordsOf } from '../../components/error-state.tsx';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { useCorpora, useCorpusOptions, useFirstCorpus, useTitleOf } from '../../components/use-corpora.ts';
import { Inspected } from './inspected.tsx';
import { useTabs } from './tabs.ts';
import { type Upload as Sent, useUploads } from './use-uploads.ts';

const route = getRouteApi('/shell/documents/upload');
/** The service's limit for a file. */
const bytesMax = 64 * 1024 * 1024;

export function Upload() {
  const { nav, documents, states } = useTexts();
  const { can } = useSession();
  const { question } = route.useSearch();
  const corpora = useCorpora();
  return (
    <Section label={nav.documents} tabs={useTabs()}>
      <PageBody label={documents.upload}>
        {question !== undefined && (
          <Alert color="blue" title={documents.answersQuestion}>
            {question}
          </Alert>
        )}
        {!can('write') ? (
          <Alert color="gray">{states.notAllowed}</Alert>
        ) : corpora.error ? (
          <ErrorState error={corpora.error} onRetry={corpora.refetch} />
        ) : (
          corpora.data && <UploadForm />
        )}
      </PageBody>
    </Section>
  );
}

function UploadForm() {
  const { documents, common, langs } = useTexts();
  const { corpus_id } = route.useSearch();
  const options = useCorpusOptions();
  const titleOf = useTitleOf();
  const { uploads, add } = useUploads();
  const { data } = useCorpora();
  const first = useFirstCorpus();
  const form = useForm({
    initialValues: {
      corpus_id: corpus_id ?? first ?? '',
      layer: '',
      lang: '',
      event_date: '',
      source_url: '',
      replace: false,
      look: false,
    },
    validate: {
      corpus_id: (value) => (value === '' ? common.required : null),
      event_date: (value) =>
        value === '' || /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(value) ? null : documents.dateForm,
    },
  });
  const layers = data?.items.find((corpus) => corpus.corpus_id === form.values.corpus_id)?.layers ?? [];
  const send = (files: File[]) => {
    if (form.validate().hasErrors) return;
    const { replace, look, ...fields } = form.values;
    add(files, { ...fields, replace: replace ? 'true' : undefined }, look);
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        <Select
          label={common.corpus}
          data={options}
          allowDeselect={false}
          {...form.getInputProps('corpus_id')}
        />
        <Select
          label={documents.layer}
          placeholder={documents.layerFirst}
          data={layers.map(({ name, title }) => ({ value: name, label: titleOf(title) || name }))}
          clearable
          {...form.getInputProps('layer')}
          value={form.values.layer === '' ? null : form.values.layer}
          onChange={(layer) => form.setFieldValue('layer', layer ?? '')}
        />
        <Select
          label={documents.lang}
          placeholder={documents.langDetected}
          data={Object.entries(langs).map(([value, label]) => ({ value, label }))}
          clearable
          value={form.values.lang === '' ? null : form.values.lang}
          onChange={(lang) => form.setFieldValue('lang', lang ?? '')}
        />
        <TextInput label={documents.date} placeholder="2026-11-29" {...form.getInputProps('event_date')} />
        <TextInput label={documents.original} placeholder="https://" {...form.getInputProps('source_url')} />
        <Checkbox
          label={documents.replace}
          mt={26}
          {...form.getInputProps('replace', { type: 'checkbox' })}
        />
      </SimpleGrid>
      <Checkbox label={documents.lookFirst} {...form.getInputProps('look', { type: 'checkbox' })} />
      <Dropzone
        onDrop={send}
        onReject={(rejected) => send(rejected.map(({ file }) => file).filter(({ size }) => size <= bytesMax))}
        maxSize={bytesMax}
        inputProps={{ 'aria-label': documents.drop }}
      >
        <Stack align="center" gap={4} p="lg" style={{ pointerEvents: 'none' }}>
          <IconUpload size={32} stroke={1.3} aria-hidden />
          <Text fw={600} ta="center">
            {documents.drop}
          </Text>
          <Text size="sm" c="dimmed" ta="center">
            {documents.formats}
          </Text>
        </Stack>
      </Dropzone>
      <Stack gap="xs" aria-live="polite">
        {uploads.map((upload) => (
          <Verdict key={upload.id} upload={upload} />
        ))}
      </Stack>
    </>
  );
}

function Verdict({ upload: { name, size, share, result, inspection, error } }: { upload: Sent }) {
  const { documents } = useTexts();
  const format = useFormat();
  const pending = result === null && inspection === null && error === null;
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} className="cut">
          {name}
        </Text>
        <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
          {documents.kilobytes(format.number(Math.ceil(size / 1024)))}
        </Text>
      </Group>
      {pending && (
        <>
          <Progress
            value={share * 100}
            animated={share === 1}
            my={6}
            aria-label={`${name}: ${format.percent(share)}`}
          />
          <Text size="xs" c="dimmed">
            {share < 1 ? documents.sending(format.percent(share)) : documents.reading}
          </Text>
        </>
      )}
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" className="words">
          {wordsOf(error)}
        </Text>
      )}
      {inspection && <Inspected inspection={inspection} />}
      {result && (
        <Stack gap={2}>
          <Text size="sm">
            {documents.result(
              ...([result.added, result.revised, result.unchanged, result.chunks].map(format.number) as [
                string,
                string,
                string,
                string,
              ]),
            )}
          </Text>
          {result.skipped.map(({ path, reason }) => (
            <Text key={path} size="sm" c="var(--mantine-color-error)" className="words">
              {`${documents.skipped} ${path}: ${reason}`}
            </Text>
          ))}
          {result.documents.map(({ doc_id, title, doc_key }) => (
            <Text key={doc_id} size="sm">
              <Link to="/documents" search={{ doc: doc_id }}>
                {title || doc_key}
              </Link>
            </Text>
          ))}
        </Stack>
      )}
    </Paper>
  );
}
