import { deviceReplacement } from '@highline/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { IconReplace } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { call } from '../../../api/client.ts';
import { changedEffect } from '../../../api/confirmed.ts';
import { ApiError } from '../../../api/errors.ts';
import { useAction } from '../../../api/useAction.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { formatDay, NOT_REPORTED } from '../../../ui/time/format.ts';
import { toast } from '../../../ui/toasts.ts';
import { fieldOf } from '../add/errors.ts';
import './device-setting.css';
import { Panel } from '../../../entities/devices/Panel.tsx';

type Effect = deviceReplacement.ReplacementEffect;

interface NewRouter {
  readonly serial_number: string;
  readonly mac: string;
}

type Query = { readonly dryRun: string } | { readonly confirmed: string };

async function replaceRouter(device: string, router: NewRouter, query: Query): Promise<Effect> {
  return (await call(deviceReplacement.replaceRouter, { query, body: { device, ...router } })).effect;
}

/** One line of the effect; what is not set reads '--'. */
function Line({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt className="dim">{label}</dt>
      <dd>{children === '' ? NOT_REPORTED : children}</dd>
    </div>
  );
}

/** What the replacement does with the device, with its eSIMs, and with the former router. */
function ReplacementEffect({ effect }: { effect: Effect }): ReactNode {
  const { t } = useTranslation();
  const { former, next, esims, tags, started, expired, hasEuicc } = effect;
  const nameOf = ({ serial_number: serial, model }: Effect['next']) => (model === '' ? serial : `${serial} (${model})`);
  return (
    <>
      <p>{t('devicePage.replace.change', { former: nameOf(former), next: nameOf(next) })}</p>
      <dl className="replace-facts">
        <Line label={t('devices.column.vehicle')}>{effect.vehicle}</Line>
        <Line label={t('devices.column.group')}>{effect.group}</Line>
        <Line label={t('devices.column.tags')}>{tags.join(t('ui.between'))}</Line>
        <Line label={t('deviceForms.panel.subscription')}>
          {expired === '' ? '' : `${formatDay(started)} – ${formatDay(expired)}`}
        </Line>
      </dl>
      <ul className="replace-effects">
        <li>{t('devicePage.replace.history')}</li>
        {esims.moving.length > 0 && <li>{t('devicePage.replace.moving', { names: esims.moving.join(t('ui.between')) })}</li>}
        {esims.moving.length > 0 && hasEuicc === false && <li className="bad">{t('devicePage.replace.noEuicc')}</li>}
        {esims.staying.length > 0 && <li>{t('devicePage.replace.staying', { names: esims.staying.join(t('ui.between')) })}</li>}
        <li>{t('devicePage.replace.group')}</li>
        {former.isOnline && <li>{t('devicePage.replace.online', { serial: former.serial_number })}</li>}
        <li>{t('devicePage.replace.former', { serial: former.serial_number })}</li>
      </ul>
    </>
  );
}

/** Asks for the new router, shows the effect, and replaces it when that is confirmed (BLK-06). */
function ReplaceDialog({ device, onClose }: { device: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const [router, setRouter] = useState<NewRouter>({ serial_number: '', mac: '' });
  const [effect, setEffect] = useState<Effect>();
  const [errors, setErrors] = useState<Partial<Record<keyof NewRouter, string>>>({});
  const failed = (error: unknown): boolean => {
    const changed = changedEffect<Effect>(error);
    setEffect(changed);
    if (changed !== undefined) return true;
    const field = error instanceof ApiError ? fieldOf(error) : undefined;
    if (field !== 'mac' && field !== 'serial_number') return false;
    setErrors({ [field]: errorText(error) });
    return true;
  };
  const check = useAction<void, Effect>({
    run: () => replaceRouter(device, router, { dryRun: 'true' }),
    onDone: setEffect,
    onError: failed,
  });
  const replace = useAction<Effect, Effect>({
    run: ({ confirmation }) => replaceRouter(device, router, { confirmed: confirmation }),
    onDone: ({ former, next }) => {
      toast(t('devicePage.replace.done', { former: former.serial_number, next: next.serial_number }));
      void client.invalidateQueries();
      onClose();
    },
    onError: failed,
  });
  const submit = () => {
    if (effect !== undefined) {
      replace.run(effect);
      return;
    }
    const missing = (field: keyof NewRouter, label: string) =>
      router[field].trim() === '' ? { [field]: t('ui.form.required', { field: label }) } : {};
    const found = {
      ...missing('serial_number', t('deviceForms.field.serial')),
      ...missing('mac', t('deviceForms.field.mac')),
    };
    setErrors(found);
    if (Object.keys(found).length === 0) check.run();
  };
  const text = (field: keyof NewRouter) => ({
    value: router[field],
    error: errors[field],
    withAsterisk: true,
    'aria-required': true,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => {
      setRouter({ ...router, [field]: event.currentTarget.value });
      setErrors({});
    },
  });
  return (
    <FormDialog
      title={t('devicePage.replace.title')}
      submit={effect === undefined ? t('devicePage.replace.continue') : t('devicePage.replace.submit')}
      danger={effect !== undefined}
      wide
      busy={check.busy || replace.busy}
      onSubmit={submit}
      onClose={onClose}
    >
      {effect === undefined ? (
        <>
          <p>{t('devicePage.replace.hint')}</p>
          <TextInput label={t('deviceForms.field.serial')} {...text('serial_number')} />
          <TextInput label={t('deviceForms.field.mac')} description={t('deviceForms.macHint')} {...text('mac')} />
        </>
      ) : (
        <ReplacementEffect effect={effect} />
      )}
    </FormDialog>
  );
}

/** Replaces the router of a device by another one in stock (BLK-06). */
export function ReplaceRouter({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel id="device-replace" title={t('devicePage.replace.panel')}>
      <p>{t('devicePage.replace.about')}</p>
      <div>
        <Button leftSection={<IconReplace size={16} />} onClick={() => setOpen(true)}>
          {t('devicePage.replace.open')}
        </Button>
      </div>
      {isOpen && <ReplaceDialog device={device} onClose={() => setOpen(false)} />}
    </Panel>
  );
}
