import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import '../../../ui/form/form.css';
import '../../../ui/form/inputs.css';
import { toast } from '../../../ui/toasts.ts';
import { DevicesField } from '../form/DevicesField.tsx';
import '../form/group-form.css';
import { useGroupForm } from '../form/useGroupForm.ts';
import { emptyValues } from '../form/values.ts';
import type { GroupDetails } from '../groups.api.ts';
import { MoveDialog } from '../move/MoveDialog.tsx';

export interface ControlledGroupProps {
  readonly group: GroupDetails;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

/** The form for a user with Full Control of a group: its name, description and devices (OLD-01). */
export function ControlledGroup({ group, etag, onClose }: ControlledGroupProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState(false);
  const form = useGroupForm({
    form: `group-${group.group}`,
    stored: { group, etag },
    empty: emptyValues,
    onSaved: () => {
      toast(t('ui.done.edited'));
      setDone(true);
    },
  });
  useEffect(() => {
    if (done) onClose();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it was saved
  }, [done]);
  const { values, set, dirty, saving, abandon } = form;
  const cancel = () => {
    abandon();
    onClose();
  };
  const nameless = values.name.trim() === '' ? t('groups.form.nameNeeded') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty && !saving && nameless === undefined) void form.save();
  };
  return (
    <>
      <Dialog
        title={t('groups.control.editing', { group: group.groupName })}
        onClose={cancel}
        sticky
        actions={
          <>
            <Button disabled={saving} onClick={cancel}>
              {t('ui.cancel')}
            </Button>
            <ActionButton
              type="submit"
              form={id}
              variant="filled"
              loading={saving}
              disabledReason={dirty ? nameless : t('ui.nothingChanged')}
            >
              {t('ui.save')}
            </ActionButton>
          </>
        }
      >
        <form id={id} className="form" noValidate onSubmit={submit}>
          <TextInput
            label={t('groups.form.name')}
            withAsterisk
            aria-required
            maxLength={100}
            autoComplete="off"
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Textarea
            label={t('groups.form.description')}
            rows={3}
            maxLength={1000}
            value={values.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <DevicesField group={group.group} deviceCount={group.deviceCount} moves={values.moves} onOpen={() => setOpen(true)} />
          <p className="dim">{t('groups.control.bindings')}</p>
        </form>
      </Dialog>
      {open && (
        <MoveDialog
          group={group.group}
          name={values.name}
          moves={values.moves}
          onClose={() => setOpen(false)}
          onSave={(moves) => {
            setOpen(false);
            set({ moves });
          }}
        />
      )}
    </>
  );
}
