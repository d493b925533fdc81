/** Language and theme. */
import { Group, Menu, SegmentedControl, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { type Language, languages, useSpoken } from './language.ts';
import classes from './preferences.module.css';

const names: Record<Language, string> = { en: 'English', ru: 'Русский', kk: 'Қазақша' };
const themes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop },
] as const;

export function Preferences() {
  const { language, choose, texts } = useSpoken();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Menu position="top-start">
        <Menu.Target>
          <UnstyledButton
            className={classes.language}
            aria-label={`${texts.shell.language}: ${names[language]}`}
          >
            <IconLanguage size={16} aria-hidden /> {names[language]}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {languages.map((one) => (
            <Menu.Item
              key={one}
              lang={one}
              onClick={() => choose(one)}
              fw={one === language ? 600 : undefined}
            >
              {names[one]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <SegmentedControl
        size="xs"
        aria-label={texts.shell.theme}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
        data={themes.map(({ value, icon: Icon }) => ({
          value,
          label: (
            <Icon size={14} role="img" aria-label={texts.shell.themes[value]} className={classes.icon} />
          ),
        }))}
      />
    </Group>
  );
}
