import type { rollouts } from '@highline/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { USUAL_WAIT_HOURS, WaitSelect } from '../../entities/commands/WaitSelect.tsx';
import { type WindowName, windowNamed, WindowSelect } from '../../entities/commands/WindowSelect.tsx';
import type { SentKind } from '../../entities/commands/sent.api.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { useZone } from '../../ui/time/zone.ts';

/** The router that an action is for. */
export interface ActionTarget {
  readonly device: string;
  readonly serial: string;
  /** The name shown to users. */
  readonly name: string;
  readonly isOnline: boolean;
  /** What its data model has; null when unknown. */
  readonly offers: readonly string[] | null;
}

export type ActionKind = Extract<SentKind, 'reboot' | 'restart-modem' | 'report' | 'identify' | 'factory-reset'>;

/** What restarts or interrupts the connection of a vehicle. */
export const disruptive: ReadonlySet<ActionKind> = new Set(['reboot', 'restart-modem']);

/** How long a command waits for its router, and for a time at which it does no harm (WIN-02). */
export function WaitDialog({
  kind,
  target: { name, isOnline },
  busy,
  onClose,
  onSubmit,
}: {
  kind: ActionKind;
  target: ActionTarget;
  busy: boolean;
  onClose: () => void;
  onSubmit: (hours: number, window: rollouts.UpdateWindow | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const [hours, setHours] = useState(USUAL_WAIT_HOURS);
  const [when, setWhen] = useState<WindowName>(isOnline ? 'parked' : 'any');
  return (
    <FormDialog
      title={t(`commands.action.${kind}`)}
      submit={t('commands.wait.submit')}
      busy={busy}
      onClose={onClose}
      onSubmit={() => onSubmit(hours, windowNamed(when, zone))}
    >
      <p>{t(isOnline ? 'commands.wait.laterText' : 'commands.wait.text', { device: name })}</p>
      {disruptive.has(kind) && <WindowSelect value={when} onChange={setWhen} />}
      <WaitSelect hours={hours} onChange={(chosen) => setHours(chosen ?? USUAL_WAIT_HOURS)} />
    </FormDialog>
  );
}
