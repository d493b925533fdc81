/** A drawer at the right side, as wide as its content reads well, whole on a phone. */
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../app/language.ts';

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
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={`min(${size}px, 100vw)`}
      title={title}
      closeButtonProps={{ 'aria-label': texts.common.close }}
      overlayProps={{ backgroundOpacity: 0.25 }}
      transitionProps={{ duration: 120 }}
    >
      {children}
    </Drawer>
  );
}
