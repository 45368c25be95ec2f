import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../api/download.ts';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { type IssuedCertificate, issueCertificate, type Router } from './inventory.api.ts';
import './inventory.css';

function savePem(text: string, name: string): void {
  saveFile(new Blob([text], { type: 'application/x-pem-file' }), name);
}

/** A certificate that was issued just now; its key leaves with a file, once. */
function Issued({ router, issued, onClose }: { router: Router; issued: IssuedCertificate; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { certificate, key, authority } = issued;
  const name = router.serial_number;
  return (
    <Dialog
      title={t('inventory.certificate.issuedTitle', { serial: name })}
      onClose={onClose}
      wide
      sticky
      actions={
        <Button variant="filled" onClick={onClose}>
          {t('inventory.certificate.done')}
        </Button>
      }
    >
      <p>{t(key === null ? 'inventory.certificate.issuedText' : 'inventory.certificate.keyOnce')}</p>
      <div className="router-actions">
        <Button onClick={() => savePem(certificate, `${name}.crt.pem`)}>{t('inventory.certificate.saveCertificate')}</Button>
        {key !== null && <Button onClick={() => savePem(key, `${name}.key.pem`)}>{t('inventory.certificate.saveKey')}</Button>}
        <Button onClick={() => savePem(authority, 'routers-ca.pem')}>{t('inventory.certificate.saveAuthority')}</Button>
      </div>
      <pre className="pem">
        {certificate}
        {key}
      </pre>
    </Dialog>
  );
}

/** Issue a client certificate: with a key of ours, or for a request that the router made. */
export function IssueDialog({ router, onClose }: { router: Router; onClose: (hasIssued: boolean) => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [csr, setCsr] = useState('');
  const [error, setError] = useState<string>();
  const [issued, setIssued] = useState<IssuedCertificate>();
  const issue = useAction<string, IssuedCertificate>({
    run: (text) => issueCertificate(router.id, text.trim() === '' ? undefined : text),
    onDone: setIssued,
    onError: (failure) => {
      if (!(failure instanceof ApiError) || failure.field !== 'csr') return false;
      setError(errorText(failure));
      return true;
    },
  });
  if (issued !== undefined) return <Issued router={router} issued={issued} onClose={() => onClose(true)} />;
  return (
    <FormDialog
      title={t('inventory.certificate.issueTitle', { serial: router.serial_number })}
      submit={t('inventory.certificate.issue')}
      busy={issue.busy}
      onSubmit={() => issue.run(csr)}
      onClose={() => onClose(false)}
    >
      <p>{t('inventory.certificate.issueText')}</p>
      <Textarea
        name="csr"
        label={t('inventory.certificate.csr')}
        description={t('inventory.certificate.csrHint')}
        rows={6}
        spellCheck={false}
        autoComplete="off"
        value={csr}
        error={error}
        onChange={(event) => {
          setCsr(event.currentTarget.value);
          setError(undefined);
        }}
      />
    </FormDialog>
  );
}
