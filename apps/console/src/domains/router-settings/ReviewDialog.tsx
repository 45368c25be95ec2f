import type { rollouts, SettingsCatalogue } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { type WindowName, windowNamed, WindowSelect } from '../../entities/commands/WindowSelect.tsx';
import { useRoleFor } from '../../api/session.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Check } from '../../ui/Check.tsx';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { awaited, useInputLoss } from '../../ui/losses.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { RolloutFields, useRolloutChoice } from './RolloutFields.tsx';
import { previewLevel, type LevelName, type RolloutOptions, type SettingsPreview } from './settings.api.ts';
import { clashOf, valueText, variableName, wholeLabel } from './setting-texts.ts';
import { valuesOf, type Draft } from './draft.ts';

/** How settings go to routers. */
export interface Sending {
  /** Undefined = at any time. */
  readonly window: rollouts.UpdateWindow | undefined;
  /** Of more than one device. */
  readonly options: RolloutOptions;
}

export interface ReviewDialogProps {
  readonly level: LevelName;
  readonly draft: Draft;
  readonly catalogue: SettingsCatalogue;
  /** Version whose secrets the draft keeps; undefined = the present one. */
  readonly secretsOf: number | undefined;
  /** Whether the draft is otherwise than stored. */
  readonly isChanged: boolean;
  readonly busy: boolean;
  /** @param sending undefined = save only */
  readonly onConfirm: (sending: Sending | undefined) => void;
  readonly onClose: () => void;
}

/** The difference before anything is saved or sent (TPL-03). */
export function ReviewDialog({
  level,
  draft,
  catalogue,
  secretsOf,
  isChanged,
  busy,
  onConfirm,
  onClose,
}: ReviewDialogProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isAware, setAware] = useState(false);
  const zone = useZone();
  const [when, setWhen] = useState<WindowName>('any');
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'preview', level, draft, secretsOf],
    queryFn: () => previewLevel(level, valuesOf(catalogue, draft), secretsOf),
    gcTime: 0,
    staleTime: Infinity,
  });
  const cutting = data?.changes.filter(({ canCut }) => canCut) ?? [];
  const cut = Math.max(0, ...cutting.map(({ devices }) => devices));
  const count = (devices: number) => ({ count: devices, shown: formatNumber(devices) });
  const choice = useRolloutChoice(level.group, cut > 0);
  const typed = useInputLoss(when !== 'any' || choice.isTyped);
  // Settings, rollouts and commands are rights of their own.
  const maySend = useRoleFor(level.device === undefined ? 'bindings' : 'commands') === 'admin';
  const reason = !maySend
    ? t('routerSettings.adminsOnly')
    : data === undefined
      ? t('routerSettings.review.loading')
      : cut > 0 && !isAware
        ? t('routerSettings.review.confirmFirst')
        : choice.problem;
  return (
    <Dialog
      title={t('routerSettings.review.title')}
      onClose={onClose}
      sticky
      loss={busy ? awaited : typed}
      wide
      actions={
        <>
          <CloseButton disabled={busy}>{t('ui.cancel')}</CloseButton>
          {isChanged && (
            <ActionButton
              disabledReason={data === undefined ? t('routerSettings.review.loading') : undefined}
              loading={busy}
              onClick={() => onConfirm(undefined)}
            >
              {t('routerSettings.review.save')}
            </ActionButton>
          )}
          <ActionButton
            variant="filled"
            disabledReason={data?.devices === 0 ? t('routerSettings.review.noVehicles') : reason}
            loading={busy}
            onClick={() => onConfirm({ window: windowNamed(when, zone), options: choice.options })}
          >
            {t(isChanged ? 'routerSettings.review.saveAndSend' : 'routerSettings.review.send', count(data?.devices ?? 0))}
          </ActionButton>
        </>
      }
    >
      {error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton lines={3} />}
      {data !== undefined && <Difference preview={data} isChanged={isChanged} catalogue={catalogue} />}
      {cut > 0 && (
        <div className="setting-warning" role="note">
          <p>{t('routerSettings.review.cut', count(cut))}</p>
          {data !== undefined && data.withoutReturn.devices > 0 && (
            <p>
              {t('routerSettings.review.withoutReturn', count(data.withoutReturn.devices))}{' '}
              <strong>{data.withoutReturn.serials.join(t('ui.between'))}</strong>
              {data.withoutReturn.devices > data.withoutReturn.serials.length && ' …'}
            </p>
          )}
          <Check label={t('routerSettings.review.aware')} checked={isAware} onChange={setAware} />
        </div>
      )}
      <WindowSelect value={when} onChange={setWhen} />
      {level.device === undefined && <RolloutFields group={level.group} isCutting={cut > 0} choice={choice} />}
      <p className="dim">{t(level.device === undefined ? 'routerSettings.review.follow' : 'routerSettings.review.waits')}</p>
    </Dialog>
  );
}

function Difference({
  preview: { changes, changing, devices, problems },
  isChanged,
  catalogue,
}: {
  preview: SettingsPreview;
  isChanged: boolean;
  catalogue: SettingsCatalogue;
}): ReactNode {
  const { t } = useTranslation();
  const count = (number: number) => ({ count: number, shown: formatNumber(number) });
  return (
    <>
      <p>
        {isChanged
          ? t('routerSettings.review.changing', { ...count(changing), all: formatNumber(devices) })
          : t('routerSettings.review.same', count(devices))}
      </p>
      {changes.length > 0 && (
        <ul className="setting-changes">
          {changes.map(({ path, before, after, isSecret, devices: many }, at) => (
            <li key={`${path} ${at}`}>
              <span className="dim">{t('routerSettings.review.vehicles', count(many))}</span>{' '}
              <strong>{wholeLabel(t, path, catalogue)}</strong>{' '}
              {isSecret ? (
                t('routerSettings.review.secret')
              ) : (
                <>
                  <del>{before === null ? t('routerSettings.review.unset') : valueText(t, path, before)}</del> →{' '}
                  <ins>{after === null ? t('routerSettings.review.unset') : valueText(t, path, after)}</ins>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <ul className="setting-changes setting-changes--problems">
          {problems.map(({ path, kind, text, devices: many, serials }) => (
            <li key={`${path} ${text}`}>
              <strong>{wholeLabel(t, path, catalogue)}</strong>{' '}
              {kind === 'variable'
                ? t('routerSettings.review.lacks', { ...count(many), name: variableName(text) })
                : t(`routerSettings.review.${clashOf(path, text) ?? 'unfit'}`, { ...count(many), value: text })}{' '}
              <span className="dim">
                {serials.join(t('ui.between'))}
                {many > serials.length && ' …'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
