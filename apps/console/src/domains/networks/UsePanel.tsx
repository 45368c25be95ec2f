import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { useAction } from '../../api/useAction.ts';
import { useSavedVersion } from '../../api/useSavedVersion.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useRoleFor, useSession } from '../../api/session.ts';
import { Identifier } from '../../entities/devices/cells.tsx';
import { Panel } from '../../entities/devices/Panel.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { useSearchInput } from '../../ui/composition.ts';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatDay, formatNumber } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import {
  type ClientSettings,
  type ClientUse,
  fetchUseFile,
  saveClientSettings,
  type StoredClientSettings,
  useQueryOf,
} from './networks.api.ts';
import { PartTable } from './NetworkPart.tsx';
import './networks.css';

const LONGEST_SEARCH = 100;
const KEEPS = ['nothing', 'list', 'use'] as const;
const DAYS = [7, 30, 90] as const;

/** What each client of a vehicle used on a day, and how much of it is kept (LIV-02). */
export function UsePanel({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const isMain = useSession().role === 'main';
  const isAdmin = useRoleFor('networks') === 'admin';
  const [day, setDay] = useState('');
  const { searched, input } = useSearchInput();
  const search = useDeferredValue(searched.trim());
  const query = useQuery(useQueryOf(device, day, search));
  const [isOpen, setOpen] = useState(false);
  const use = query.data;
  return (
    <Panel
      id="device-client-use"
      title={t('networks.use.title')}
      more={
        isMain ? undefined : (
          <ActionButton
            disabledReason={isAdmin ? undefined : t('networks.use.adminsOnly')}
            onClick={() => use !== undefined && setOpen(true)}
          >
            {t('networks.use.settings')}
          </ActionButton>
        )
      }
    >
      {use === undefined ? (
        query.isPending ? (
          <Skeleton lines={3} />
        ) : (
          <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
        )
      ) : use.settings.keep === 'use' ? (
        <UseOfDay use={use} device={device} day={day} onDay={setDay} input={input} />
      ) : (
        <p className="dim">{t(`networks.use.off.${use.settings.keep}`)}</p>
      )}
      {isOpen && use !== undefined && <SettingsDialog settings={use.settings} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

interface UseOfDayProps {
  readonly use: ClientUse;
  readonly device: string;
  readonly day: string;
  readonly onDay: (day: string) => void;
  /** Of the search. */
  readonly input: ReturnType<typeof useSearchInput>['input'];
}

function UseOfDay({ use, device, day, onDay, input }: UseOfDayProps): ReactNode {
  const { t } = useTranslation();
  const { today, days, clients, found, total, readAt } = use;
  const known = days.some((each) => each.day === today) ? days : [{ day: today, clients: 0, sent: 0, received: 0 }, ...days];
  const columns = (['name', 'sent', 'received', 'total'] as const).map((id) => ({
    id,
    label: t(`networks.use.column.${id}`),
    isNumber: id !== 'name',
  }));
  return (
    <>
      <div className="network-use">
        <NativeSelect
          label={t('networks.use.day')}
          value={day === '' ? today : day}
          data={known.map(({ day: value, sent, received }) => ({
            value,
            label: `${value === today ? t('networks.use.today') : formatDay(value)} · ${formatBytes(sent + received)}`,
          }))}
          onChange={(event) => onDay(event.currentTarget.value === today ? '' : event.currentTarget.value)}
        />
        <TextInput type="search" label={t('networks.use.search')} maxLength={LONGEST_SEARCH} {...input} />
        <DownloadButton
          fileName={`clients_${today}.csv`}
          hasWorkbook
          fetchFile={(language, _, format) => fetchUseFile({ device, language, format })}
        />
      </div>
      <p className="dim" role="status">
        {t('networks.use.count', { count: total, shown: formatNumber(total) })}
        {found > clients.length && ` · ${t('networks.clients.shown', { shown: clients.length, found })}`}
        {found === 0 && total > 0 && ` · ${t('networks.clients.noMatch')}`}
        {day === '' && (
          <>
            {' · '}
            {readAt === null ? (
              t('networks.use.notYet')
            ) : (
              <>
                {t('networks.use.readAt')} <RelativeTime moment={readAt} />
              </>
            )}
          </>
        )}
      </p>
      {clients.length > 0 && (
        <PartTable label={t('networks.use.table')} columns={columns}>
          {clients.map(({ name, mac, random, sent, received }) => (
            <tr key={mac}>
              <td>
                <div className="strong">{name === '' ? <span className="dim">{t('networks.clients.unnamed')}</span> : name}</div>
                <Identifier value={mac} label="MAC" />
                {random && <div className="dim">{t('networks.clients.random')}</div>}
              </td>
              <td className="num">{formatBytes(sent)}</td>
              <td className="num">{formatBytes(received)}</td>
              <td className="num">{formatBytes(sent + received)}</td>
            </tr>
          ))}
        </PartTable>
      )}
    </>
  );
}

/** What the organization keeps of clients; less is deleted at once. */
function SettingsDialog({ settings, onClose }: { settings: StoredClientSettings; onClose: () => void }): ReactNode {
  const { keep, days } = settings;
  const { t } = useTranslation();
  const client = useQueryClient();
  const [chosen, setChosen] = useState(keep);
  const [kept, setKept] = useState(days);
  const isLess = KEEPS.indexOf(chosen) < KEEPS.indexOf(keep) || kept < days;
  const { etag, onError } = useSavedVersion(settings, t('networks.use.settings'));
  const save = useAction<void, ClientSettings>({
    run: () => saveClientSettings({ keep: chosen, days: kept }, etag),
    onError,
    onDone: () => {
      void client.invalidateQueries({ queryKey: ['networks'] });
      toast(t('ui.done.saved', { msg: t('networks.use.settings') }));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('networks.use.settings')}
      submit={t(isLess ? 'networks.use.saveAndDelete' : 'ui.save')}
      danger={isLess}
      busy={save.busy}
      onClose={onClose}
      onSubmit={() => save.run()}
    >
      <p>{t('networks.use.settingsText')}</p>
      <NativeSelect
        label={t('networks.use.keep')}
        value={chosen}
        data={KEEPS.map((value) => ({ value, label: t(`networks.use.keeps.${value}`) }))}
        onChange={(event) => setChosen(KEEPS.find((value) => value === event.currentTarget.value) ?? keep)}
      />
      {chosen !== 'nothing' && (
        <NativeSelect
          label={t('networks.use.days')}
          value={String(kept)}
          data={DAYS.map((value) => ({ value: String(value), label: t('networks.use.daysOf', { count: value }) }))}
          onChange={(event) => setKept(DAYS.find((value) => String(value) === event.currentTarget.value) ?? days)}
        />
      )}
      {isLess && <p role="alert">{t('networks.use.deletes')}</p>}
    </FormDialog>
  );
}
