import { Button } from '../../ui/controls/Button.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { fileText } from '../../api/file-text.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useChecked } from '../../entities/imports/useChecked.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { showMessage } from '../../ui/dialogs.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { toast } from '../../ui/toasts.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { type GeofenceImport, importGeofences } from './geofences.api.ts';

const SHOWN = 10;

/** What was added, or would be, and which features of the file are no areas. */
export function LeftOut({ result: { dryRun, added, leftOutCount, leftOut } }: { result: GeofenceImport }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <p>{t(dryRun ? 'geofences.checked' : 'geofences.imported', { count: added })}</p>
      {leftOutCount > 0 && <p>{t('geofences.leftOut', { count: leftOutCount, shown: formatNumber(leftOutCount) })}</p>}
      <ul>
        {leftOut.slice(0, SHOWN).map(({ feature, reason }) => (
          <li key={feature}>{t(`geofences.omission.${reason}`, { feature })}</li>
        ))}
        {leftOutCount > SHOWN && <li className="dim">{t('ui.dialog.more', { count: leftOutCount - SHOWN })}</li>}
      </ul>
    </>
  );
}

/** The feature of the file that an import was rejected for, by its number; undefined for other failures. */
function featureOf(error: unknown): string | undefined {
  return error instanceof ApiError ? /^feature (\d+)$/u.exec(error.field ?? '')?.[1] : undefined;
}

/** Show why a file was rejected, and for which of its features; false = for none of them. */
function useRejection(): (error: unknown) => boolean {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) => {
    const feature = featureOf(error);
    if (feature === undefined) return false;
    const warning = t('geofences.rejected', { feature });
    void showMessage({ title: t('ui.dialog.errorTitle'), text: errorText(error), warning });
    return true;
  };
}

/** Geofences from a GeoJSON file (POS-05). */
export function ImportDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const { choice: file, found: checked, choose, note } = useChecked<File, GeofenceImport>();
  const [partly, setPartly] = useState<GeofenceImport>();
  const onError = useRejection();
  const check = useAction<File, GeofenceImport>({
    run: async (picked) => importGeofences(await fileText(picked), true),
    onDone: (result, of) => note(of, result),
    onError,
  });
  const send = useAction<File, GeofenceImport>({
    run: async (picked) => importGeofences(await fileText(picked)),
    onDone: (result) => {
      if (result.leftOutCount > 0) return setPartly(result);
      toast(t('geofences.imported', { count: result.added }));
      onDone();
    },
    onError,
  });
  if (partly !== undefined)
    return (
      <Dialog
        title={t('geofences.import')}
        onClose={onDone}
        actions={
          <Button variant="filled" onClick={onDone}>
            {t('ui.close')}
          </Button>
        }
      >
        <LeftOut result={partly} />
      </Dialog>
    );
  return (
    <FormDialog
      title={t('geofences.import')}
      submit={t('geofences.import')}
      busy={send.busy}
      disabledReason={file === undefined ? t('geofences.noFile') : undefined}
      onSubmit={() => file !== undefined && send.run(file)}
      onClose={onClose}
    >
      <p className="dim">{t('geofences.importHint')}</p>
      <FilePick
        label={t('geofences.file')}
        endings={['.geojson', '.json']}
        wrongType={t('geofences.wrongType')}
        file={file}
        onPick={choose}
      />
      <ActionButton
        loading={check.busy}
        disabledReason={file === undefined ? t('geofences.noFile') : undefined}
        onClick={() => file !== undefined && check.run(file)}
      >
        {t('geofences.check')}
      </ActionButton>
      {checked !== undefined && <LeftOut result={checked} />}
    </FormDialog>
  );
}
