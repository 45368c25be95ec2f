import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { DateField } from '../../ui/form/DateField.tsx';
import { TwelveMonths } from '../../ui/form/TwelveMonths.tsx';
import { isoFromDay } from '../../ui/time/format.ts';
import { type Job, startJob } from '../../entities/jobs/bulk-jobs.api.ts';
import type { ChoiceProps } from './choice.ts';
import { Effect } from '../../entities/jobs/Effect.tsx';
import { devicesText } from '../../entities/jobs/job.ts';

/** Sets the first and the last day of the chosen devices' subscriptions. */
export function SubscriptionChoice({ chosen, onClose, onStarted }: ChoiceProps): ReactNode {
  const { t } = useTranslation();
  const [started, setStarted] = useState('');
  const [expired, setExpired] = useState('');
  const [invalid, setInvalid] = useState<{ readonly started?: string | undefined; readonly expired?: string | undefined }>({});
  const isComplete = isoFromDay(started) !== '' && isoFromDay(expired) !== '';
  const isReversed = isComplete && isoFromDay(expired) < isoFromDay(started);
  const action = { kind: 'subscription', started, expired } as const;
  const save = useAction<void, Job>({ run: () => startJob(chosen, action), onDone: onStarted });
  const reversed = isReversed ? t('bulkJobs.subscription.reversed') : undefined;
  return (
    <FormDialog
      title={t('bulkJobs.subscription.title', { devices: devicesText(t, chosen.count) })}
      submit={t('bulkJobs.subscription.submit')}
      busy={save.busy}
      disabledReason={isComplete ? reversed : (invalid.started ?? invalid.expired ?? t('bulkJobs.subscription.missing'))}
      onClose={onClose}
      onSubmit={() => save.run()}
    >
      <div className="form__pair">
        <DateField
          label={t('bulkJobs.subscription.started')}
          required
          value={started}
          onChange={(day, problem) => {
            setStarted(day);
            setInvalid({ ...invalid, started: problem });
          }}
        />
        <DateField
          label={t('bulkJobs.subscription.expired')}
          required
          value={expired}
          error={reversed}
          onChange={(day, problem) => {
            setExpired(day);
            setInvalid({ ...invalid, expired: problem });
          }}
        />
      </div>
      <TwelveMonths
        started={started}
        onPick={(days) => {
          setStarted(days.started);
          setExpired(days.expired);
          setInvalid({});
        }}
      />
      <p className="dim">{t('bulkJobs.subscription.utc')}</p>
      <Effect chosen={chosen} action={isComplete && !isReversed ? action : undefined} />
    </FormDialog>
  );
}
