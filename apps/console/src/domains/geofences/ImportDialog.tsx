import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/useAction.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { toast } from '../../ui/toasts.ts';
import { importGeofences } from './geofences.api.ts';

/** Geofences from a GeoJSON file (POS-05). */
export function ImportDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const [file, setFile] = useState<File>();
  const send = useAction<File, number>({
    run: async (picked) => importGeofences(await picked.text()),
    onDone: (count) => {
      toast(t('geofences.imported', { count }));
      onDone();
    },
  });
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
        onPick={setFile}
      />
    </FormDialog>
  );
}
