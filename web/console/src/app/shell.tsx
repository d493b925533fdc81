/** The frame of every page: navigation, and below it the signed-in user, language, theme and health. */
import { AppShell, Burger, Group, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LagNotice } from '../components/lag-notice.tsx';
import { HealthDot } from './health.tsx';
import { useFormat, useTexts } from './language.ts';
import { navigation } from './navigation.ts';
import { Preferences } from './preferences.tsx';
import { SessionMenu } from './session-menu.tsx';
import classes from './shell.module.css';

export function Shell() {
  const texts = useTexts();
  const format = useFormat();
  const [opened, { toggle, close }] = useDisclosure();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const here = navigation.findLast(({ to }) => (to === '/' ? pathname === '/' : pathname.startsWith(to)));
  const title = here ? texts.nav[here.name] : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the page changes.
  useEffect(close, [pathname]);
  useEffect(() => {
    document.title = title === '' ? 'Docent' : `${title} — Docent`;
  }, [title]);

  return (
    <AppShell
      header={{ height: 52, collapsed: false }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      layout="alt"
      padding={0}
      classNames={{ root: classes.root, main: classes.main, navbar: classes.navbar, header: classes.header }}
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={texts.shell.menu}
              aria-expanded={opened}
            />
            <h1 className={classes.title}>{title}</h1>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <LagNotice />
            <HealthDot />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <Group px="md" h={52} justify="space-between" className={classes.brand}>
          <Text fw={700} size="lg">
            Docent
          </Text>
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={texts.shell.close} />
        </Group>
        <AppShell.Section grow component={ScrollArea} p="xs">
          <nav aria-label={texts.shell.navigation}>
            {navigation.map(({ name, to, icon: Icon }) => (
              <NavLink
                key={name}
                renderRoot={(props) => <Link to={to} {...props} />}
                label={texts.nav[name]}
                leftSection={<Icon size={17} stroke={1.7} aria-hidden />}
                active={here?.name === name}
                aria-current={here?.name === name ? 'page' : undefined}
                className={classes.link}
              />
            ))}
          </nav>
        </AppShell.Section>
        <Stack gap={4} p="xs" className={classes.foot}>
          <Preferences />
          <SessionMenu />
          <Text size="xs" c="dimmed" px={10}>
            {texts.shell.times(format.zone())}
          </Text>
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
