import { Button } from '../../../ui/controls/Button.tsx';
import { accounts } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { call } from '../../../api/client.ts';
import { useAction } from '../../../api/useAction.ts';
import { toast } from '../../../ui/toasts.ts';

export interface SendAgainProps {
  readonly person: { readonly id: string; readonly email: string };
  /** Refetched afterwards, also after a failure: the person may have accepted meanwhile. */
  readonly queryKey: readonly unknown[];
  /** In a row of a list: its accessible name says whose. */
  readonly inRow?: boolean;
}

/** Resends the invitation of a user who has not accepted it yet. */
export function SendAgain({ person, queryKey, inRow = false }: SendAgainProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey });
  const again = useAction<string, unknown>({
    run: (id) => call(accounts.sendInvitation, { params: { id } }),
    onDone: () => {
      toast(t('users.add.done', { email: person.email }));
      refresh();
    },
    onError: () => {
      refresh();
      return false;
    },
  });
  const label = t('users.invitation.again');
  return (
    <Button
      {...(inRow ? { 'aria-label': `${label}: ${person.email}` } : {})}
      loading={again.busy}
      onClick={() => again.run(person.id)}
    >
      {label}
    </Button>
  );
}
