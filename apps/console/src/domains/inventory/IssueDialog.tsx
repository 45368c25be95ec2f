import { Button } from '../../ui/controls/Button.tsx';
import { Textarea } from '../../ui/controls/TextInput.tsx';
import { type ReactNode, useContext, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { SecretsDialog } from '../../ui/SecretDialog.tsx';
import { SecretsKept } from '../../ui/secrets-kept.ts';
import { type IssuedCertificate, issueCertificate, type Router } from './inventory.api.ts';
import './inventory.css';

function SaveButton({ text, name, label }: { text: string; name: string; label: string }): ReactNode {
  const onKept = useContext(SecretsKept);
  const save = () => {
    saveFile(new Blob([text], { type: 'application/x-pem-file' }), name);
    onKept(text);
  };
  return <Button onClick={save}>{label}</Button>;
}

/** A certificate that was issued just now; its key leaves with a file, once. */
function Issued({ router, issued, onClose }: { router: Router; issued: IssuedCertificate; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { certificate, key, authority } = issued;
  const name = router.serial_number;
  const secrets = useMemo(() => (key === null ? [] : [key.trim()]), [key]);
  return (
    <SecretsDialog
      title={t('inventory.certificate.issuedTitle', { serial: name })}
      secrets={secrets}
      done={t('inventory.certificate.done')}
      onClose={onClose}
      wide
    >
      <p>{t(key === null ? 'inventory.certificate.issuedText' : 'inventory.certificate.keyOnce')}</p>
      <div className="router-actions">
        <SaveButton text={certificate} name={`${name}.crt.pem`} label={t('inventory.certificate.saveCertificate')} />
        {key !== null && <SaveButton text={key} name={`${name}.key.pem`} label={t('inventory.certificate.saveKey')} />}
        <SaveButton text={authority} name="routers-ca.pem" label={t('inventory.certificate.saveAuthority')} />
      </div>
      <pre className="pem">
        {certificate}
        {key}
      </pre>
    </SecretsDialog>
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
