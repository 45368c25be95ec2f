import { TextInput, Textarea } from '../../../ui/controls/TextInput.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../../api/EntityForm.tsx';
import { toast } from '../../../ui/toasts.ts';
import { DevicesField } from '../form/DevicesField.tsx';
import '../form/group-form.css';
import { useGroupForm } from '../form/useGroupForm.ts';
import type { GroupDetails } from '../../../entities/groups/group.api.ts';
import { MoveDialog } from '../move/MoveDialog.tsx';

export interface ControlledGroupProps {
  readonly group: GroupDetails;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

/** The form for a user with Full Control of a group: its name, description and devices (OLD-01). */
export function ControlledGroup({ group, etag, onClose }: ControlledGroupProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const form = useGroupForm({
    stored: { group, etag },
    onSaved: () => {
      toast(t('ui.done.edited'));
      onClose();
    },
  });
  const { values, set, abandon } = form;
  const cancel = () => {
    abandon();
    onClose();
  };
  return (
    <>
      <EntityDialog
        form={form}
        title={t('groups.control.editing', { group: group.groupName })}
        submit={t('ui.save')}
        onClose={cancel}
      >
        <TextInput maxLength={100} autoComplete="off" {...form.text('name')} />
        <Textarea label={t('groups.form.description')} rows={3} maxLength={1000} {...form.text('description')} />
        <DevicesField group={group.group} deviceCount={group.deviceCount} moves={values.moves} onOpen={() => setOpen(true)} />
        <p className="dim">{t('groups.control.bindings')}</p>
      </EntityDialog>
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
