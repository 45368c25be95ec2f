import { IconLifebuoy } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { sentences } from '../../ui/sentences.ts';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { toast } from '../../ui/toasts.ts';
import { endVisit, leaveVisit } from './visits.api.ts';
import './visits.css';

/** Anyone who acts in another company reads so on every screen, and so do the admins who let support in (IAM-05). */
export function VisitBanner(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const client = useQueryClient();
  const { visit, support, org, mainAccountName: company } = useSession();
  const leaving = useAction<void, void>({ run: leaveVisit, onDone: () => undefined });
  const ending = useAction<string, void>({
    run: endVisit,
    onDone: () => {
      void client.invalidateQueries({ queryKey: ['session'] });
      void client.invalidateQueries({ queryKey: ['visits'] });
      toast(t('visits.end.done'));
    },
  });
  const timeOf = (until: string | null) =>
    until === null ? t('visits.banner.always') : t('visits.banner.until', { time: formatDateTime(new Date(until), zone) });
  if (visit !== null)
    return (
      <div className="visit" role="status">
        <IconLifebuoy size={18} stroke={1.7} aria-hidden />
        <span className="visit__text">
          {sentences([t(`visits.banner.${visit.kind}`, { organization: org?.name ?? '', by: visit.by }), timeOf(visit.until)])}
        </span>
        {!visit.atHome && (
          <Button size="xs" loading={leaving.busy} onClick={() => leaving.run()}>
            {t('visits.banner.leave')}
          </Button>
        )}
      </div>
    );
  if (support === null) return null;
  return (
    <div className="visit" role="status">
      <IconLifebuoy size={18} stroke={1.7} aria-hidden />
      <span className="visit__text">{sentences([t('visits.banner.open', { company }), timeOf(support.until)])}</span>
      <Button size="xs" loading={ending.busy} onClick={() => ending.run(support.id)}>
        {t('visits.banner.end')}
      </Button>
    </div>
  );
}
