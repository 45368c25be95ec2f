import { Button } from '../../ui/controls/Button.tsx';
import { Textarea } from '../../ui/controls/TextInput.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { fileText } from '../../api/file-text.ts';
import { useAction } from '../../api/useAction.ts';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { useInputLoss } from '../../ui/losses.ts';
import { toast } from '../../ui/toasts.ts';
import { assignSims, iccidsIn, type Plan } from './plans.api.ts';

/** Choose a plan for SIMs by their ICCIDs: typed, pasted, or from a CSV file (USE-03). */
export function AssignDialog({ plan, onClose }: { plan: Plan; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [file, setFile] = useState<File>();
  const iccids = iccidsIn(text);
  const assign = useAction<boolean, number>({
    run: (remove) => assignSims(plan, iccids, remove),
    onDone: (sims) => {
      toast(t('usage.assign.done', { count: sims }));
      onClose();
    },
  });
  const loss = useInputLoss(text.trim() !== '');
  return (
    <Dialog
      title={t('usage.assign.title', { name: plan.name })}
      onClose={onClose}
      sticky
      loss={loss}
      actions={
        <>
          <CloseButton>{t('ui.cancel')}</CloseButton>
          <Button disabled={iccids.length === 0} loading={assign.busy} onClick={() => assign.run(true)}>
            {t('usage.assign.remove')}
          </Button>
          <Button variant="filled" disabled={iccids.length === 0} loading={assign.busy} onClick={() => assign.run(false)}>
            {t('usage.assign.choose')}
          </Button>
        </>
      }
    >
      <Textarea
        label={t('usage.assign.iccids')}
        description={t('usage.assign.hint')}
        rows={6}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <FilePick
        label={t('usage.assign.file')}
        endings={['.csv', '.txt']}
        wrongType={t('usage.assign.wrongType')}
        file={file}
        onPick={(picked) => {
          setFile(picked);
          if (picked !== undefined) void fileText(picked).then(setText);
        }}
      />
      <p aria-live="polite">{t('usage.assign.found', { count: iccids.length })}</p>
    </Dialog>
  );
}
