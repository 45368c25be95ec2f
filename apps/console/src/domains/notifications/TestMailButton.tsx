import type { notifications } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useSession } from '../../api/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { toast } from '../../ui/toasts.ts';
import { sendTestMail } from './notifications.api.ts';

/** Sends one mail to the signed-in person, and says what the mail server said (ALR-05). */
export function TestMailButton(): ReactNode {
  const { t } = useTranslation();
  const { email } = useSession();
  const test = useAction<void, notifications.TestMail>({
    run: sendTestMail,
    onDone: ({ mail, outcome, answer }) =>
      toast(t(`notifications.test.${outcome}`, { mail, answer }), outcome === 'sent' || outcome === 'kept' ? undefined : 'bad'),
  });
  return (
    <ActionButton loading={test.busy} onClick={() => test.run()} label={t('notifications.test.label', { mail: email })}>
      {t('notifications.test.send')}
    </ActionButton>
  );
}
