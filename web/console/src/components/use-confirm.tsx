/** Asks for confirmation before a step that is hard to undo. */
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useTexts } from '../app/language.ts';

interface Step {
  title: string;
  text: string;
  /** The label of the button. */
  act: string;
  onConfirm(): void;
}

export function useConfirm() {
  const { common } = useTexts();
  return ({ title, text, act, onConfirm }: Step) =>
    modals.openConfirmModal({
      title,
      children: (
        <Text size="sm" className="words">
          {text}
        </Text>
      ),
      labels: { confirm: act, cancel: common.cancel },
      confirmProps: { color: 'red' },
      closeButtonProps: { 'aria-label': common.close },
      onConfirm,
    });
}
