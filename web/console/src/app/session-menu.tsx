/** Who is signed in, and signing out. */
import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTexts } from './language.ts';
import classes from './preferences.module.css';
import { queryClient } from './query-client.ts';
import { signOut, useSession } from './session.ts';

export function SessionMenu() {
  const texts = useTexts();
  const router = useRouter();
  const { name, role } = useSession();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      queryClient.clear();
      await router.navigate({ to: '/sign-in' });
    },
  });
  return (
    <Menu position="top-start" width={200}>
      <Menu.Target>
        <UnstyledButton className={classes.language}>
          <IconUser size={16} aria-hidden />
          <VisuallyHidden>{texts.shell.account}</VisuallyHidden>
          <span className="cut">{name}</span>
          <Text span size="xs" c="dimmed">
            {texts.shell.roles[role]}
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leave.mutate()}>
          {texts.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
