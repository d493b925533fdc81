/** A drawer on the right, wide enough to read; it fills a phone screen. */
import { Drawer, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../app/language.ts';
import classes from './detail-drawer.module.css';

interface Props {
  title: ReactNode;
  opened: boolean;
  onClose: () => void;
  size?: number;
  children: ReactNode;
}

export function DetailDrawer({ title, opened, onClose, size = 720, children }: Props) {
  const texts = useTexts();
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="right"
      size={`min(${size}px, 100vw)`}
      transitionProps={{ duration: 120 }}
    >
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content>
        {/* Not Drawer.Header: a second header element would be a second banner of the page. */}
        <Group justify="space-between" wrap="nowrap" p="md" className={classes.head}>
          <Drawer.Title className="words">{title}</Drawer.Title>
          <Drawer.CloseButton aria-label={texts.common.close} />
        </Group>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
