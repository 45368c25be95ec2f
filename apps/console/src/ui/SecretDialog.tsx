import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { Copyable } from './CopyButton.tsx';
import { CloseButton, Dialog, type DialogProps } from './Dialog.tsx';
import { awaited, type Loss } from './losses.ts';
import { SecretsKept } from './secrets-kept.ts';
import { formatNumber } from './time/format.ts';
import './secret-dialog.css';

interface SecretsDialogProps extends Pick<DialogProps, 'title' | 'onClose' | 'wide'> {
  readonly children?: ReactNode;
  /** The texts that cannot be shown again; none yet, before they are there. */
  readonly secrets: readonly string[];
  /** They are on their way. */
  readonly busy?: boolean;
  /** The label of the button that closes it. */
  readonly done: string;
  /** What else there is to do. */
  readonly actions?: ReactNode;
}

/**
 * A dialog whose secrets are shown only this once: until each was copied or saved as a file, every way to close it and to leave its
 * page asks. `Copyable` reports what was copied, a download does it by `SecretsKept`.
 */
export function SecretsDialog({ secrets, busy = false, done, actions, children, ...dialog }: SecretsDialogProps): ReactNode {
  const { t } = useTranslation();
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const count = secrets.filter((secret) => !kept.has(secret)).length;
  const keep = useMemo(
    () => (text: string) => setKept((before) => new Set([...before, ...secrets.filter((secret) => text.includes(secret))])),
    [secrets],
  );
  const loss: Loss = {
    kind: 'secret',
    question: {
      title: t('ui.secrets.title'),
      text: t('ui.secrets.unsaved', { count, shown: formatNumber(count) }),
      yes: t('ui.secrets.close'),
      no: t('ui.back'),
    },
  };
  return (
    <Dialog
      {...dialog}
      sticky
      loss={busy ? awaited : count > 0 ? loss : undefined}
      actions={
        <>
          <CloseButton variant={actions === undefined ? 'filled' : 'default'} disabled={busy}>
            {done}
          </CloseButton>
          {actions}
        </>
      }
    >
      <SecretsKept value={keep}>
        <div className="secrets" onCopy={() => keep(String(getSelection()))}>
          {children}
        </div>
      </SecretsKept>
    </Dialog>
  );
}

/** A secret that is shown this once, to be copied, and what belongs to it below. */
export function SecretDialog({
  once,
  label,
  secret,
  children,
  ...dialog
}: Omit<SecretsDialogProps, 'secrets'> & {
  /** That it is shown only once. */
  readonly once: string;
  /** What the secret is called, also by its copy button. */
  readonly label: string;
  readonly secret: string;
}): ReactNode {
  return (
    <SecretsDialog {...dialog} secrets={useMemo(() => [secret], [secret])} wide>
      <p>{once}</p>
      <SecretBox label={label} text={secret} />
      {children}
    </SecretsDialog>
  );
}

/** A line to copy as a whole, such as a secret or a command. */
export function SecretBox({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <div className="secret-box">
      <span className="dim">{label}</span>
      <Copyable text={text} label={label} shown>
        <code>{text}</code>
      </Copyable>
    </div>
  );
}
