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
import { useChecked } from '../../entities/imports/useChecked.ts';
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
function Outcome({ outcome }: { outcome: RouterOutcome }): ReactNode {
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

type RouterOutcome = ImportOutcome & Partial<Pick<RouterImport, 'minted' | 'changes'>>;

/** A file, and how it is read. */
interface Chosen {
  readonly file: File;
  readonly encoding?: TextEncodingName | undefined;
}

/** The rows of a file of which none was accepted; undefined for one without readable rows, which shows its error as a dialog. */
function rejectedRows(error: unknown): RouterOutcome | undefined {
  const rejected = outcomeOf(error)?.outcome;
  return rejected !== undefined && rejected.total > 0 ? rejected : undefined;
}

/** Enter many routers from a CSV. */
export function ImportRoutersDialog({ onClose }: { onClose: (changed: boolean) => void }): ReactNode {
  const { t } = useTranslation();
  const { choice, found: checked, choose, note } = useChecked<Chosen, RouterOutcome>();
  const [outcome, setOutcome] = useState<RouterOutcome>();
  const check = useAction<Chosen, RouterImport>({
    run: ({ file, encoding }) => importRouters(file, { encoding, dryRun: true }),
    onDone: (result, of) => note(of, result),
    onError: (error, of) => {
      const rejected = rejectedRows(error);
      if (rejected !== undefined) note(of, rejected);
      return rejected !== undefined;
    },
  });
  const upload = useAction<Chosen, RouterImport>({
    run: ({ file, encoding }) => importRouters(file, { encoding }),
    onDone: setOutcome,
    onError: (error) => {
      const rejected = rejectedRows(error);
      setOutcome(rejected);
      return rejected !== undefined;
    },
  });
  const fileFirst = choice === undefined ? t('deviceForms.fileFirst') : undefined;
  const readAs = (next: Chosen) => {
    choose(next);
    check.run(next);
  };
  const secrets = useMemo(() => (outcome?.minted ?? []).map(({ secret }) => secret), [outcome]);
  return (
    <SecretsDialog
      title={t('inventory.upload.title')}
      secrets={secrets}
      busy={upload.busy}
      done={t('ui.close')}
      onClose={() => onClose(outcome !== undefined && outcome.success > 0)}
      wide
      actions={
        outcome === undefined && (
          <>
            <ActionButton
              loading={check.busy}
              disabledReason={fileFirst}
              onClick={() => choice !== undefined && check.run(choice)}
            >
              {t('deviceForms.check.open')}
            </ActionButton>
            <ActionButton
              variant="filled"
              loading={upload.busy}
              disabledReason={fileFirst}
              onClick={() => choice !== undefined && upload.run(choice)}
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
            file={choice?.file}
            onPick={(file) => choose(file && { file })}
          />
          {checked?.file !== undefined && choice !== undefined && (
            <FileNotes file={checked.file} onEncoding={(encoding) => readAs({ ...choice, encoding })} />
          )}
          {checked?.changes !== undefined && <ImportCheck changes={checked.changes} success={checked.success} />}
          {checked !== undefined && checked.failed > 0 && <Outcome outcome={checked} />}
        </>
      ) : (
        <>
          {outcome.file !== undefined && <FileNotes file={outcome.file} />}
          <Outcome outcome={outcome} />
        </>
      )}
    </SecretsDialog>
  );
}
