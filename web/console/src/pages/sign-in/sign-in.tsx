/** Signing in with a name and a password, or through an identity provider, depending on the configuration. */
import {
  Alert,
  Button,
  Center,
  Divider,
  Paper,
  PasswordInput,
  Skeleton,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../app/api.ts';
import { useTexts } from '../../app/language.ts';
import { Preferences } from '../../app/preferences.tsx';
import { queryClient } from '../../app/query-client.ts';
import { sessionQuery, signIn, signInOptionsQuery } from '../../app/session.ts';
import { ErrorState, wordsOf } from '../../components/error-state.tsx';

const route = getRouteApi('/sign-in');

/** Only paths of the console: a link must not lead elsewhere after signing in. */
const ownAddress = (address: string | undefined): string =>
  address !== undefined && /^\/admin(?:[/?]|$)/.test(address) ? address : '/admin';

export function SignIn() {
  const texts = useTexts();
  const router = useRouter();
  const { return: wanted, error } = route.useSearch();
  const back = ownAddress(wanted);
  const options = useQuery(signInOptionsQuery);
  useEffect(() => {
    document.title = `${texts.signIn.title} — Docent`;
  }, [texts]);

  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={380}>
        <Stack gap="lg">
          <Title order={1}>{texts.signIn.title}</Title>
          {error !== undefined && (
            <Alert color="red" role="alert">
              {error === 'forbidden' ? texts.signIn.refused : texts.signIn.expired}
            </Alert>
          )}
          {options.isPending && <Skeleton h={170} />}
          {options.isError && <ErrorState error={options.error} onRetry={() => options.refetch()} />}
          {options.data?.single_sign_on && (
            <Button
              component="a"
              size="sm"
              href={`/admin/single-sign-on?return=${encodeURIComponent(back)}`}
              variant={options.data.password ? 'default' : 'filled'}
            >
              {texts.signIn.with(options.data.single_sign_on.label)}
            </Button>
          )}
          {options.data?.single_sign_on && options.data.password && <Divider label={texts.signIn.or} />}
          {options.data?.password && <PasswordForm onDone={() => router.history.push(back)} />}
          <Divider />
          <Preferences />
        </Stack>
      </Paper>
    </Center>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const texts = useTexts();
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: {
      name: (name) => (name === '' ? texts.signIn.nameMissing : null),
      password: (password) => (password === '' ? texts.signIn.passwordMissing : null),
    },
  });
  const enter = useMutation({
    mutationFn: signIn,
    onSuccess: (session) => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      onDone();
    },
    onError: () => form.setFieldValue('password', ''),
  });
  const { error } = enter;
  return (
    <form onSubmit={form.onSubmit((given) => enter.mutate(given))} noValidate>
      <Stack gap="sm">
        {error && (
          <Alert color="red" role="alert">
            {!(error instanceof ApiError)
              ? texts.states.unreachable
              : error.status === 401
                ? texts.signIn.wrong
                : error.retryAfterS !== null
                  ? texts.signIn.wait(error.retryAfterS)
                  : wordsOf(error)}
          </Alert>
        )}
        <TextInput
          label={texts.signIn.name}
          size="sm"
          autoComplete="username"
          autoFocus
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={texts.signIn.password}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': texts.signIn.show }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="sm" loading={enter.isPending}>
          {texts.signIn.enter}
        </Button>
      </Stack>
    </form>
  );
}
