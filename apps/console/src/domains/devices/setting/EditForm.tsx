import type { rollouts } from '@highline/contract';
import { TextInput, Textarea } from '../../../ui/controls/TextInput.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { runConfirmed } from '../../../api/confirmed.ts';
import { PageForm } from '../../../api/EntityForm.tsx';
import { highlight } from '../../../api/highlights.ts';
import { changesOf } from '../../../api/useKeptDraft.ts';
import { reload, useEntityForm } from '../../../api/useEntityForm.ts';
import { useRoleFor } from '../../../api/session.ts';
import { fetchMoveImpact, groupQuery } from '../../../entities/groups/group.api.ts';
import { useConfirmMove } from '../../../entities/groups/useConfirmRestart.ts';
import { TagsField } from '../../../ui/form/TagsField.tsx';
import { tagsQuery } from '../../../entities/devices/devices.api.ts';
import { type ChosenGroup, GroupSelect, useChosenGroup } from '../../../entities/groups/GroupSelect.tsx';
import { saveDevice } from './device-setting.api.ts';
import { type DeviceDetails, deviceQuery } from '../../../entities/devices/device.api.ts';

const valuesOf = ({ vehicleNumber, note, group, tags }: DeviceDetails) => ({ vehicleNumber, note, group, tags });

/** Vehicle number, group and note of a device; admins can save a change (DEV-07, SHR-06). */
export function EditForm({ device, etag }: { device: DeviceDetails; etag: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const mayEdit = useRoleFor('devices') === 'admin';
  const confirmMove = useConfirmMove();
  const queries = useQueryClient();
  const id = device.device;
  const form = useEntityForm<ReturnType<typeof valuesOf>>({
    stored: { values: valuesOf(device), etag },
    blocked: () => (mayEdit ? undefined : t('deviceForms.adminsOnly')),
    save: async (values, base) => {
      // Only changed fields are sent.
      const change = changesOf(base.values, { ...values, group: group.group });
      const send = (confirmed?: string) => saveDevice(id, { ...change, confirmed }, base.etag);
      if (change.group === undefined) return send();
      const impact = await fetchMoveImpact({ group: group.group, add: [id] });
      // Save may be pressed before the name of the chosen group has been loaded.
      const nameOf = async () =>
        group.name || ((await queries.ensureQueryData(groupQuery(group.group)))?.group.groupName ?? group.group);
      const ask = async (effect: rollouts.Arrivals) => confirmMove(await nameOf(), effect, t('ui.save'));
      return (await runConfirmed(impact, ask, send)) ? undefined : false;
    },
    onSaved: () => highlight('devices', [id]),
    done: t('ui.done.edited'),
    refresh: ['devices'],
    stale: reload(deviceQuery(id), (current) => {
      const { vehicleNumber: vehicle, note, group_name: named } = current.device;
      const text = t('deviceForms.stale', { vehicle, note, group: named });
      return { values: valuesOf(current.device), etag: current.etag, text };
    }),
    gone: { when: 'not_found', to: '/devices/list' },
    draft: `device-${id}`,
  });
  const known = useQuery({ ...tagsQuery(), enabled: mayEdit }).data ?? [];
  const typed = form.values.group;
  const chosen = useChosenGroup(typed, undefined, typed !== device.group);
  const group: ChosenGroup = typed === device.group ? { group: device.group, name: device.group_name } : chosen;
  return (
    <PageForm form={form}>
      <TextInput label={t('devices.column.vehicle')} maxLength={60} readOnly={!mayEdit} {...form.text('vehicleNumber')} />
      <GroupSelect {...form.field('group')} label={t('devices.column.group')} value={group} fixed={!mayEdit} />
      <TagsField {...form.field('tags')} suggestions={known} readOnly={!mayEdit} />
      <Textarea label={t('devices.column.note')} maxLength={1000} rows={3} readOnly={!mayEdit} {...form.text('note')} />
    </PageForm>
  );
}
