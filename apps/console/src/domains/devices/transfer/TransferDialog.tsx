import type { rollouts } from '@highline/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { type Option, OptionList } from '../../../ui/OptionList.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { TypedConfirm } from '../../../ui/TypedConfirm.tsx';
import type { Device } from '../../../entities/devices/devices.api.ts';
import { type Target, targetChoices, transferImpact } from './transfer.api.ts';
import { TransferImpact } from './TransferImpact.tsx';
import { TransferLosses } from './TransferLosses.tsx';
import './transfer.css';

/** The text to type, in every language (OGL-04). */
const WORD = 'TRANSFER';
const SHOWN_SERIALS = 6;

export interface TransferDialogProps {
  readonly devices: readonly Device[];
  readonly busy: boolean;
  /** The impact that a rejected transfer would have now. */
  readonly changed: rollouts.Arrivals | undefined;
  readonly onClose: () => void;
  readonly onTransfer: (target: Target, confirmed: string) => void;
}

/** The three dialogs of a transfer, one after another: choose the organization, confirm, type the text (OGL-04). */
export function TransferDialog({ devices, busy, changed, onClose, onTransfer }: TransferDialogProps): ReactNode {
  const { t } = useTranslation();
  const [target, setTarget] = useState<Target>();
  const [step, setStep] = useState<'choose' | 'confirm' | 'type'>('choose');
  const [impact, setImpact] = useState<rollouts.Arrivals>();
  const [shown, setShown] = useState(changed);
  if (changed !== undefined && changed !== shown) {
    setShown(changed);
    setStep('confirm');
  }
  if (target === undefined || step === 'choose')
    return <Choose devices={devices} target={target} onTarget={setTarget} onClose={onClose} onNext={() => setStep('confirm')} />;
  if (step === 'confirm' || impact === undefined)
    return (
      <Confirm
        devices={devices}
        target={target}
        hasChanged={changed !== undefined}
        onClose={onClose}
        onNext={(seen) => {
          setImpact(seen);
          setStep('type');
        }}
      />
    );
  return (
    <TypedConfirm
      title={t('transfer.typeTitle', { name: target.name })}
      text={t('transfer.type', { word: WORD })}
      word={WORD}
      confirm={t('transfer.do')}
      busy={busy}
      onClose={onClose}
      onConfirm={() => onTransfer(target, impact.confirmation)}
    />
  );
}

interface ChooseProps {
  readonly devices: readonly Device[];
  readonly target: Target | undefined;
  readonly onTarget: (target: Target | undefined) => void;
  readonly onClose: () => void;
  readonly onNext: () => void;
}

function Choose({ devices, target, onTarget, onClose, onNext }: ChooseProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [text, setText] = useState('');
  const query = useQuery(targetChoices(useDeferredValue(text.trim())));
  const found = query.data?.list ?? [];
  const everyDeviceIn = (id: string) => devices.every(({ org }) => org === id);
  const options: Option[] = found.map(({ id, name, contacter }) => ({
    value: id,
    label: name,
    hint: everyDeviceIn(id) ? t('transfer.inThere') : contacter,
  }));
  const pick = (id: string) => {
    const picked = found.find((organization) => organization.id === id);
    if (picked !== undefined && !everyDeviceIn(id)) onTarget({ id, name: picked.name });
  };
  return (
    <Dialog
      title={t('transfer.chooseTitle')}
      sticky
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <ActionButton
            variant="filled"
            disabledReason={target === undefined ? t('deviceForms.selectOrg') : undefined}
            onClick={onNext}
          >
            {t('transfer.next')}
          </ActionButton>
        </>
      }
    >
      <p>{t('transfer.choose', { count: devices.length, shown: formatNumber(devices.length) })}</p>
      <div className="transfer__targets">
        <OptionList
          label={t('transfer.target')}
          options={options}
          selected={target?.id}
          searchable
          placeholder={t('transfer.find')}
          onSearch={setText}
          onPick={pick}
        />
      </div>
      {query.error !== null && (
        <p className="bad" role="alert">
          {errorText(query.error)}
        </p>
      )}
      {query.data !== undefined && query.data.total > found.length && <p className="dim">{t('transfer.more')}</p>}
    </Dialog>
  );
}

interface ConfirmProps {
  readonly devices: readonly Device[];
  readonly target: Target;
  /** It was confirmed before, and would by now start something else. */
  readonly hasChanged: boolean;
  readonly onClose: () => void;
  readonly onNext: (seen: rollouts.Arrivals) => void;
}

function Confirm({ devices, target, hasChanged, onClose, onNext }: ConfirmProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const serials = devices.map(({ serial_number: serial }) => serial);
  const { data, error } = useQuery(transferImpact({ target: target.id, serials }));
  const impact = data?.impact;
  const hidden = devices.length - SHOWN_SERIALS;
  return (
    <Dialog
      title={t('transfer.confirmTitle')}
      role="alertdialog"
      sticky
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.dialog.no')}</Button>
          {impact === undefined ? (
            <ActionButton variant="filled" disabledReason={t('transfer.checking')}>
              {t('ui.dialog.yes')}
            </ActionButton>
          ) : (
            <Button variant="filled" autoFocus onClick={() => onNext(impact)}>
              {t('ui.dialog.yes')}
            </Button>
          )}
        </>
      }
    >
      <p>{t('transfer.confirm', { count: devices.length, shown: formatNumber(devices.length), name: target.name })}</p>
      <ul className="dialog__items">
        {devices.slice(0, SHOWN_SERIALS).map(({ device, serial_number: serial, projectName }) => (
          <li key={device}>
            {serial} <span className="dim">{projectName}</span>
          </li>
        ))}
        {hidden > 0 && <li>{t('ui.dialog.more', { count: hidden })}</li>}
      </ul>
      <p>{t('transfer.along')}</p>
      {/* Of a process of the version before there is an answer without them. */}
      {data !== undefined && 'lost' in data && <TransferLosses lost={data.lost} />}
      {error !== null && (
        <p className="bad" role="alert">
          {errorText(error)}
        </p>
      )}
      {hasChanged && <p className="transfer__impact">{t('transfer.changed')}</p>}
      {impact !== undefined && <TransferImpact impact={impact} target={target} />}
    </Dialog>
  );
}
