import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { Panel } from '../../entities/devices/Panel.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { RunPanel, toneOf } from './RunPanel.tsx';
import { useRunTexts } from './run-texts.ts';
import { SpeedPanel } from './SpeedPanel.tsx';
import { ToolForm } from './ToolForm.tsx';
import { fetchBundle, runsQuery, type ToolDevice, type ToolRun } from './tools.api.ts';
import './tools.css';

/** Tests that the router of a device runs by itself: one to run, the chosen one, and those before. */
export function ToolsPanels({ device, org, isOnline }: ToolDevice & { isOnline: boolean }): ReactNode {
  const { run } = useSearch({ from: '/signed-in/devices/setting' });
  const of = { device, org };
  return (
    <>
      <ToolForm device={of} isOnline={isOnline} />
      {run !== undefined && <RunPanel key={run} device={of} run={run} />}
      <SpeedPanel device={of} />
      <History device={of} chosen={run} />
      <BundlePanel device={device} />
    </>
  );
}

/** The periods of a support bundle, days. */
const periods = [1, 7, 30] as const;

function BundlePanel({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('tools') === 'admin';
  const [days, setDays] = useState<number>(7);
  const download = useAction<void, Blob>({
    run: () => fetchBundle(device, days),
    onDone: (file) => saveFile(file, `${device}.zip`),
  });
  return (
    <Panel id="tools-bundle" title={t('tools.bundle')}>
      <p className="dim">{t('tools.bundleText')}</p>
      <div className="tool-form">
        <NativeSelect
          label={t('tools.period')}
          value={String(days)}
          data={periods.map((count) => ({ value: String(count), label: t('tools.days', { count }) }))}
          onChange={({ currentTarget: { value } }) => setDays(Number(value))}
        />
      </div>
      <div>
        <ActionButton
          icon={<IconDownload size={16} />}
          loading={download.busy}
          disabledReason={isAdmin ? undefined : t('tools.adminsOnly')}
          onClick={() => download.run()}
        >
          {t('tools.download')}
        </ActionButton>
      </div>
    </Panel>
  );
}

function History({ device, chosen }: { device: ToolDevice; chosen: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(runsQuery(device));
  const runs = data?.pages.flatMap(({ result }) => result);
  return (
    <Panel id="tools-history" title={t('tools.history')}>
      {runs === undefined && error === null && <Skeleton lines={4} />}
      {runs === undefined && error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {runs?.length === 0 && <EmptyState text={t('tools.none')} detail={t('tools.noneHint')} />}
      {runs !== undefined && runs.length > 0 && (
        <ul className="tool-runs">
          {runs.map((run) => (
            <Line key={run.id} run={run} isChosen={run.id === chosen} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('tools.more')}
        </Button>
      )}
    </Panel>
  );
}

function Line({ run, isChosen }: { run: ToolRun; isChosen: boolean }): ReactNode {
  const { t } = useTranslation();
  const { summary } = useRunTexts();
  const { input, by, started } = run;
  return (
    <li>
      <Link
        to="/devices/setting"
        search={{ device: run.device, tab: 'tools', run: run.id }}
        className="tool-run"
        aria-current={isChosen ? 'true' : undefined}
        activeProps={{}}
        replace
        resetScroll={false}
      >
        <StatusDot tone={toneOf(run)}>{t(`tools.kind.${input.tool}`)}</StatusDot>
        <span className="tool-run__what">
          {'host' in input && <span>{input.host}</span>}
          <span className="dim">{summary(run)}</span>
        </span>
        <span className="dim">
          {by} · <RelativeTime moment={started} />
        </span>
      </Link>
    </li>
  );
}
