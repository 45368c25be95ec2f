import { Button } from '../../ui/controls/Button.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { inventory } from '@highline/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import { useNow } from '../../ui/time/now.ts';
import { DateTime, RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { type RouterDetails, revokeCertificate, saveAuthentication } from './inventory.api.ts';
import { IssueDialog } from './IssueDialog.tsx';

type Certificate = inventory.RouterCertificate;

const tones: Readonly<Record<Certificate['state'], Tone>> = {
  valid: 'ok',
  retiring: 'warn',
  replaced: 'idle',
  expired: 'bad',
  revoked: 'bad',
};

/** Before that many seconds a certificate that ends is warned of. */
const SOON_SECONDS = 30 * 86_400;

/** Whether the last valid certificate of a router ends within 30 days. */
function endsSoon(certificates: readonly Certificate[], now: number): Certificate | undefined {
  const last = certificates
    .filter(({ state }) => state === 'valid' || state === 'retiring')
    .toSorted((a, b) => (b.retires ?? b.expires) - (a.retires ?? a.expires))[0];
  return last !== undefined && (last.retires ?? last.expires) - now < SOON_SECONDS ? last : undefined;
}

function Row({ certificate, onRevoke }: { certificate: Certificate; onRevoke: (() => void) | undefined }): ReactNode {
  const { t } = useTranslation();
  const { serial_number: serial, state, expires, retires, last_used: lastUsed, subject, endpointId } = certificate;
  const isOpen = state === 'valid' || state === 'retiring';
  return (
    <li className="certificate">
      <div className="certificate__head">
        <StatusDot tone={tones[state]}>{t(`inventory.certificate.state.${state}`)}</StatusDot>
        {isOpen && onRevoke !== undefined && (
          <Button variant="subtle" aria-label={`${t('inventory.certificate.revoke')} ${serial}`} onClick={onRevoke}>
            {t('inventory.certificate.revoke')}
          </Button>
        )}
      </div>
      <dl className="facts">
        <div className="fact">
          <dt>{t('inventory.certificate.serial')}</dt>
          <dd className="mono">{serial}</dd>
        </div>
        <div className="fact">
          <dt>{t('inventory.certificate.subject')}</dt>
          <dd className="mono">
            {subject} · {endpointId}
          </dd>
        </div>
        <div className="fact">
          <dt>{t(retires === null ? 'inventory.certificate.expires' : 'inventory.certificate.retires')}</dt>
          <dd>
            <DateTime moment={retires ?? expires} />
          </dd>
        </div>
        <div className="fact">
          <dt>{t('inventory.certificate.lastUsed')}</dt>
          <dd>
            <RelativeTime moment={lastUsed} />
          </dd>
        </div>
      </dl>
    </li>
  );
}

interface PanelProps {
  readonly router: RouterDetails;
  /** Resolves once the router is shown as it is now. */
  readonly reload: () => Promise<unknown>;
}

/** The authentication method of a router; saved once it is chosen, because arrow keys pass others, and each closes its connection. */
function AuthenticationChoice({ router: { id, authentication }, reload }: PanelProps): ReactNode {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<inventory.Authentication>();
  const save = useAction<inventory.Authentication, unknown>({
    run: (value) => saveAuthentication(id, value),
    onDone: () => void reload().then(() => setPicked(undefined)),
  });
  const chosen = picked ?? authentication;
  const notAllowed = useNotAllowed('inventory.update');
  return (
    <div className="authentication">
      <NativeSelect
        label={t('inventory.certificate.by')}
        description={t('inventory.certificate.byHint')}
        value={chosen}
        data={inventory.authentications.map((value) => ({ value, label: t(`inventory.certificate.authentication.${value}`) }))}
        onChange={(event) => setPicked(event.currentTarget.value as inventory.Authentication)}
      />
      <SaveButton dirty={chosen !== authentication} saving={save.busy} reason={notAllowed} onClick={() => save.run(chosen)} />
    </div>
  );
}

/** The authentication method of a router, and its client certificates. */
export function CertificatesPanel({ router, reload }: PanelProps): ReactNode {
  const { t } = useTranslation();
  const mayChange = useRoleFor('inventory') === 'main';
  const [isIssuing, setIssuing] = useState(false);
  const revoke = useAction<string, unknown>({ run: (id) => revokeCertificate(router.id, id), onDone: () => void reload() });
  const confirmRevoke = async ({ id, serial_number: serial }: Certificate) => {
    const yes = t('inventory.certificate.revoke');
    const text = t('inventory.certificate.confirmRevoke', { serial });
    if (await confirmAction({ title: yes, text, yes, no: t('ui.cancel'), effect: 'permanent' })) revoke.run(id);
  };
  const ending = endsSoon(router.certificates, useNow().getTime() / 1_000);
  return (
    <section className="card panel" aria-labelledby="router-certificates">
      <h2 id="router-certificates">{t('inventory.certificate.title')}</h2>
      {!router.asksForCertificates && <p className="note note--warn">{t('inventory.certificate.noTls')}</p>}
      {ending !== undefined && (
        <p className="note note--warn" role="status">
          <span>
            {t('inventory.certificate.endsSoon')}
            <DateTime moment={ending.retires ?? ending.expires} />
          </span>
        </p>
      )}
      <AuthenticationChoice router={router} reload={reload} />
      {router.certificates.length === 0 ? (
        <p className="dim">{t('inventory.certificate.none')}</p>
      ) : (
        <ul className="certificates">
          {router.certificates.map((certificate) => (
            <Row
              key={certificate.id}
              certificate={certificate}
              onRevoke={mayChange ? () => void confirmRevoke(certificate) : undefined}
            />
          ))}
        </ul>
      )}
      {mayChange && (
        <div className="router-actions">
          <Button onClick={() => setIssuing(true)}>
            {t(router.certificates.length === 0 ? 'inventory.certificate.issue' : 'inventory.certificate.rotate')}
          </Button>
        </div>
      )}
      {isIssuing && (
        <IssueDialog
          router={router}
          onClose={(hasIssued) => {
            setIssuing(false);
            if (hasIssued) void reload();
          }}
        />
      )}
    </section>
  );
}
