import { Button } from '../../../ui/controls/Button.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { EndDialog } from './EndDialog.tsx';
import { EnrolDialog } from './EnrolDialog.tsx';
import { secondFactorQuery } from './second-factor.api.ts';
import '../users.css';
import './second-factor.css';

/** The user's own second factor: whether it is on, and the actions to turn it on and off. */
export function SecondFactor(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const query = useQuery(secondFactorQuery);
  const [dialog, setDialog] = useState<'enrol' | 'end'>();
  const state = query.data;
  const close = () => {
    setDialog(undefined);
    void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
  };
  return (
    <section className="card panel panel--stack" aria-labelledby="second-factor">
      <h2 id="second-factor">{t('users.secondFactor.title')}</h2>
      {state === undefined && query.error !== null && (
        <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      )}
      {state !== undefined && (
        <>
          <p className="second-factor__state">
            <StatusDot tone={state.enabled ? 'ok' : 'idle'}>
              {t(state.enabled ? 'users.secondFactor.on' : 'users.secondFactor.off')}
            </StatusDot>
            {state.enabled && (
              <span className="dim">
                <RelativeTime moment={state.since} /> · {t('users.secondFactor.left', { count: state.recoveryCodes })}
              </span>
            )}
          </p>
          <p className="dim">{t('users.secondFactor.text')}</p>
          <div className="form__actions">
            <Button onClick={() => setDialog(state.enabled ? 'end' : 'enrol')}>
              {t(state.enabled ? 'users.secondFactor.turnOff' : 'users.secondFactor.turnOn')}
            </Button>
          </div>
        </>
      )}
      {dialog === 'enrol' && <EnrolDialog onClose={close} />}
      {dialog === 'end' && <EndDialog onClose={close} />}
    </section>
  );
}
