import { TextInput, Textarea } from '../../ui/controls/TextInput.tsx';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../ui/Check.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { FilePick } from '../../ui/form/FilePick.tsx';
import type { Upload } from './firmware.api.ts';
import { readManifest } from './firmware.ts';

interface Values {
  readonly file: File | undefined;
  readonly isSigned: boolean;
  readonly version: string;
  readonly profile: string;
  readonly note: string;
  readonly unsigned: boolean;
}

const empty: Values = { file: undefined, isSigned: true, version: '', profile: '', note: '', unsigned: false };

/** Choose an image; its version and model are read from its footer, or typed. */
export function UploadDialog({
  initial,
  onClose,
  onStart,
}: {
  initial: Upload | undefined;
  onClose: () => void;
  onStart: (upload: Upload) => void;
}): ReactNode {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Values>(initial === undefined ? empty : { ...initial, isSigned: !initial.unsigned });
  const [tried, setTried] = useState(false);
  const { file, isSigned, version, profile, note, unsigned } = values;
  const set = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }));

  const pick = async (picked: File | undefined) => {
    // What was read from another image is not of this one.
    const read = file !== undefined && isSigned ? { version: '', profile: '' } : {};
    set({ file: picked, isSigned: true, unsigned: false, ...read });
    if (picked === undefined) return;
    const manifest = await readManifest(picked);
    const found = manifest === undefined ? { isSigned: false } : { version: manifest.version, profile: manifest.model };
    setValues((before) => (before.file === picked ? { ...before, ...found } : before));
  };
  const required = (value: string, label: string) =>
    tried && value.trim() === '' ? t('ui.form.required', { field: label }) : undefined;
  const submit = () => {
    setTried(true);
    if (file === undefined) return;
    const missing = version.trim() === '' ? 'version' : profile.trim() === '' ? 'profile' : undefined;
    if (missing === undefined) onStart({ file, version, profile, note, unsigned });
    else form.current?.querySelector<HTMLElement>(`[name="${missing}"]`)?.focus();
  };
  return (
    <FormDialog
      title={t('firmware.upload.title')}
      submit={t('firmware.upload.start')}
      disabledReason={file === undefined ? t('firmware.upload.fileFirst') : undefined}
      onSubmit={submit}
      onClose={onClose}
      form={form}
    >
      <FilePick
        label={t('firmware.upload.file')}
        endings={['']}
        wrongType={t('firmware.upload.wrongType')}
        file={file}
        onPick={(picked) => void pick(picked)}
      />
      {file !== undefined && isSigned && <p className="dim">{t('firmware.upload.read')}</p>}
      {file !== undefined && !isSigned && (
        <>
          <p>{t('firmware.upload.noSignature')}</p>
          <Check label={t('firmware.upload.takeUnsigned')} checked={unsigned} onChange={(on) => set({ unsigned: on })} />
        </>
      )}
      <TextInput
        name="version"
        label={t('firmware.upload.version')}
        withAsterisk
        aria-required
        maxLength={100}
        autoComplete="off"
        value={version}
        error={required(version, t('firmware.upload.version'))}
        onChange={(event) => set({ version: event.currentTarget.value })}
      />
      <TextInput
        name="profile"
        label={t('firmware.upload.model')}
        withAsterisk
        aria-required
        maxLength={60}
        autoComplete="off"
        value={profile}
        error={required(profile, t('firmware.upload.model'))}
        onChange={(event) => set({ profile: event.currentTarget.value })}
      />
      <Textarea
        name="note"
        label={t('firmware.upload.notes')}
        maxLength={4000}
        rows={4}
        value={note}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
    </FormDialog>
  );
}
