import { rollouts } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { reasonOf, statusKeys, toneOf } from './esim.ts';
import type { Profile } from './esims.api.ts';

/** The text for why the last step failed; undefined when nothing failed. */
export function useReason(reason: string): string | undefined {
  const { t } = useTranslation();
  const wait = rollouts.windowWaits.find((each) => reason === `window-${each}`);
  if (wait !== undefined) return t(`commands.reason.window-${wait}`);
  const { word, rest } = reasonOf(reason);
  if (word === undefined) return rest || undefined;
  const text = t(`esims.reason.${word}`);
  return rest === '' ? text : t('esims.reasonDetail', { reason: text.replace(/[.。]$/u, ''), detail: rest });
}

/** The state of an eSIM as a dot and a label, with the reason on hover (SIM-01, SIM-10). */
export function ProfileStatus({ profile }: { profile: Profile }): ReactNode {
  const { t } = useTranslation();
  const reason = useReason(profile.reason);
  return (
    <StatusDot tone={toneOf(profile)} title={reason}>
      {t(`esims.status.${statusKeys[profile.status]}`)}
    </StatusDot>
  );
}
