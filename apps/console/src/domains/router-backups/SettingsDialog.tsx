import { routerBackups } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useSavedVersion } from '../../api/useSavedVersion.ts';
import { Check } from '../../ui/Check.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { toast } from '../../ui/toasts.ts';
import { type BackupSettings, saveBackupSettings, type StoredBackupSettings } from './backups.api.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }));

const isWithin = (text: string, { least, most }: { readonly least: number; readonly most: number }) =>
  /^\d{1,3}$/u.test(text.trim()) && Number(text) >= least && Number(text) <= most;

/** When routers are backed up by themselves, and how long versions are kept (TPL-06). */
export function SettingsDialog({ settings, onClose }: { settings: StoredBackupSettings; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ownZone = useZone();
  const [nightly, setNightly] = useState(settings.nightly);
  const [hour, setHour] = useState(String(settings.hour));
  const [versions, setVersions] = useState(String(settings.versions));
  const [days, setDays] = useState(String(settings.days));
  const [isChecked, setChecked] = useState(false);
  // Who switches it on means the hour as the console shows times.
  const zone = settings.nightly && nightly ? settings.zone : ownZone;
  const { etag, onError } = useSavedVersion(settings, t('routerBackups.settings'));
  const save = useAction<void, BackupSettings>({
    run: () => saveBackupSettings({ nightly, hour: Number(hour), zone, versions: Number(versions), days: Number(days) }, etag),
    onError,
    onDone: () => {
      void client.invalidateQueries({ queryKey: ['backups'] });
      toast(t('ui.done.saved', { msg: t('routerBackups.settings') }));
      onClose();
    },
  });
  const { KEPT_VERSIONS, KEPT_DAYS } = routerBackups;
  const isRight = isWithin(versions, KEPT_VERSIONS) && isWithin(days, KEPT_DAYS);
  const range = ({ least, most }: { readonly least: number; readonly most: number }) => t('routerBackups.range', { least, most });
  return (
    <FormDialog
      title={t('routerBackups.settings')}
      submit={t('ui.save')}
      busy={save.busy}
      onClose={onClose}
      onSubmit={() => {
        setChecked(true);
        if (isRight) save.run();
      }}
    >
      <Check label={t('routerBackups.nightly')} checked={nightly} onChange={setNightly} />
      {nightly && (
        <>
          <NativeSelect
            label={t('routerBackups.hour', { zone })}
            data={hours}
            value={hour}
            onChange={({ currentTarget: { value } }) => setHour(value)}
          />
          <p className="dim">{t('routerBackups.nightlyHint', { count: routerBackups.NIGHT_HOURS })}</p>
        </>
      )}
      <TextInput
        label={t('routerBackups.versions')}
        description={range(KEPT_VERSIONS)}
        inputMode="numeric"
        maxLength={3}
        value={versions}
        error={isChecked && !isWithin(versions, KEPT_VERSIONS) ? range(KEPT_VERSIONS) : undefined}
        onChange={(event) => setVersions(event.currentTarget.value)}
      />
      <TextInput
        label={t('routerBackups.days')}
        description={range(KEPT_DAYS)}
        inputMode="numeric"
        maxLength={3}
        value={days}
        error={isChecked && !isWithin(days, KEPT_DAYS) ? range(KEPT_DAYS) : undefined}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
