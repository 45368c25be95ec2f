import { TextInput } from '../../../ui/controls/TextInput.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../../api/EntityForm.tsx';
import { useEntityForm } from '../../../api/useEntityForm.ts';
import { DateField } from '../../../ui/form/DateField.tsx';
import { TwelveMonths } from '../../../ui/form/TwelveMonths.tsx';
import { type ChosenGroup, GroupSelect, useChosenGroup } from '../../../entities/groups/GroupSelect.tsx';
import { addDevice, type NewDevice } from './device-add.api.ts';
import { emptyDevice, type Field, macOf, problemsOf } from './device-add.ts';
import { fieldOf } from './errors.ts';
import { useProblemTexts } from './useProblemTexts.ts';

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
  const mayPick = !needsOrg || org !== undefined;
  const labels: Readonly<Record<Field, string>> = {
    org: t('deviceForms.field.org'),
    group: t('deviceForms.field.group'),
    mac: t('deviceForms.field.mac'),
    serial_number: t('deviceForms.field.serial'),
    started: t('deviceForms.field.started'),
    expired: t('deviceForms.field.expired'),
  };
  const problemTexts = useProblemTexts(labels);
  const form = useEntityForm<NewDevice, readonly string[]>({
    stored: { values: emptyDevice },
    validate: (device) => {
      const found = problemsOf(device, org, needsOrg);
      if (found.org !== undefined) onMissingOrg();
      return problemTexts(found);
    },
    fieldOf,
    save: (device) =>
      addDevice(org, {
        ...device,
        group: group.group,
        mac: macOf(device.mac) ?? device.mac,
        serial_number: device.serial_number.trim(),
      }),
    onSaved: onAdded,
    draft: 'device-add',
  });
  const group: ChosenGroup = useChosenGroup(form.values.group, org, mayPick);
  const required = { withAsterisk: true, 'aria-required': true, autoComplete: 'off' };
  return (
    <PageForm form={form} submit={t('deviceForms.add')}>
      <TextInput label={labels.serial_number} {...required} {...form.text('serial_number')} />
      <TextInput
        label={labels.mac}
        description={t('deviceForms.macHint')}
        spellCheck={false}
        {...required}
        {...form.text('mac')}
      />
      <GroupSelect {...form.field('group')} required label={labels.group} value={group} org={org} fixed={!mayPick} />
      <div className="form__pair">
        <DateField label={labels.started} required {...form.field('started')} />
        <DateField label={labels.expired} required {...form.field('expired')} />
      </div>
      <TwelveMonths started={form.values.started} onPick={form.set} />
      <p className="dim">{t('deviceForms.utc')}</p>
    </PageForm>
  );
}
