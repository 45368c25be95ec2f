import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copyable } from './CopyButton.tsx';
import { Dialog } from './Dialog.tsx';
import './secret-dialog.css';

/** A secret that is shown this once, to be copied, and what belongs to it below. Only its button closes the dialog. */
export function SecretDialog({
  title,
  once,
  label,
  secret,
  done,
  onClose,
  children,
}: {
  title: string;
  /** That it is shown only once. */
  once: string;
  /** What the secret is called, also by its copy button. */
  label: string;
  secret: string;
  done: string;
  onClose: () => void;
  children?: ReactNode;
}): ReactNode {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide
      sticky
      actions={
        <Button variant="filled" onClick={onClose}>
          {done}
        </Button>
      }
    >
      <p>{once}</p>
      <SecretBox label={label} text={secret} />
      {children}
    </Dialog>
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
