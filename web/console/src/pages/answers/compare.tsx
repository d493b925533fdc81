/** One question with several settings: the answers side by side, and their differences. All of it is in the URL. */
import { Alert, Paper, Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { Delta } from '../../components/delta.tsx';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { CompareForm } from './compare-form.tsx';
import { ComparedColumns } from './compared-columns.tsx';
import { useTabs } from './tabs.ts';
import { type Outcome, useTrials } from './use-trials.ts';

const route = getRouteApi('/shell/answers/compare');

export function Compare() {
  const { nav, compare, states } = useTexts();
  const { can } = useSession();
  return (
    <Section label={nav.answers} tabs={useTabs()}>
      <PageBody label={compare.tab} width={1600}>
        {can('write') ? <Bench /> : <Alert color="gray">{states.notAllowed}</Alert>}
      </PageBody>
    </Section>
  );
}

/** A link only fills in the form: a trial may cost money, so it starts with the button. */
function Bench() {
  const { compare } = useTexts();
  const navigate = route.useNavigate();
  const { outcomes, run, isRunning } = useTrials();
  return (
    <>
      <Text size="sm" c="dimmed">
        {compare.hint}
      </Text>
      <CompareForm
        given={route.useSearch()}
        isRunning={isRunning}
        onSubmit={(asked) => {
          void navigate({ search: asked });
          run(asked);
        }}
      />
      <div aria-live="polite">
        <ComparedColumns outcomes={outcomes} />
      </div>
      <Differences outcomes={outcomes} />
    </>
  );
}

function Differences({ outcomes }: { outcomes: Outcome[] }) {
  const { compare } = useTexts();
  const answers = outcomes.flatMap((outcome, n) =>
    outcome.state === 'done' && outcome.result.kind === 'answer'
      ? [{ n: n + 1, text: outcome.result.trial.answer }]
      : [],
  );
  const pairs = answers.flatMap((before, at) => answers.slice(at + 1).map((after) => ({ before, after })));
  if (pairs.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={compare.differences}>
      {pairs.map(({ before, after }) => (
        <Paper key={`${before.n} ${after.n}`} withBorder p="md">
          <Title order={2} size="h3" mb="xs">
            {compare.between(before.n, after.n)}
          </Title>
          <Delta before={before.text} after={after.text} />
        </Paper>
      ))}
    </Stack>
  );
}
