import { IconDownload, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { Loaded } from '../../api/Loaded.tsx';
import { saveFile } from '../../api/download.ts';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { Panel } from '../../entities/devices/Panel.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Copyable } from '../../ui/CopyButton.tsx';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { LogDialog } from './LogDialog.tsx';
import { Comparison } from './RunComparison.tsx';
import { Facts } from './RunFacts.tsx';
import { fetchRunFile, runQuery, type ToolDevice, type ToolRun } from './tools.api.ts';

const tones: Readonly<Record<ToolRun['state'], Tone>> = { running: 'busy', done: 'ok', failed: 'bad' };

/** The tone of a run: one that ended with a problem of the network is no success. */
export function toneOf({ state, result }: ToolRun): Tone {
  if (state !== 'done' || result === null) return tones[state];
  return result.status === 'complete' && hasAnswer(result) ? 'ok' : 'warn';
}

function hasAnswer(result: NonNullable<ToolRun['result']>): boolean {
  if (result.tool === 'ping') return result.answered > 0;
  return result.tool !== 'dns' || result.answers.some(({ status }) => status === 'found');
}

/** One test with its result, those before it, and its file. */
export function RunPanel({ device, run }: { device: ToolDevice; run: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(runQuery(run, device.org));
  return (
    <Panel
      id="tools-result"
      title={t('tools.result')}
      more={<Copyable text={addressOf(device, run)} label={t('tools.copyLink')} shown />}
    >
      <Loaded query={query} gone={t('tools.gone')} skeleton={<Skeleton lines={3} />}>
        {({ run: found, earlier }) => (
          <div className="tool-result" role="status" aria-busy={found.state === 'running'}>
            <Head run={found} />
            <Outcome run={found} />
            <Comparison run={found} earlier={earlier} />
            <RunFile run={found} />
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

/** For others of the organization. */
function addressOf({ device }: ToolDevice, run: string): string {
  const search = new URLSearchParams({ device, tab: 'tools', run });
  return `${location.origin}/devices/setting?${search.toString()}`;
}

function Head({ run }: { run: ToolRun }): ReactNode {
  const { t } = useTranslation();
  const { input, state, by, started, rule } = run;
  const about = 'host' in input ? ` · ${input.host}` : '';
  return (
    <p className="tool-result__head">
      <StatusDot tone={toneOf(run)}>{t(`tools.state.${state}`)}</StatusDot>
      <strong>
        {t(`tools.kind.${input.tool}`)}
        {about}
      </strong>
      <span className="dim">
        <DateTime moment={started} /> · {t(rule === null ? 'tools.by' : 'tools.byRule', { name: by })}
      </span>
    </p>
  );
}

/** Why it failed, or what it found. */
function Outcome({ run }: { run: ToolRun }): ReactNode {
  const { t } = useTranslation();
  const { result, failure } = run;
  if (failure !== null)
    return (
      <p>
        {t(`tools.failure.${failure.cause}`)} {failure.message !== '' && t('tools.message', { message: failure.message })}
      </p>
    );
  if (result === null) return null;
  return (
    <>
      {result.status !== 'complete' && <p>{t(`tools.status.${result.status}`)}</p>}
      <Facts result={result} />
    </>
  );
}

const hasFile = ({ input: { tool } }: ToolRun) => tool === 'capture' || tool === 'log';

/** What the router sent: to download, and a log also to read. */
function RunFile({ run }: { run: ToolRun }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('tools') === 'admin';
  const [isShown, setShown] = useState(false);
  const ending = run.input.tool === 'log' ? 'log' : 'pcap';
  const download = useAction<void, Blob>({
    run: () => fetchRunFile(run.id),
    onDone: (file) => saveFile(file, `${run.input.tool} ${run.started.slice(0, 16).replace(':', '-')}.${ending}`),
  });
  if (!hasFile(run) || run.state !== 'done') return null;
  if (run.file === null) return run.result?.status === 'complete' && <p className="dim">{t('tools.fileGone')}</p>;
  const reason = isAdmin ? undefined : t('tools.adminsOnly');
  return (
    <div className="tool-result__file">
      <ActionButton
        icon={<IconDownload size={16} />}
        loading={download.busy}
        disabledReason={reason}
        onClick={() => download.run()}
      >
        {t('tools.download')}
      </ActionButton>
      {run.input.tool === 'log' && (
        <ActionButton icon={<IconFileText size={16} />} disabledReason={reason} onClick={() => setShown(true)}>
          {t('tools.show')}
        </ActionButton>
      )}
      <span className="dim">{formatBytes(run.file.bytes)}</span>
      {isShown && <LogDialog run={run} onClose={() => setShown(false)} />}
    </div>
  );
}
