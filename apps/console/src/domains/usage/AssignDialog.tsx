import { Button } from '../../ui/controls/Button.tsx';
import { Textarea } from '../../ui/controls/TextInput.tsx';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useChecked } from '../../entities/imports/useChecked.ts';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { confirmAction, showMessage } from '../../ui/dialogs.ts';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { useInputLoss } from '../../ui/losses.ts';
import { toast } from '../../ui/toasts.ts';
import { findIccids, mergeIccids } from './iccids.ts';
import { assignSims, checkSims, type Plan, readSims } from './plans.api.ts';

const SHOWN = 10;

/** The first of some numbers, and how many there are besides. */
function useFirst(): (numbers: readonly string[]) => readonly string[] {
  const { t } = useTranslation();
  return (numbers) => [
    ...numbers.slice(0, SHOWN),
    ...(numbers.length > SHOWN ? [t('ui.dialog.more', { count: numbers.length - SHOWN })] : []),
  ];
}

/** Choose the plan, or remove it; damaged numbers are rejected, and doubtful ones have to be confirmed. @returns how many SIMs; undefined = none */
function useAssignment(plan: Plan): (iccids: readonly string[], remove: boolean) => Promise<number | undefined> {
  const { t } = useTranslation();
  const firstOf = useFirst();
  return async (iccids, remove) => {
    if (remove) return assignSims(plan, iccids, { remove });
    const { damaged, doubts } = await checkSims(plan, iccids);
    if (damaged.length > 0) {
      const text = t('usage.assign.damaged', { count: damaged.length });
      await showMessage({ title: t('ui.dialog.errorTitle'), text, items: firstOf(damaged) });
      return undefined;
    }
    const question = {
      title: t('usage.assign.doubtTitle'),
      text: t('usage.assign.doubtful', { count: doubts.length }),
      items: firstOf(doubts),
      yes: t('usage.assign.choose'),
      effect: 'ordinary',
    } as const;
    if (doubts.length > 0 && !(await confirmAction(question))) return undefined;
    return assignSims(plan, iccids, { remove, confirmed: doubts.length > 0 });
  };
}

/** Choose a plan for SIMs by their ICCIDs: typed, pasted, or from a CSV file or a workbook (USE-03). */
export function AssignDialog({ plan, onClose }: { plan: Plan; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const { choice: file, found: contents, choose, note } = useChecked<File, string>();
  const typed = useMemo(() => findIccids(text), [text]);
  // A file may have 100,000 lines: they are not read again with each key.
  const read = useMemo(() => findIccids(contents ?? ''), [contents]);
  const { iccids, others } = useMemo(() => mergeIccids([typed, read]), [typed, read]);
  const firstOf = useFirst();
  const assignment = useAssignment(plan);
  const assign = useAction<boolean, number | undefined>({
    run: (remove) => assignment(iccids, remove),
    onDone: (sims) => {
      if (sims === undefined) return;
      toast(t('usage.assign.done', { count: sims }));
      onClose();
    },
  });
  const reading = useAction<File, string>({
    run: readSims,
    onDone: (read, of) => note(of, read),
  });
  const isReady = iccids.length > 0 && (file === undefined || contents !== undefined);
  const loss = useInputLoss(text.trim() !== '' || file !== undefined);
  return (
    <Dialog
      title={t('usage.assign.title', { name: plan.name })}
      onClose={onClose}
      sticky
      loss={loss}
      actions={
        <>
          <CloseButton>{t('ui.cancel')}</CloseButton>
          <Button disabled={!isReady} loading={assign.busy} onClick={() => assign.run(true)}>
            {t('usage.assign.remove')}
          </Button>
          <Button variant="filled" disabled={!isReady} loading={assign.busy} onClick={() => assign.run(false)}>
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
        endings={['.csv', '.txt', '.xlsx']}
        wrongType={t('usage.assign.wrongType')}
        file={file}
        onPick={(picked) => {
          choose(picked);
          if (picked !== undefined) reading.run(picked);
        }}
      />
      <p aria-live="polite">{t('usage.assign.found', { count: iccids.length })}</p>
      {others.length > 0 && (
        <p className="bad" role="status">
          {t('usage.assign.leftOut', { count: others.length, numbers: firstOf(others).join(t('ui.between')) })}
        </p>
      )}
    </Dialog>
  );
}
