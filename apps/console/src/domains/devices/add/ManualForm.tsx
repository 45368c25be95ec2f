import { TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/useAction.ts';
import { ApiError } from '../../../api/errors.ts';
import { useSession } from '../../../session/session.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { DateField } from '../../../ui/form/DateField.tsx';
import { DraftOffer } from '../../../ui/form/DraftOffer.tsx';
import { dropDraft, useDraft } from '../../../ui/form/drafts.ts';
import { useUnsavedChanges } from '../../../ui/form/useUnsavedChanges.ts';
import { GroupSelect, useChosenGroup } from '../GroupSelect.tsx';
import { addDevice, type NewDevice } from './device-add.api.ts';
import { emptyDevice, macOf, problemsOf, type Field } from './device-add.ts';
import { useFieldFaults } from './useFieldFaults.ts';

const FORM = 'device-add';

function parseDraft(stored: unknown): NewDevice | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const values = Object.keys(emptyDevice).map((key) => [key, (stored as Record<string, unknown>)[key]]);
  return values.every(([, value]) => typeof value === 'string') ? (Object.fromEntries(values) as NewDevice) : undefined;
}

/** The field of a server failure (DEV-06): MAC errors at the MAC, all others at the serial number. */
function fieldOf(error: unknown): Field | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.key === 'device.mac_mismatch' || error.detail === 'mac') return 'mac';
  if (error.key === 'device.dates_reversed') return 'expired';
  return error.code === -6 ? 'serial_number' : undefined;
}

export interface ManualFormProps {
  readonly org: string | undefined;
  /** The main account has to choose an organization first; called when it has not. */
  readonly needsOrg: boolean;
  readonly onMissingOrg: () => void;
  /** `leaving`: the person is on the way elsewhere. */
  readonly onAdded: (ids: readonly string[], leaving: boolean) => void;
}

/** Add one device by hand (DEV-05, DEV-06). */
export function ManualForm({ org, needsOrg, onMissingOrg, onAdded }: ManualFormProps): ReactNode {
  const { t } = useTranslation();
  const { id: owner } = useSession();
  const [device, setDevice] = useState<NewDevice>(emptyDevice);
  const [added, setAdded] = useState<readonly string[]>();
  const mayPick = !needsOrg || org !== undefined;
  const group = useChosenGroup(device.group, org, mayPick);
  const dirty = added === undefined && JSON.stringify(device) !== JSON.stringify(emptyDevice);
  const draft = useDraft(owner, FORM, device, dirty, parseDraft);

  const labels: Readonly<Record<Field, string>> = {
    org: t('deviceForms.field.org'),
    group: t('deviceForms.field.group'),
    mac: t('deviceForms.field.mac'),
    serial_number: t('deviceForms.field.serial'),
    started: t('deviceForms.field.started'),
    expired: t('deviceForms.field.expired'),
  };
  const faults = useFieldFaults(labels);
  const add = useAction<NewDevice, readonly string[]>({
    run: (input) => addDevice(org, input),
    onDone: (ids) => {
      dropDraft(owner, FORM);
      setAdded(ids);
    },
    onError: (error) => faults.reject(error, fieldOf(error)),
  });

  const change = (field: keyof NewDevice) => (value: string) => {
    setDevice((before) => ({ ...before, [field]: value }));
    faults.discard(field);
  };
  const isComplete = (): boolean => {
    const found = problemsOf(device, org, needsOrg);
    faults.show(found);
    const first = (['serial_number', 'mac', 'started', 'expired'] as const).find((field) => found[field] !== undefined);
    if (found.org !== undefined) onMissingOrg();
    else if (first !== undefined) faults.focusOn(first);
    return Object.keys(found).length === 0;
  };
  /** @returns whether it was added */
  const save = async (): Promise<boolean> =>
    isComplete() &&
    add.attempt({
      ...device,
      group: group.group,
      mac: macOf(device.mac) ?? device.mac,
      serial_number: device.serial_number.trim(),
    });
  const leaving = useUnsavedChanges(dirty, save);
  // Open the list only after the form counts as saved, or leaving would warn about unsaved changes.
  useEffect(() => {
    if (added !== undefined) onAdded(added, leaving.current);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when they were added
  }, [added]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };

  return (
    <form ref={faults.form} className="form" noValidate onSubmit={submit}>
      {draft.found !== undefined && !dirty && (
        <DraftOffer
          onRestore={() => {
            setDevice(draft.found ?? emptyDevice);
            draft.discard();
          }}
          onDiscard={() => {
            dropDraft(owner, FORM);
            draft.discard();
          }}
        />
      )}
      <TextInput
        name="serial_number"
        label={labels.serial_number}
        withAsterisk
        aria-required
        value={device.serial_number}
        error={faults.textOf('serial_number')}
        autoComplete="off"
        onChange={(event) => change('serial_number')(event.currentTarget.value)}
      />
      <TextInput
        name="mac"
        label={labels.mac}
        description={t('deviceForms.macHint')}
        withAsterisk
        aria-required
        value={device.mac}
        error={faults.textOf('mac')}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => change('mac')(event.currentTarget.value)}
      />
      <GroupSelect required label={labels.group} value={group} org={org} fixed={!mayPick} onChange={change('group')} />
      <div className="form__pair">
        <DateField
          name="started"
          label={labels.started}
          value={device.started}
          required
          error={faults.textOf('started')}
          onChange={change('started')}
        />
        <DateField
          name="expired"
          label={labels.expired}
          value={device.expired}
          required
          error={faults.textOf('expired')}
          onChange={change('expired')}
        />
      </div>
      <p className="dim">{t('deviceForms.utc')}</p>
      <div className="form__actions">
        <ActionButton
          type="submit"
          variant="filled"
          loading={add.busy}
          disabledReason={dirty ? undefined : t('ui.nothingChanged')}
        >
          {t('deviceForms.add')}
        </ActionButton>
      </div>
    </form>
  );
}
