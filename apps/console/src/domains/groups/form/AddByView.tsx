import { Button } from '../../../ui/controls/Button.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { type SavedView, viewsQuery } from '../../../api/views/views.api.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { PickField } from '../../../ui/form/PickField.tsx';
import { parseListSearch, queryOf } from '../../../ui/list/spec.ts';
import { OptionList } from '../../../ui/OptionList.tsx';
import { useZone } from '../../../ui/time/zone.ts';
import { type Chosen, type Job, startConfirmed } from '../../../entities/jobs/bulk-jobs.api.ts';
import { Effect } from '../../../entities/jobs/Effect.tsx';
import { useShowJob } from '../../../entities/jobs/useJobs.ts';
import { filterOfList } from '../../../entities/devices/list-filter.ts';
import { deviceList } from '../../../entities/devices/devices.lists.ts';
import { useConfirmMove } from '../../../entities/groups/useConfirmRestart.ts';

interface AddByViewProps {
  readonly group: string;
  readonly name: string;
}

/** The devices that a view shows now. */
function chosenBy({ content }: SavedView, zone: string): Chosen {
  const query = queryOf(deviceList, parseListSearch(deviceList, content.search));
  return { selection: { filter: filterOfList({ ...query, zone }) }, count: 0 };
}

function ViewDialog({
  group,
  name,
  views,
  onClose,
}: AddByViewProps & { views: readonly SavedView[]; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [view, setView] = useState<SavedView>();
  const zone = useZone();
  const show = useShowJob();
  const confirmMove = useConfirmMove();
  const action = { kind: 'move', group } as const;
  const move = useAction<SavedView, Job | undefined>({
    run: (by) =>
      startConfirmed(
        chosenBy(by, zone),
        action,
        async ({ arrivals }, isAgain) =>
          arrivals === null || confirmMove(name, arrivals, t('bulkJobs.move.submit'), isAgain ? t('bulkJobs.move.changed') : ''),
      ),
    onDone: (job) => {
      if (job === undefined) return;
      onClose();
      show(job);
    },
  });
  return (
    <FormDialog
      title={t('groups.byView.title', { group: name })}
      submit={t('bulkJobs.move.submit')}
      busy={move.busy}
      disabledReason={view === undefined ? t('groups.byView.first') : undefined}
      onClose={onClose}
      onSubmit={() => view !== undefined && move.run(view)}
    >
      <PickField label={t('groups.byView.view')} shown={view?.name ?? ''} empty={view === undefined}>
        {(close) => (
          <OptionList
            label={t('groups.byView.view')}
            options={views.map(({ id, name: label }) => ({ value: id, label }))}
            selected={view?.id ?? ''}
            onPick={(id) => {
              close();
              setView(views.find((one) => one.id === id));
            }}
          />
        )}
      </PickField>
      <p className="dim">{t('groups.byView.now')}</p>
      {view !== undefined && <Effect chosen={chosenBy(view, zone)} action={action} />}
    </FormDialog>
  );
}

/** Makes the devices of a saved view members of a group, and so routers of its rollouts (BLK-03). Absent without saved views of devices. */
export function AddByView({ group, name }: AddByViewProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const views = useQuery(viewsQuery).data?.filter(({ list, missing }) => list === 'devices' && missing.length === 0) ?? [];
  if (views.length === 0) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('groups.byView.open')}</Button>
      {open && <ViewDialog group={group} name={name} views={views} onClose={() => setOpen(false)} />}
    </>
  );
}
