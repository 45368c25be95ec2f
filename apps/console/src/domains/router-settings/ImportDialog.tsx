import { routerSettings, type TextEncodingName } from '@highline/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { FileNotes, TABLE_ENDINGS } from '../../entities/imports/FileNotes.tsx';
import { useChecked } from '../../entities/imports/useChecked.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { sentences } from '../../ui/sentences.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { importSettings, type SettingsImport } from './settings.api.ts';
import { clashOf, variableName, wholeLabel } from './setting-texts.ts';

const SHOWN = 20;
/** A file, and how it is read. */
interface Chosen {
  readonly file: File;
  readonly encoding: TextEncodingName | undefined;
}

const EXAMPLE = 'SN,WiFi.SSID[name=passengers].SSID,WiFi.Radio[band=5GHz].Channel';

function faultText(t: TFunction, { row, serial, kind, path }: SettingsImport['fail'][number]): string {
  return t(`routerSettings.import.fault.${kind}`, {
    row: formatNumber(row),
    serial,
    setting: path === '' ? '' : wholeLabel(t, path),
  });
}

function doubtText(t: TFunction, { row, serial, path, kind, text }: SettingsImport['doubts'][number]): string {
  const common = { row: formatNumber(row), serial, setting: wholeLabel(t, path) };
  return kind === 'variable'
    ? t('routerSettings.import.lacks', { ...common, name: variableName(text) })
    : t(`routerSettings.import.${clashOf(path, text) ?? 'unfit'}`, { ...common, value: text });
}

/** What an import does, or did: rows that are wrong by their number. */
function ImportResult({ result }: { result: SettingsImport }): ReactNode {
  const { t } = useTranslation();
  const { changed, unchanged, failed, fail, doubted, doubts, dryRun } = result;
  const count = (number: number) => ({ count: number, shown: formatNumber(number) });
  return (
    <div role="status">
      <p>
        {sentences([
          t(dryRun ? 'routerSettings.import.wouldChange' : 'routerSettings.import.changed', count(changed)),
          ...(unchanged > 0 ? [t('routerSettings.import.unchanged', count(unchanged))] : []),
          ...(failed > 0 ? [t('routerSettings.import.failed', count(failed))] : []),
        ])}
      </p>
      {failed + doubted > 0 && (
        <ul className="setting-changes setting-changes--problems">
          {fail.slice(0, SHOWN).map((each) => (
            <li key={`${each.row} fail`}>{faultText(t, each)}</li>
          ))}
          {doubts.slice(0, SHOWN).map((each) => (
            <li key={`${each.row} ${each.path}`}>{doubtText(t, each)}</li>
          ))}
          {Math.max(0, failed - SHOWN) + Math.max(0, doubted - SHOWN) > 0 && (
            <li className="dim">{t('ui.dialog.more', { count: Math.max(0, failed - SHOWN) + Math.max(0, doubted - SHOWN) })}</li>
          )}
        </ul>
      )}
    </div>
  );
}

/** Values of devices from a CSV file or a workbook: checked first, then saved; nothing is sent (TPL-02). */
export function ImportDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { choice: chosen, found: checked, choose, note } = useChecked<Chosen, SettingsImport>();
  const [saved, setSaved] = useState<SettingsImport>();
  const check = useAction<Chosen, SettingsImport>({
    run: ({ file, encoding }) => importSettings(file, { encoding, dryRun: true }),
    onDone: (result, of) => note(of, result),
  });
  const save = useAction<Chosen, SettingsImport>({
    run: ({ file, encoding }) => importSettings(file, { encoding, dryRun: false }),
    onDone: (result) => {
      void client.invalidateQueries({ queryKey: ['settings'] });
      if (result.failed + result.doubted > 0) return setSaved(result);
      toast(t('routerSettings.import.changed', { count: result.changed, shown: formatNumber(result.changed) }));
      return onClose();
    },
  });
  if (saved !== undefined)
    return (
      <Dialog
        title={t('routerSettings.import.title')}
        onClose={onClose}
        actions={
          <Button variant="filled" onClick={onClose}>
            {t('ui.close')}
          </Button>
        }
      >
        <FileNotes file={saved.file} />
        <ImportResult result={saved} />
      </Dialog>
    );
  const readAs = (next: Chosen) => {
    choose(next);
    check.run(next);
  };
  const noFile = chosen === undefined ? t('routerSettings.import.noFile') : undefined;
  return (
    <FormDialog
      title={t('routerSettings.import.title')}
      submit={t('routerSettings.import.save')}
      busy={save.busy}
      disabledReason={noFile ?? (checked === undefined ? t('routerSettings.import.checkFirst') : undefined)}
      onSubmit={() => chosen !== undefined && save.run(chosen)}
      onClose={onClose}
    >
      <p className="dim">
        {t('routerSettings.import.hint', {
          count: routerSettings.MOST_IMPORT_ROWS,
          shown: formatNumber(routerSettings.MOST_IMPORT_ROWS),
        })}
      </p>
      <pre className="setting-example">{EXAMPLE}</pre>
      <FilePick
        label={t('routerSettings.import.file')}
        endings={TABLE_ENDINGS}
        wrongType={t('ui.file.wrongType')}
        file={chosen?.file}
        onPick={(file) => choose(file && { file, encoding: undefined })}
      />
      <ActionButton loading={check.busy} disabledReason={noFile} onClick={() => chosen !== undefined && check.run(chosen)}>
        {t('routerSettings.import.check')}
      </ActionButton>
      {checked !== undefined && chosen !== undefined && (
        <>
          <FileNotes file={checked.file} onEncoding={(encoding) => readAs({ ...chosen, encoding })} />
          <ImportResult result={checked} />
        </>
      )}
    </FormDialog>
  );
}
