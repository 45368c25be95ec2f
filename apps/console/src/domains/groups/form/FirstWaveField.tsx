import { rollouts } from '@highline/contract';
import { skipToken, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { viewsQuery } from '../../../api/views/views.api.ts';
import { fetchDevices, tagsQuery } from '../../../entities/devices/devices.api.ts';
import { deviceList } from '../../../entities/devices/devices.lists.ts';
import { filterOfList } from '../../../entities/devices/list-filter.ts';
import { vehicleName } from '../../../entities/devices/vehicle-name.ts';
import { NativeSelect } from '../../../ui/controls/TextInput.tsx';
import { ChoicesField } from '../../../ui/form/ChoicesField.tsx';
import { parseListSearch, queryOf } from '../../../ui/list/spec.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';
import { membersQuery, type Member } from '../move/members.api.ts';
import type { Moves } from '../move/moves.ts';
import { type FirstKind, firstKinds, type FirstVehicle, type RolloutDraft } from './rollout-draft.ts';

/** The most vehicles of a view that go first. */
const MOST_OF_VIEW = 200;
/** The value of an option that keeps what the rollout before has. */
const KEPT = 'before';
/** The number of vehicles offered at once; a text narrows them down. */
const OFFERED = 20;

const useDeviceViews = () =>
  (useQuery(viewsQuery).data ?? []).filter(({ list, missing }) => list === 'devices' && missing.length === 0);

/** The vehicles of a group that a saved view shows now. */
function useViewDevices(group: string | undefined, id: string) {
  const zone = useZone();
  const view = useDeviceViews().find((one) => one.id === id);
  const filter = view && filterOfList({ ...queryOf(deviceList, parseListSearch(deviceList, view.content.search)), zone });
  return useQuery({
    queryKey: ['devices', 'first', group, filter],
    queryFn: filter
      ? ({ signal }) =>
          fetchDevices({ ...filter, ...(group === undefined ? {} : { group }), limit: MOST_OF_VIEW + 1, offset: 0 }, signal)
      : skipToken,
    meta: { topics: ['devices', 'groups'] },
  });
}

/** What goes first, as the call takes it, or why it cannot be saved yet; neither = a number of routers. */
export function useFirstWave(
  group: string | undefined,
  { first, devices, tag, view }: RolloutDraft,
): { readonly first?: rollouts.FirstWave; readonly problem?: string } {
  const { t } = useTranslation();
  const found = useViewDevices(group, first === 'view' ? view : '').data?.rows;
  const needed = { problem: t('rolloutOptions.first.needed') };
  if (first === 'count') return {};
  if (first === 'devices') return devices.length === 0 ? needed : { first: { devices: devices.map(({ device }) => device) } };
  if (first === 'tag') return tag === '' ? needed : { first: { tag } };
  if (view === '' || found === undefined) return needed;
  if (found.length === 0) return { problem: t('rolloutOptions.first.empty') };
  if (found.length > MOST_OF_VIEW) return { problem: t('rolloutOptions.first.tooMany', { most: formatNumber(MOST_OF_VIEW) }) };
  return { first: { devices: found.map(({ device }) => device) } };
}

/** Vehicles of the group whose number or serial number contains a text; without a group those that join it. */
function useVehicles(group: string | undefined, { add, remove }: Moves, text: string): readonly Member[] {
  const view = { page: 1, size: OFFERED, sort: undefined, search: text === '' ? undefined : text, ignoreCase: 'true' } as const;
  const enabled = group !== undefined;
  const byVehicle = useQuery({ ...membersQuery(group ?? '', { ...view, field: 'vehicle' }, 0, OFFERED), enabled }).data;
  const bySerial = useQuery({ ...membersQuery(group ?? '', { ...view, field: 'serial' }, 0, OFFERED), enabled }).data;
  const has = (member: Member) => `${vehicleName(member)} ${member.serial_number}`.toLowerCase().includes(text.toLowerCase());
  const leaving = new Set(remove.map(({ device }) => device));
  const all = [...add.filter(has), ...(byVehicle?.rows ?? []), ...(bySerial?.rows ?? [])];
  return [...new Map(all.map((member) => [member.device, member])).values()].filter(({ device }) => !leaving.has(device));
}

interface VehiclesProps {
  readonly group: string | undefined;
  readonly moves: Moves;
  readonly chosen: readonly FirstVehicle[];
  readonly onChange: (chosen: readonly FirstVehicle[]) => void;
}

function Vehicles({ group, moves, chosen, onChange }: VehiclesProps): ReactNode {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const found = useVehicles(group, moves, useDeferredValue(text.trim()));
  const offered = found.map((member) => ({ value: member.device, label: vehicleName(member), hint: member.serial_number }));
  const known = [...chosen.map(({ device, name }) => ({ value: device, label: name })), ...offered];
  return (
    <ChoicesField
      label={t('rolloutOptions.first.vehicles')}
      data={known}
      value={chosen.map(({ device }) => device)}
      onSearch={setText}
      empty={t('rolloutOptions.first.none')}
      onChange={(ids) =>
        onChange(ids.map((device) => ({ device, name: known.find(({ value }) => value === device)?.label ?? device })))
      }
    />
  );
}

export interface FirstWaveFieldProps extends Omit<VehiclesProps, 'chosen' | 'onChange'> {
  readonly draft: RolloutDraft;
  readonly onChange: (part: Partial<RolloutDraft>) => void;
  /** The field for the number of routers. */
  readonly count: ReactNode;
  /** Whether vehicles can be named; left out = they can. */
  readonly canName?: boolean;
  /** It is as in the rollout before. */
  readonly isKept?: boolean;
  /** Keep it as in the rollout before; left out = that has none. */
  readonly onKeep?: () => void;
}

/** "First these": a number of routers, chosen vehicles, those with a tag, or those of a saved view (WIN-01). */
export function FirstWaveField({
  group,
  moves,
  draft,
  onChange,
  count,
  canName = true,
  isKept = false,
  onKeep,
}: FirstWaveFieldProps): ReactNode {
  const { t } = useTranslation();
  const tags = useQuery(tagsQuery()).data ?? [];
  const views = useDeviceViews();
  const choose = { value: '', label: t('rolloutOptions.first.choose') };
  const isOffered = { count: true, devices: canName, tag: true, view: views.length > 0 || draft.first === 'view' };
  const offered = firstKinds.filter((one) => isOffered[one]);
  const kind = isKept ? undefined : draft.first;
  return (
    <>
      <NativeSelect
        label={t('rolloutOptions.first.label')}
        value={kind ?? KEPT}
        data={[
          ...(onKeep ? [{ value: KEPT, label: t('rolloutOptions.asBefore') }] : []),
          ...offered.map((one) => ({ value: one, label: t(`rolloutOptions.first.${one}`) })),
        ]}
        onChange={({ currentTarget: { value } }) => (value === KEPT ? onKeep?.() : onChange({ first: value as FirstKind }))}
      />
      {kind === 'count' && count}
      {kind === 'devices' && (
        <Vehicles group={group} moves={moves} chosen={draft.devices} onChange={(devices) => onChange({ devices })} />
      )}
      {kind === 'tag' && (
        <NativeSelect
          label={t('rolloutOptions.first.tagField')}
          value={draft.tag}
          data={[choose, ...tags]}
          onChange={({ currentTarget }) => onChange({ tag: currentTarget.value })}
        />
      )}
      {kind === 'view' && (
        <NativeSelect
          label={t('rolloutOptions.first.viewField')}
          description={t('rolloutOptions.first.viewHint', { most: formatNumber(MOST_OF_VIEW) })}
          value={draft.view}
          data={[choose, ...views.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={({ currentTarget }) => onChange({ view: currentTarget.value })}
        />
      )}
    </>
  );
}
