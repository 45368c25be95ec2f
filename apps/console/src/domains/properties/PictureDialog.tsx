import { Button } from '../../ui/controls/Button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { toast } from '../../ui/toasts.ts';
import { type DeviceProperty, setPicture, setProperty } from './properties.api.ts';
import { useConflictBase } from './useConflictBase.ts';

const ENDINGS = ['.png', '.jpg', '.jpeg', '.webp'];
const MAX_BYTES = 2 * 1024 * 1024;

/** Set, replace or take away a picture. */
export function PictureDialog({
  device,
  property,
  onClose,
}: {
  device: string;
  property: DeviceProperty;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const { key, name } = property;
  const { base, explain } = useConflictBase(device, property);
  const target = { device, property: key, version: base.version };
  const save = useAction<File | undefined, void>({
    run: (chosen) => (chosen === undefined ? setProperty(client, target, null) : setPicture(client, target, chosen)),
    onDone: () => {
      toast(t('ui.done.edited'));
      onClose();
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.key?.startsWith('property.picture') !== true) return explain(error);
      setProblem(errorText(error));
      return true;
    },
  });
  const pick = (chosen: File | undefined) => {
    setFile(chosen);
    setProblem(chosen !== undefined && chosen.size > MAX_BYTES ? t('properties.pictureLarge') : undefined);
  };
  const confirmRemove = async (): Promise<void> => {
    const question = { title: t('ui.dialog.warningTitle'), text: t('properties.taking', { name }) };
    if (await confirmAction({ ...question, effect: 'permanent' })) save.run(undefined);
  };
  return (
    <Dialog
      title={t('properties.edit', { name })}
      onClose={onClose}
      sticky
      actions={
        <>
          {base.picture !== null && (
            <ActionButton color="danger" variant="light" onClick={() => void confirmRemove()}>
              {t('properties.take')}
            </ActionButton>
          )}
          <Button disabled={save.busy} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <SaveButton
            dirty
            saving={save.busy}
            reason={file === undefined ? t('properties.pictureFirst') : problem}
            onClick={() => save.run(file)}
          />
        </>
      }
    >
      <FilePick
        label={t('properties.field.picture')}
        endings={ENDINGS}
        wrongType={t('properties.pictureType')}
        file={file}
        onPick={pick}
        error={problem}
      />
      <p className="dim">{t('properties.pictureHint')}</p>
    </Dialog>
  );
}
