import type { bulkJobs, Role } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { type FileList, visibleColumns } from '../../api/DownloadButton.tsx';
import { useAction } from '../../api/useAction.ts';
import { useSession } from '../../api/session.ts';
import { useReason } from '../../api/useNotAllowed.ts';
import { useLanguage } from '../../ui/language.ts';
import { SelectionBar } from '../../ui/list/SelectionBar.tsx';
import type { Selection } from '../../ui/list/useSelection.ts';
import { useZone } from '../../ui/time/zone.ts';
import { type Chosen, fetchChosenFile, type Job } from '../../entities/jobs/bulk-jobs.api.ts';
import './bulk-jobs.css';
import { CommandChoice } from './CommandChoice.tsx';
import { MoveChoice } from './MoveChoice.tsx';
import { SubscriptionChoice } from './SubscriptionChoice.tsx';
import { TagsChoice } from './TagsChoice.tsx';
import { useDeleteChosen } from './useDeleteChosen.ts';
import { useShowJob } from '../../entities/jobs/useJobs.ts';

type Filter = Extract<Chosen['selection'], { filter: unknown }>['filter'];
type DialogKind = Exclude<bulkJobs.JobKind, 'delete' | 'remove' | 'send'>;

export interface BulkBarProps<Row> {
  readonly selection: Selection<Row>;
  /** The filter of the list, and how many devices it matches. */
  readonly filter: Filter;
  readonly total: number;
  readonly org?: string | undefined;
  readonly layout: 'devices' | 'organizations';
  /** The visible columns are those of the file. */
  readonly list: FileList;
  readonly reload: () => void;
}

/** All that match are chosen, until the selection or the filter changes. */
function useEverything<Row>({ selection, filter, total }: BulkBarProps<Row>) {
  const key = JSON.stringify(filter);
  const [all, setAll] = useState<{ readonly choice: unknown; readonly key: string }>();
  const isAll = all !== undefined && all.choice === selection.choice && all.key === key;
  return {
    isAll,
    count: isAll ? total : selection.selected.size,
    choose: () => setAll({ choice: selection.choice, key }),
  };
}

/** Jobs that a role may start, besides deletions (`jobRoles` of the contract). */
const kindsOf: Readonly<Record<Role, readonly DialogKind[]>> = {
  main: ['subscription'],
  admin: ['move', 'command', 'tags'],
  user: [],
};
/** The call that does to one device what a job of each kind does to many (`rightsOfJob` of the contract). */
const callOf = {
  move: 'devices.save',
  tags: 'devices.save',
  subscription: 'devices.saveSubscription',
  command: 'commands.run',
  delete: 'devices.delete',
} as const;
const dialogs = { move: MoveChoice, subscription: SubscriptionChoice, tags: TagsChoice, command: CommandChoice } as const;

/** What can be done with the selected devices of a list (BLK-01); nothing while none is selected. */
export function BulkBar<Row>(props: BulkBarProps<Row>): ReactNode {
  const { selection, filter, total, org, layout, list, reload } = props;
  const { t } = useTranslation();
  const { role } = useSession();
  const reason = useReason();
  const mayStart = (kind: keyof typeof callOf) => (reason('jobs.start') ?? reason(callOf[kind])) === undefined;
  const everything = useEverything(props);
  const [open, setOpen] = useState<DialogKind>();
  const show = useShowJob();
  const { count } = everything;
  const chosen: Chosen = {
    selection: everything.isAll ? { filter } : { devices: [...selection.selected.keys()] },
    org,
    count,
  };
  const onStarted = (job: Job) => {
    setOpen(undefined);
    selection.leave();
    reload();
    show(job);
  };
  const names = everything.isAll ? undefined : [...selection.selected.values()].map(selection.nameOf);
  const remove = useDeleteChosen(chosen, names, onStarted);
  const download = useDownload(chosen, layout, list);
  if (selection.active || selection.selected.size === 0) return null;
  const kinds = kindsOf[role].filter(mayStart);
  const Choice = open === undefined ? undefined : dialogs[open];
  return (
    <SelectionBar
      label={t('bulkJobs.bar.label')}
      count={count}
      onClear={selection.leave}
      all={everything.isAll || total <= count ? undefined : { count: total, select: everything.choose }}
    >
      {kinds.map((kind) => (
        <Button key={kind} onClick={() => setOpen(kind)}>
          {t(`bulkJobs.bar.${kind}`)}
        </Button>
      ))}
      <Button loading={download.busy} onClick={() => download.run()}>
        {t('ui.selection.export')}
      </Button>
      {mayStart('delete') && (
        <Button color="danger" loading={remove.busy} onClick={remove.confirm}>
          {t('bulkJobs.bar.delete')}
        </Button>
      )}
      {Choice !== undefined && <Choice chosen={chosen} onClose={() => setOpen(undefined)} onStarted={onStarted} />}
    </SelectionBar>
  );
}

function useDownload(chosen: Chosen, layout: 'devices' | 'organizations', list: FileList) {
  const language = useLanguage();
  const zone = useZone();
  return useAction<void, Blob>({
    run: () => fetchChosenFile(chosen, layout, { zone, language, columns: visibleColumns(list) }),
    onDone: (file) => saveFile(file, 'Devices_export.csv'),
  });
}
