import type { TextEncodingName } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { type ReactNode, useContext, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { csvFile, saveFile } from '../../api/download.ts';
import { useAction } from '../../api/useAction.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { SecretsDialog } from '../../ui/SecretDialog.tsx';
import { SecretsKept } from '../../ui/secrets-kept.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { type ImportOutcome, outcomeOf, saveReport } from '../../entities/imports/outcome.ts';
import { ReportLimit } from '../../entities/imports/FailedRows.tsx';
import { FileNotes, TABLE_ENDINGS } from '../../entities/imports/FileNotes.tsx';
import { ImportCheck } from '../../entities/imports/ImportCheck.tsx';
import { importRouters, type RouterImport } from './inventory.api.ts';

const SHOWN = 10;

function saveSecrets(minted: RouterImport['minted']): void {
  saveFile(
    csvFile([
      ['SN', 'MAC', 'Endpoint ID', 'Secret'],
      ...minted.map(({ serial, mac, endpointId, secret }) => [serial, mac, endpointId, secret]),
    ]),
    'Router_secrets.csv',
  );
}

function SaveSecrets({ minted }: { minted: RouterImport['minted'] }): ReactNode {
  const { t } = useTranslation();
  const onKept = useContext(SecretsKept);
  const save = () => {
    saveSecrets(minted);
    onKept(minted.map(({ secret }) => secret).join('\n'));
  };
  return (
    <div className="note">
      <span className="spacer">{t('inventory.upload.secretsOnce')}</span>
      <Button variant="filled" onClick={save}>
        {t('inventory.upload.secrets')}
      </Button>
    </div>
  );
}

/** The result of the import; the generated secrets are downloaded once, as a file. */
function Outcome({ outcome }: { outcome: ImportOutcome & Partial<Pick<RouterImport, 'minted'>> }): ReactNode {
  const { t } = useTranslation();
  const { success, total, failed, fail, minted = [] } = outcome;
  return (
    <>
      <p>{t('inventory.upload.summary', { success: formatNumber(success), total: formatNumber(total) })}</p>
      {minted.length > 0 && <SaveSecrets minted={minted} />}
      {failed > 0 && (
        <ul className="router-failures">
          {fail.slice(0, SHOWN).map(({ row, serial, error }) => (
            <li key={row}>
              {t('inventory.upload.row', { row, serial: serial === '' ? '--' : serial })} <span className="bad">{error}</span>
            </li>
          ))}
          {failed > SHOWN && <li className="dim">{t('ui.dialog.more', { count: failed - SHOWN })}</li>}
        </ul>
      )}
      {outcome.report !== '' && (
        <div>
          <ReportLimit outcome={outcome} />
          <Button onClick={() => saveReport(outcome, 'Inventory_error.csv')}>{t('deviceForms.result.report')}</Button>
        </div>
      )}
    </>
  );
}

/** Enter many routers from a CSV. */
export function ImportRoutersDialog({ onClose }: { onClose: (changed: boolean) => void }): ReactNode {
  const { t } = useTranslation();
  const [file, setFile] = useState<File>();
  const [outcome, setOutcome] = useState<RouterImport>();
  const [checked, setChecked] = useState<ImportOutcome & Partial<Pick<RouterImport, 'changes'>>>();
  const [encoding, setEncoding] = useState<TextEncodingName>();
  const check = useAction<{ readonly file: File; readonly encoding: TextEncodingName | undefined }, RouterImport>({
    run: ({ file: picked, encoding: chosen }) => importRouters(picked, { encoding: chosen, dryRun: true }),
    onDone: setChecked,
    onError: (error) => {
      const rejected = outcomeOf(error);
      // A file without readable rows shows its error as a dialog.
      const hasRows = rejected !== undefined && rejected.outcome.total > 0;
      if (hasRows) setChecked(rejected.outcome);
      return hasRows;
    },
  });
  const upload = useAction<File, RouterImport>({ run: (picked) => importRouters(picked, { encoding }), onDone: setOutcome });
  const fileFirst = file === undefined ? t('deviceForms.fileFirst') : undefined;
  const pick = (picked: File | undefined) => {
    setFile(picked);
    setChecked(undefined);
    setEncoding(undefined);
  };
  const secrets = useMemo(() => (outcome?.minted ?? []).map(({ secret }) => secret), [outcome]);
  return (
    <SecretsDialog
      title={t('inventory.upload.title')}
      secrets={secrets}
      busy={upload.busy}
      done={t('ui.close')}
      onClose={() => onClose(outcome !== undefined)}
      wide
      actions={
        outcome === undefined && (
          <>
            <ActionButton
              loading={check.busy}
              disabledReason={fileFirst}
              onClick={() => file !== undefined && check.run({ file, encoding })}
            >
              {t('deviceForms.check.open')}
            </ActionButton>
            <ActionButton
              variant="filled"
              loading={upload.busy}
              disabledReason={fileFirst}
              onClick={() => file !== undefined && upload.run(file)}
            >
              {t('inventory.upload.start')}
            </ActionButton>
          </>
        )
      }
    >
      {outcome === undefined ? (
        <>
          <p>{t('inventory.upload.notes')}</p>
          <FilePick
            label={t('inventory.upload.file')}
            endings={TABLE_ENDINGS}
            wrongType={t('ui.file.wrongType')}
            file={file}
            onPick={pick}
          />
          {checked?.file !== undefined && file !== undefined && (
            <FileNotes
              file={checked.file}
              onEncoding={(chosen) => {
                setEncoding(chosen);
                check.run({ file, encoding: chosen });
              }}
            />
          )}
          {checked?.changes !== undefined && <ImportCheck changes={checked.changes} success={checked.success} />}
          {checked !== undefined && checked.failed > 0 && <Outcome outcome={checked} />}
        </>
      ) : (
        <>
          <FileNotes file={outcome.file} />
          <Outcome outcome={outcome} />
        </>
      )}
    </SecretsDialog>
  );
}
