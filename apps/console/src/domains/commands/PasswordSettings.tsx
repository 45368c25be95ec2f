import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useSavedVersion } from '../../api/useSavedVersion.ts';
import { Check } from '../../ui/Check.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { toast } from '../../ui/toasts.ts';
import { type PasswordSettings, savePasswordSettings, type StoredPasswordSettings } from './passwords.api.ts';

const USUAL_DAYS = 90;

const LENGTHS = { least: 12, most: 32 } as const;

const MOST_DAYS = 730;

const isWithin = (text: string, least: number, most: number) =>
  /^\d{1,3}$/u.test(text) && Number(text) >= least && Number(text) <= most;

/** How passwords are generated, and when they are due. */
export function SettingsDialog({ settings, onClose }: { settings: StoredPasswordSettings; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [length, setLength] = useState(String(settings.length));
  const [symbols, setSymbols] = useState(settings.symbols);
  const [isDue, setDue] = useState(settings.rotateDays !== null);
  const [days, setDays] = useState(String(settings.rotateDays ?? USUAL_DAYS));
  const [automatic, setAutomatic] = useState(settings.automatic);
  const [isChecked, setChecked] = useState(false);
  const isRight = isWithin(length, LENGTHS.least, LENGTHS.most) && (!isDue || isWithin(days, 1, MOST_DAYS));
  const { etag, onError } = useSavedVersion(settings, t('commands.password.settings'));
  const save = useAction<void, PasswordSettings>({
    run: () =>
      savePasswordSettings(
        { length: Number(length), symbols, rotateDays: isDue ? Number(days) : null, automatic: isDue && automatic },
        etag,
      ),
    onError,
    onDone: () => {
      toast(t('ui.done.saved', { msg: t('commands.password.settings') }));
      onClose();
    },
  });
  const range = (least: number, most: number) => t('commands.password.range', { least, most });
  return (
    <FormDialog
      title={t('commands.password.settings')}
      submit={t('ui.save')}
      busy={save.busy}
      onClose={onClose}
      onSubmit={() => {
        setChecked(true);
        if (isRight) save.run();
      }}
    >
      <TextInput
        label={t('commands.password.length')}
        description={range(LENGTHS.least, LENGTHS.most)}
        inputMode="numeric"
        maxLength={2}
        value={length}
        error={isChecked && !isWithin(length, LENGTHS.least, LENGTHS.most) ? range(LENGTHS.least, LENGTHS.most) : undefined}
        onChange={(event) => setLength(event.currentTarget.value)}
      />
      <Check label={t('commands.password.symbols')} checked={symbols} onChange={setSymbols} />
      <Check label={t('commands.password.rotate')} checked={isDue} onChange={setDue} />
      {isDue && (
        <>
          <TextInput
            label={t('commands.password.rotateDays')}
            inputMode="numeric"
            maxLength={3}
            value={days}
            error={isChecked && !isWithin(days, 1, MOST_DAYS) ? range(1, MOST_DAYS) : undefined}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
          <Check label={t('commands.password.automatic')} checked={automatic} onChange={setAutomatic} />
          <p className="dim">{t('commands.password.automaticHint')}</p>
        </>
      )}
    </FormDialog>
  );
}
