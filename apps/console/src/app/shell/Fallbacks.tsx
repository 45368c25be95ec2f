import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/useErrorText.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';

/** No page has this address. */
export function NotFound(): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${t('shell.notFound')} · Highline`;
  }, [t]);
  return (
    <main className="lost">
      <EmptyState
        text={t('shell.notFound')}
        action={
          <Button component="a" href="/">
            {t('shell.home')}
          </Button>
        }
      />
    </main>
  );
}

/** A page failed: its files or its first data could not be fetched, or it is faulty. */
export function Broken({ error }: ErrorComponentProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return <ErrorState text={`${t('shell.broken')} ${errorText(error)}`} onRetry={() => location.reload()} />;
}
