/** Links from a question without an answer to a new curated answer or an upload. */
import { Button, Group } from '@mantine/core';
import { IconPencilPlus, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../app/language.ts';

/** The two ways to have such a question answered in future. */
export function Remedies({ question, corpusId }: { question: string; corpusId: string }) {
  const texts = useTexts();
  const search = { question, corpus_id: corpusId };
  return (
    <Group gap={6} wrap="nowrap" onClick={(event) => event.stopPropagation()}>
      <Button
        size="compact-xs"
        variant="light"
        leftSection={<IconPencilPlus size={13} aria-hidden />}
        renderRoot={(props) => <Link to="/answers" search={search} {...props} />}
      >
        {texts.questions.writeAnswer}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconUpload size={13} aria-hidden />}
        renderRoot={(props) => <Link to="/documents/upload" search={search} {...props} />}
      >
        {texts.questions.uploadDocument}
      </Button>
    </Group>
  );
}
