import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { SecretBox } from '../../ui/SecretDialog.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import type { ShownPasswords } from './passwords.api.ts';

/** The passwords that a router may have, the newest first. */
export function ShownDialog({ title, shown, onClose }: { title: string; shown: ShownPasswords; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog title={title} onClose={onClose} sticky actions={<CloseButton variant="filled">{t('ui.close')}</CloseButton>}>
      {shown.length > 1 && <p>{t('commands.password.several')}</p>}
      {shown.map(({ username, password, state, at }) => (
        <div key={`${at} ${username} ${state}`}>
          <SecretBox label={t('commands.password.of', { username })} text={password} />
          <p className="dim">
            {t(`commands.password.state.${state}`)} · <RelativeTime moment={at} />
          </p>
        </div>
      ))}
    </Dialog>
  );
}
