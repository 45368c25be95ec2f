import { type SettingsCatalogue, standardCatalogue } from '@highline/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { useRoleFor, useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { Panel } from '../../entities/devices/Panel.tsx';
import { faultText } from '../../entities/settings/fault-text.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import {
  adoptSettings,
  applyToDevice,
  catalogueWith,
  type DeviceSettings,
  deviceSettingsQuery,
  type EffectiveValue,
  schemasQuery,
} from './settings.api.ts';
import { nameOfEntry, noteOf, originText, toneOf, valueText, wholeLabel } from './setting-texts.ts';
import './router-settings.css';

function ValueRow({ value, catalogue }: { value: EffectiveValue; catalogue: SettingsCatalogue }): ReactNode {
  const { t } = useTranslation();
  const { path, resolved, value: saved, from, overrides, state, since, by } = value;
  const note = noteOf(t, value);
  const [replaced] = overrides;
  return (
    <li className="setting-value">
      <span className="setting-value__name">{wholeLabel(t, path, catalogue)}</span>
      <span>
        {valueText(t, path, resolved ?? saved)}{' '}
        <span className="dim">
          {originText(t, from)}
          {replaced !== undefined &&
            ` · ${t('routerSettings.replaces', { value: valueText(t, path, replaced.value), from: originText(t, replaced.from) })}`}
        </span>
      </span>
      <span>
        <StatusDot tone={toneOf(state)}>{t(`routerSettings.valueState.${state}`)}</StatusDot>
        {since !== null && (
          <span className="dim">
            {' '}
            <RelativeTime moment={since} />
          </span>
        )}
        {by !== '' && <span className="setting-value__note">{t('routerSettings.note.visitor', { by })}</span>}
        {note !== '' && <span className="setting-value__note">{note}</span>}
      </span>
    </li>
  );
}

function Actions({ settings }: { settings: DeviceSettings }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const isAdmin = useRoleFor('settings') === 'admin';
  const { device, values, command } = settings;
  const refresh = () => void client.invalidateQueries({ queryKey: ['settings'] });
  const send = useAction<void, 'sent' | 'waits'>({
    run: () => applyToDevice(device),
    onDone: (done) => {
      refresh();
      toast(t(`routerSettings.toast.${done}`));
    },
  });
  const adopt = useAction<void, DeviceSettings>({
    run: () => adoptSettings(device),
    onDone: () => {
      refresh();
      toast(t('routerSettings.toast.adopted'));
    },
  });
  const isOpen = command !== null && command.ended === null;
  const adminsOnly = t('routerSettings.adminsOnly');
  const sender = useRoleFor('commands') === 'admin' ? undefined : adminsOnly;
  const isAdoptable = values.some(({ actual }) => actual !== null);
  return (
    <div className="setting-actions">
      <ActionButton
        loading={send.busy}
        disabledReason={
          sender ??
          (values.length + settings.removals.length === 0
            ? t('routerSettings.state.none')
            : isOpen
              ? t('routerSettings.device.isOpen')
              : undefined)
        }
        onClick={() => send.run()}
      >
        {t('routerSettings.device.send')}
      </ActionButton>
      <ActionButton
        loading={adopt.busy}
        disabledReason={isAdmin ? (isAdoptable ? undefined : t('routerSettings.device.nothingDiffers')) : adminsOnly}
        onClick={() => adopt.run()}
      >
        {t('routerSettings.device.adopt')}
      </ActionButton>
      <Link to="/groups/settings" search={{ device }}>
        {t('routerSettings.device.change')}
      </Link>
    </div>
  );
}

/**
 * What is set on the router of a device, where each value comes from, and what the router reports, live (TPL-05). It comes from groups and the
 * organization, which people who are limited to some vehicles do not read.
 */
export function DeviceSettingsPanel({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  if (useSession().limitedTo === null) return <SettingsOfDevice device={device} />;
  return (
    <Panel id="router-settings" title={t('routerSettings.title')}>
      <p className="dim">{t('routerSettings.limited')}</p>
    </Panel>
  );
}

function SettingsOfDevice({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data, error, refetch } = useQuery(deviceSettingsQuery(device));
  // Few have parameters that the console does not know itself.
  const hasOthers = data?.values.some(({ path }) => standardCatalogue.find(path) === undefined) === true;
  const files = useQuery({ ...schemasQuery, enabled: hasOthers }).data;
  const catalogue = useMemo(() => catalogueWith(files), [files]);
  const command = data?.command ?? null;
  return (
    <Panel id="router-settings" title={t('routerSettings.title')}>
      {error !== null && data === undefined && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton lines={3} />}
      {data !== undefined && (
        <>
          <p>
            <StatusDot tone={toneOf(data.state)}>{t(`routerSettings.state.${data.state}`)}</StatusDot>{' '}
            <span className="dim">
              {data.checked !== null && (
                <>
                  {t('routerSettings.device.checked')} <RelativeTime moment={data.checked} />
                </>
              )}
            </span>
          </p>
          {command !== null && (
            <p className="dim">
              {t('routerSettings.device.command', { result: t(`routerSettings.result.${command.state}`) })}{' '}
              <RelativeTime moment={command.ended ?? command.created} />
              {command.message !== '' && ` · ${faultText(t, command.message)}`}
            </p>
          )}
          {data.values.length + data.removals.length > 0 && (
            <ul className="setting-values">
              {data.values.map((value) => (
                <ValueRow key={value.path} value={value} catalogue={catalogue} />
              ))}
              {data.removals.map((path) => (
                <li key={path} className="setting-value">
                  <span className="setting-value__name">{nameOfEntry(t, path)}</span>
                  <span className="dim">{t('routerSettings.note.leftover')}</span>
                  <StatusDot tone={toneOf('differs')}>{t('routerSettings.valueState.differs')}</StatusDot>
                </li>
              ))}
            </ul>
          )}
          <Actions settings={data} />
        </>
      )}
    </Panel>
  );
}
