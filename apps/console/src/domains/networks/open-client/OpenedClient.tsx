import { type ReactNode, Suspense, useRef } from 'react';
import { useTranslation } from '#i18n';
import { Button } from '../../../ui/controls/Button.tsx';
import { Copyable } from '../../../ui/CopyButton.tsx';
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx';
import { isTerminalEnd, pageOf, sshLine, TerminalView } from '../../remote-access/index.ts';
import type { OpenedClient } from './open-client.api.ts';
import type { Way } from './ways.ts';

interface OpenedDialogProps {
  readonly name: string;
  readonly address: string;
  readonly way: Way;
  readonly username: string;
  readonly opened: OpenedClient;
  readonly onEnd: () => void;
  readonly onClose: () => void;
}

/** How to reach what was opened. */
export function OpenedDialog({ name, address, way, username, opened, onEnd, onClose }: OpenedDialogProps): ReactNode {
  const { t } = useTranslation();
  const { url, port, certificate, from } = opened;
  const page = from === null ? pageOf(url) : undefined;
  const user = username.trim() === '' ? 'root' : username.trim();
  const line = way === 'ssh' ? sshLine({ host: url, port, username: user }) : `${url}:${port}`;
  return (
    <Dialog
      title={t('networks.open.openedTitle', { name })}
      onClose={onClose}
      actions={
        <>
          <Button color="danger" onClick={onEnd}>
            {t('networks.open.end')}
          </Button>
          {page !== undefined && (
            <Button
              renderRoot={({ children, ...root }) => (
                <a {...root} href={page} target="_blank" rel="noopener noreferrer">
                  {children}
                </a>
              )}
            >
              {t('networks.open.page')}
            </Button>
          )}
          <CloseButton variant="filled">{t('networks.open.done')}</CloseButton>
        </>
      }
    >
      {page !== undefined ? (
        <p>{t('networks.open.pageText')}</p>
      ) : (
        <>
          <p>{t('networks.open.portText', { from })}</p>
          <div className="client-line">
            <Copyable text={line} label={t(way === 'ssh' ? 'networks.open.command' : 'networks.open.reached')} shown>
              <code>{line}</code>
            </Copyable>
          </div>
        </>
      )}
      {certificate !== null && (
        <div className="note note--warn">
          <span>
            <span className="strong">{t('networks.open.certificate', { address })}</span>{' '}
            <span className="client-print">
              {t('networks.open.print')} <code>{certificate}</code>
            </span>
          </span>
        </div>
      )}
      <p className="dim">{t('networks.open.ends')}</p>
    </Dialog>
  );
}

interface TerminalDialogProps {
  readonly name: string;
  readonly ticket: string;
  readonly recorded: boolean;
  /** Why it ended. */
  readonly end?: string;
  readonly onOver: (reason: string) => void;
  readonly onClose: () => void;
}

/** The terminal of a client. */
export function TerminalDialog({ name, ticket, recorded, end, onOver, onClose }: TerminalDialogProps): ReactNode {
  const { t } = useTranslation();
  const foot = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      title={t('networks.open.terminal', { name })}
      wide
      sticky
      onClose={onClose}
      actions={<CloseButton variant="filled">{t('networks.open.done')}</CloseButton>}
    >
      {recorded && <p className="note">{t('remote.terminal.recording')}</p>}
      {end === undefined ? (
        <Suspense fallback={<div className="terminal" aria-busy="true" />}>
          <TerminalView
            ticket={ticket}
            label={t('networks.open.terminal', { name })}
            onEnd={onOver}
            onLeave={() => foot.current?.focus()}
          />
        </Suspense>
      ) : (
        <p className="note" role="status">
          {t(isTerminalEnd(end) ? `remote.terminal.endOf.${end}` : 'remote.terminal.broken')}
        </p>
      )}
      <div ref={foot} tabIndex={-1} className="dim">
        {t('remote.terminal.keys')}
      </div>
    </Dialog>
  );
}
