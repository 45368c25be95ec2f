import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { sentences } from '../../ui/sentences.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { reasonOf, statusKeys, toneOf } from './esim.ts';
import type { Profile } from './esims.api.ts';

/** Why the last step failed, in words; undefined while all is well. */
export function useReason(reason: string): string | undefined {
  const { t } = useTranslation();
  const { word, rest } = reasonOf(reason);
  return sentences([word === undefined ? '' : t(`esims.reason.${word}`), rest]) || undefined;
}

/** Where an eSIM stands, as a dot and a word; why, on hover (SIM-01, SIM-10). */
export function ProfileStatus({ profile }: { profile: Profile }): ReactNode {
  const { t } = useTranslation();
  const reason = useReason(profile.reason);
  return (
    <StatusDot tone={toneOf(profile)} title={reason}>
      {t(`esims.status.${statusKeys[profile.status]}`)}
    </StatusDot>
  );
}
