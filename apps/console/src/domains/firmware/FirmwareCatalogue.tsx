import { Button } from '../../ui/controls/Button.tsx';
import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { useRoleFor } from '../../api/session.ts';
import { useAction, useShowError } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { confirmAction, showMessage } from '../../ui/dialogs.ts';
import type { Selection } from '../../ui/list/useSelection.ts';
import { useStore } from '../../ui/store.ts';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { useRemoval } from '../../entities/jobs/useRemoval.ts';
import { firmwareColumns } from './columns.tsx';
import { deleteFirmware, type Firmware, type Upload } from './firmware.api.ts';
import { FirmwareTable } from './FirmwareTable.tsx';
import { UploadDialog } from './UploadDialog.tsx';
import { runningUpload, startUpload, type RunningUpload } from './uploads.ts';

function catalogueColumns(t: TFunction, onDelete: ((one: Firmware) => void) | undefined): readonly Column<Firmware>[] {
  const actions: readonly Column<Firmware>[] =
    onDelete === undefined
      ? []
      : [
          {
            id: 'actions',
            header: t('firmware.column.actions'),
            cell: (one) => (
              <Button
                variant="subtle"
                aria-label={t('firmware.remove.of', { version: one.version })}
                onClick={() => onDelete(one)}
              >
                {t('firmware.remove.button')}
              </Button>
            ),
          },
        ];
  return [
    ...firmwareColumns(t),
    {
      id: 'groups',
      header: t('firmware.column.groups'),
      text: ({ groups }) => String(groups),
      width: 100,
      numeric: true,
      cell: ({ groups }) => formatNumber(groups),
    },
    ...actions,
  ];
}

/** The state of the running upload, also for a user who returns to this page. */
function UploadNote({ running, onAgain }: { running: RunningUpload; onAgain: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { upload, percent, failed, cancel } = running;
  const name = upload.file.name;
  if (failed !== undefined)
    return (
      <div className="note note--bad" role="alert">
        <span className="spacer firmware-name">{t('firmware.upload.failed', { name, reason: errorText(failed) })}</span>
        <Button onClick={onAgain}>{t('firmware.upload.again')}</Button>
        <Button onClick={cancel}>{t('ui.close')}</Button>
      </div>
    );
  const message = percent < 100 ? t('firmware.upload.sending', { name, percent }) : t('firmware.upload.checking', { name });
  return (
    <div className="note" role="status">
      <span className="spacer firmware-name">{message}</span>
      <progress max={100} value={percent} aria-label={message} />
      <ActionButton onClick={cancel}>{t('ui.cancel')}</ActionButton>
    </div>
  );
}

/** The groups named in a `firmware.bound` failure. */
function boundGroups(error: ApiError, between: string): string {
  const { groups = [] } = (error.detail ?? {}) as { groups?: { groupName: string; orgName: string }[] };
  return groups.map(({ groupName, orgName }) => `${groupName} (${orgName})`).join(between);
}

/** Deletes the selected images as one job; those that a group has bound stay, and say which group. */
function DeleteChosen({ selection }: { selection: Selection<Firmware> }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useShowError();
  const removal = useRemoval('firmware');
  const notAllowed = useNotAllowed('firmware.delete');
  const nameOf = ({ version, profile }: Firmware) => `${version} (${profile})`;
  const chosen = [...selection.selected.values()];
  const remove = useAction<readonly Firmware[], () => void>({
    run: (rows) => removal(rows.map(({ pk }) => pk)),
    onDone: (show) => {
      selection.leave();
      void client.invalidateQueries({ queryKey: ['firmware'] });
      show();
    },
  });
  const confirm = async () => {
    const sure = await confirmAction({
      title: t('ui.dialog.warningTitle'),
      text: t('firmware.remove.question'),
      items: chosen.map(nameOf),
      yes: t('ui.selection.delete', { number: chosen.length }),
      no: t('ui.cancel'),
      effect: 'permanent',
    });
    if (sure) remove.run(chosen);
  };
  return (
    <ActionButton
      color="danger"
      loading={remove.busy}
      disabledReason={notAllowed}
      onClick={() => void confirm().catch(showError)}
    >
      {t('ui.selection.delete', { number: chosen.length })}
    </ActionButton>
  );
}

/** /firmware: the main account's catalogue, with upload and delete (FWR-02). */
export function FirmwareCatalogue(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const running = useStore(runningUpload);
  const mayChange = useRoleFor('firmware') === 'main';
  const [form, setForm] = useState<Upload | 'new'>();
  const remove = useAction<string, void>({
    run: deleteFirmware,
    onDone: () => {
      toast(t('ui.done.deleted'));
      void client.invalidateQueries({ queryKey: ['firmware'] });
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.key !== 'firmware.bound') return false;
      const warning = t('firmware.remove.bound', { groups: boundGroups(error, t('ui.between')) });
      void showMessage({ title: t('ui.dialog.errorTitle'), text: errorText(error), warning });
      return true;
    },
  });
  const { run } = remove;
  const columns = useMemo(() => {
    const confirm = async ({ pk, version, profile }: Firmware) => {
      const sure = await confirmAction({
        title: t('ui.dialog.warningTitle'),
        text: t('firmware.remove.question'),
        items: [`${version} (${profile})`],
        yes: t('firmware.remove.button'),
        no: t('ui.cancel'),
        effect: 'permanent',
      });
      if (sure) run(pk);
    };
    return catalogueColumns(t, mayChange ? (one) => void confirm(one) : undefined);
  }, [t, mayChange, run]);
  const begin = (upload: Upload) => {
    setForm(undefined);
    startUpload(client, upload, () => toast(t('ui.done.saved', { msg: upload.version })));
  };
  const again = () => {
    setForm(running?.upload);
    running?.cancel();
  };
  return (
    <>
      <FirmwareTable
        title={t('firmware.catalogue')}
        columns={columns}
        bar={(selection) => <DeleteChosen selection={selection} />}
        emptyAction={
          mayChange && running === undefined && <Button onClick={() => setForm('new')}>{t('firmware.upload.first')}</Button>
        }
        note={running !== undefined && <UploadNote running={running} onAgain={again} />}
        actions={
          mayChange && (
            <Button
              variant="filled"
              leftSection={<IconUpload size={16} />}
              disabled={running !== undefined}
              onClick={() => setForm('new')}
            >
              {t('firmware.upload.open')}
            </Button>
          )
        }
      />
      {form !== undefined && (
        <UploadDialog initial={form === 'new' ? undefined : form} onClose={() => setForm(undefined)} onStart={begin} />
      )}
    </>
  );
}
