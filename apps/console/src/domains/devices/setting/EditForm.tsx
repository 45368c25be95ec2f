import type { rollouts } from '@highline/contract';
import { Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { runConfirmed } from '../../../api/confirmed.ts';
import { ApiError } from '../../../api/errors.ts';
import { highlight } from '../../../api/highlights.ts';
import { useShowError } from '../../../api/useAction.ts';
import { useSession } from '../../../session/session.ts';
import { DraftOffer } from '../../../ui/form/DraftOffer.tsx';
import { dropDraft, useDraft } from '../../../ui/form/drafts.ts';
import { SaveButton } from '../../../ui/form/SaveButton.tsx';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { showMessage } from '../../../ui/dialogs.ts';
import { toast } from '../../../ui/toasts.ts';
import { fetchMoveImpact } from '../../groups/form/files.api.ts';
import { useConfirmMove } from '../../groups/form/useConfirmRestart.ts';
import { GroupSelect, useChosenGroup } from '../GroupSelect.tsx';
import { saveDevice, type DeviceChange, type DeviceDetails } from './device-setting.api.ts';

interface Values {
  readonly vehicleNumber: string;
  readonly note: string;
  readonly group: string;
}

const valuesOf = (device: DeviceDetails): Values => ({
  vehicleNumber: device.vehicleNumber,
  note: device.note,
  group: device.group,
});

/** Only changed fields are sent. */
function changeOf(before: Values, now: Values): DeviceChange {
  return Object.fromEntries(Object.entries(now).filter(([key, value]) => before[key as keyof Values] !== value));
}

function parseDraft(stored: unknown): Values | undefined {
  const { vehicleNumber, note, group } = (stored ?? {}) as Partial<Record<keyof Values, unknown>>;
  return typeof vehicleNumber === 'string' && typeof note === 'string' && typeof group === 'string'
    ? { vehicleNumber, note, group }
    : undefined;
}

/** Vehicle number, group and note of a device; admins can save a change (DEV-07, SHR-06). */
export function EditForm({ device, etag }: { device: DeviceDetails; etag: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const { id: owner, role } = useSession();
  const client = useQueryClient();
  const confirmMove = useConfirmMove();
  const showError = useShowError({ when: 'not_found', to: '/devices/list' });
  const form = `device-${device.device}`;
  const [base, setBase] = useState({ values: valuesOf(device), etag, shown: etag });
  const [values, setValues] = useState(base.values);
  const [saving, setSaving] = useState(false);
  const chosen = useChosenGroup(values.group, undefined, values.group !== device.group);
  const group = values.group === device.group ? { group: device.group, name: device.group_name } : chosen;
  const change = changeOf(base.values, { ...values, group: group.group });
  const dirty = Object.keys(change).length > 0;
  const mayEdit = role === 'admin';
  const draft = useDraft(owner, form, values, dirty, parseDraft);

  // Without input, follow what other users save. With input, keep it; Save detects the difference.
  if (!dirty && etag !== base.shown) {
    setBase({ values: valuesOf(device), etag, shown: etag });
    setValues(valuesOf(device));
  }

  /** @returns whether it was saved */
  const save = async (): Promise<boolean> => {
    setSaving(true);
    try {
      const send = (confirmed?: string) => saveDevice(device.device, { ...change, confirmed }, base.etag);
      if (change.group === undefined) await send();
      else {
        const impact = await fetchMoveImpact({ group: group.group, add: [device.device] });
        const ask = (effect: rollouts.Arrivals) => confirmMove(group.name, effect, t('ui.save'));
        if (!(await runConfirmed(impact, ask, send))) return false;
      }
      // The form now shows what was saved; the loaded device is still the previous one.
      setBase({ values, etag: undefined, shown: etag });
      dropDraft(owner, form);
      highlight('devices', [device.device]);
      toast(t('ui.done.edited'));
      await client.invalidateQueries({ queryKey: ['devices'] });
      return true;
    } catch (error) {
      await explain(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const explain = async (error: unknown): Promise<void> => {
    if (!(error instanceof ApiError) || error.key !== 'conflict.stale') return showError(error);
    await client.refetchQueries({ queryKey: ['devices', 'one', device.device] });
    const current = client.getQueryData<{ device: DeviceDetails; etag: string | undefined } | null>([
      'devices',
      'one',
      device.device,
    ]);
    if (current === null || current === undefined) return showError(error);
    const theirs = valuesOf(current.device);
    setBase({ values: theirs, etag: current.etag, shown: current.etag });
    await showMessage({
      title: t('ui.dialog.warningTitle'),
      text: t('deviceForms.stale', { vehicle: theirs.vehicleNumber, note: theirs.note, group: current.device.group_name }),
    });
  };
  useUnsavedChanges(dirty, save);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty && mayEdit) void save();
  };
  return (
    <form className="form" onSubmit={submit}>
      {draft.found !== undefined && !dirty && mayEdit && (
        <DraftOffer
          onRestore={() => {
            setValues(draft.found ?? values);
            draft.discard();
          }}
          onDiscard={() => {
            dropDraft(owner, form);
            draft.discard();
          }}
        />
      )}
      <TextInput
        label={t('devices.column.vehicle')}
        value={values.vehicleNumber}
        maxLength={60}
        readOnly={!mayEdit}
        onChange={(event) => setValues({ ...values, vehicleNumber: event.currentTarget.value })}
      />
      <GroupSelect
        label={t('devices.column.group')}
        value={group}
        fixed={!mayEdit}
        onChange={(picked) => setValues({ ...values, group: picked })}
      />
      <Textarea
        label={t('devices.column.note')}
        value={values.note}
        maxLength={1000}
        rows={3}
        readOnly={!mayEdit}
        onChange={(event) => setValues({ ...values, note: event.currentTarget.value })}
      />
      <div className="form__actions">
        <SaveButton dirty={dirty} saving={saving} reason={mayEdit ? undefined : t('deviceForms.adminsOnly')} />
      </div>
    </form>
  );
}
