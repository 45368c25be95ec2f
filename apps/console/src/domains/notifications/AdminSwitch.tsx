import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../ui/Check.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { type AdminSwitch, switchFault } from './admin-switch.ts';
import { PeriodFields } from './EventFields.tsx';
import type { Happening } from './notification.ts';
import './notifications.css';
import type { SavedSwitch } from './useAdminSwitch.ts';

interface AdminSwitchProps {
  readonly state: AdminSwitch;
  /** Events chosen on the notification screen: they stay while the switch is on. */
  readonly others?: readonly Happening[];
  /** Every group it was about is deleted. */
  readonly noGroup?: boolean;
  readonly onChange: (state: AdminSwitch) => void;
}

/** Whether an admin is notified by email, with the service-expire box and its periods (USR-05). */
export function AdminSwitchFields({ state, others = [], noGroup = false, onChange }: AdminSwitchProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const fault = switchFault(state, others);
  const events = others.map((event) => t(`notifications.event.${event}`)).join(t('ui.between'));
  return (
    <section className="admin-switch" aria-labelledby={id}>
      <h2 id={id}>{t('notifications.title')}</h2>
      <label className="check-line">
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox says by itself whether it is checked
          role="switch"
          className="switch"
          checked={state.on}
          onChange={(event) => onChange({ ...state, on: event.currentTarget.checked })}
        />
        {t('notifications.admin.switch')}
      </label>
      {state.on && (
        <>
          <Check
            label={t('notifications.admin.expiry')}
            checked={state.expiry}
            onChange={(expiry) => onChange({ ...state, expiry })}
          />
          {state.expiry && (
            <div className="admin-switch__periods">
              <PeriodFields chosen={state.periods} onChange={(periods) => onChange({ ...state, periods })} />
            </div>
          )}
          {noGroup && <p className="note note--warn">{t('notifications.groups.noneHint')}</p>}
          {fault !== undefined && (
            <p className="bad" role="alert">
              {t(`notifications.admin.${fault}`)}
            </p>
          )}
          <p className="dim">
            {others.length > 0 && `${t('notifications.admin.also', { events })} `}
            {t('notifications.admin.more')}{' '}
            <Link to="/devices/service/noitify" search={{}}>
              {t('notifications.title')}
            </Link>
          </p>
        </>
      )}
    </section>
  );
}

/** The switch of an existing account; nothing until its state is loaded. */
export function SavedAdminSwitch({ notices }: { notices: SavedSwitch }): ReactNode {
  if (notices.error !== undefined) return <ErrorState text={notices.error} onRetry={notices.retry} />;
  if (notices.state === undefined) return <div aria-busy="true" />;
  const { state, others, noGroup, change } = notices;
  return <AdminSwitchFields state={state} others={others} noGroup={noGroup} onChange={change} />;
}
