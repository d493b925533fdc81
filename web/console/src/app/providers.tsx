/** The context of all pages: language, theme, notifications, confirmations, and the cache of replies. */
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { Texts } from '../texts/en.ts';
import { keepLanguage, type Language, loadTexts, SpokenContext } from './language.ts';
import { nonce } from './nonce.ts';
import { queryClient } from './query-client.ts';
import { cssVariablesResolver, theme } from './theme.ts';

interface Props {
  language: Language;
  texts: Texts;
  children: ReactNode;
}

export function Providers({ children, ...first }: Props) {
  const [spoken, setSpoken] = useState(first);
  const choose = useCallback(async (language: Language) => {
    const texts = await loadTexts(language);
    keepLanguage(language);
    document.documentElement.lang = language;
    setSpoken({ language, texts });
  }, []);
  const value = useMemo(() => ({ ...spoken, choose }), [spoken, choose]);
  return (
    <SpokenContext value={value}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={nonce}
      >
        <QueryClientProvider client={queryClient}>
          <ModalsProvider labels={{ confirm: spoken.texts.common.yes, cancel: spoken.texts.common.cancel }}>
            <Notifications position="bottom-right" />
            {children}
          </ModalsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </SpokenContext>
  );
}
