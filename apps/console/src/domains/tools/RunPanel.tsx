import { IconDownload, IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { Loaded } from '../../api/Loaded.tsx';
import { saveFile } from '../../api/download.ts';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { Fact } from '../../entities/devices/Fact.tsx';
import { Panel } from '../../entities/devices/Panel.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { TimeChart } from '../../ui/chart/TimeChart.tsx';
import { valueScale } from '../../ui/chart/scale.ts';
import { Copyable } from '../../ui/CopyButton.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { LogDialog } from './LogDialog.tsx';
import { addressesOf, measureOf, useRunTexts } from './run-texts.ts';
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

function Facts({ result }: { result: NonNullable<ToolRun['result']> }): ReactNode {
  const { t } = useTranslation();
  const { milliseconds, speed } = useRunTexts();
  const address = 'address' in result && result.address !== null && <Fact label={t('tools.fact.address')}>{result.address}</Fact>;
  switch (result.tool) {
    case 'ping': {
      const { answered, lost, least, average, most } = result;
      const times = [least, average, most].filter((time) => time !== null);
      if (answered + lost === 0) return null;
      return (
        <dl className="facts">
          {address}
          <Fact label={t('tools.fact.answered')}>{t('tools.ofPings', { answered, sent: answered + lost })}</Fact>
          {answered > 0 && times.length === 3 && <Fact label={t('tools.fact.times')}>{times.map(milliseconds).join(' · ')}</Fact>}
        </dl>
      );
    }
    case 'traceroute':
      return <Hops hops={result.hops} />;
    case 'dns':
      return result.answers.map(({ status, addresses, server, milliseconds: time }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- answers have no identity and do not change
        <dl key={index} className="facts">
          <Fact label={t('tools.fact.address')}>
            {addresses.length === 0 ? t(`tools.answer.${status}`) : addresses.join(', ')}
          </Fact>
          <Fact label={t('tools.fact.server')}>{server}</Fact>
          {time !== null && <Fact label={t('tools.fact.duration')}>{milliseconds(time)}</Fact>}
        </dl>
      ));
    case 'download':
    case 'upload':
      if (result.transferred === 0) return null;
      return (
        <dl className="facts">
          {result.bitsPerSecond !== null && <Fact label={t('tools.fact.speed')}>{speed(result.bitsPerSecond)}</Fact>}
          <Fact label={t('tools.fact.transferred')}>{formatBytes(result.transferred)}</Fact>
          {result.milliseconds !== null && <Fact label={t('tools.fact.duration')}>{milliseconds(result.milliseconds)}</Fact>}
          {address}
        </dl>
      );
    case 'capture':
      if (result.packets === null) return null;
      return (
        <dl className="facts">
          <Fact label={t('tools.fact.packets')}>{formatNumber(result.packets)}</Fact>
        </dl>
      );
    case 'log':
      return null;
  }
}

type Hop = Extract<NonNullable<ToolRun['result']>, { tool: 'traceroute' }>['hops'][number];

function Hops({ hops }: { hops: readonly Hop[] }): ReactNode {
  const { t } = useTranslation();
  const { milliseconds } = useRunTexts();
  return (
    <table className="tool-hops">
      <thead>
        <tr>
          <th scope="col">{t('tools.hop.number')}</th>
          <th scope="col">{t('tools.hop.host')}</th>
          <th scope="col">{t('tools.hop.times')}</th>
        </tr>
      </thead>
      <tbody>
        {hops.map(({ host, address, times }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a hop is its number
          <tr key={index}>
            <td className="num">{index + 1}</td>
            <td>{address === '' ? t('tools.hop.silent') : host === '' || host === address ? address : `${host} (${address})`}</td>
            <td>{times.map(milliseconds).join(' · ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The difference to the test before. */
function Comparison({ run, earlier }: { run: ToolRun; earlier: readonly ToolRun[] }): ReactNode {
  // Results of different hosts and DNS servers say nothing about each other.
  const targetOf = ({ input }: ToolRun) => `${'host' in input ? input.host : ''} ${'server' in input ? input.server : ''}`;
  const comparable = earlier.filter((other) => targetOf(other) === targetOf(run));
  return addressesOf(run) === undefined ? (
    <ComparedMeasure run={run} comparable={comparable} />
  ) : (
    <ComparedAddresses run={run} comparable={comparable} />
  );
}

interface ComparedProps {
  readonly run: ToolRun;
  readonly comparable: readonly ToolRun[];
}

/** Whether the way to a host, or what a name stands for, is another one than before. */
function ComparedAddresses({ run, comparable }: ComparedProps): ReactNode {
  const { t } = useTranslation();
  const { summary } = useRunTexts();
  const previous = comparable.find((other) => addressesOf(other) !== undefined);
  if (previous === undefined) return null;
  const isSame = addressesOf(previous)?.join(' ') === addressesOf(run)?.join(' ');
  return (
    <dl className="facts">
      <Fact label={t('tools.fact.before')}>
        {summary(previous)} · {t(`tools.change.${isSame ? 'same' : 'other'}`)}
      </Fact>
    </dl>
  );
}

/** The difference of the one number, and those of the tests before over time. */
function ComparedMeasure({ run, comparable }: ComparedProps): ReactNode {
  const { t } = useTranslation();
  const { measure } = useRunTexts();
  const zone = useZone();
  const own = measureOf(run);
  const previous = comparable.map(measureOf).find((value) => value !== undefined);
  if (own === undefined || previous === undefined) return null;
  const difference = own - previous;
  const direction = Math.abs(difference) < previous * 0.01 ? 'same' : difference > 0 ? 'up' : 'down';
  const points = [run, ...comparable].toReversed().flatMap((each) => {
    const value = measureOf(each);
    return value === undefined ? [] : [{ at: Math.floor(Date.parse(each.started) / 1_000), value }];
  });
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  const { tool } = run.input;
  const kind = tool === 'download' || tool === 'upload' ? tool : 'ping';
  return (
    <>
      <dl className="facts">
        <Fact label={t('tools.fact.before')}>
          {measure(run, previous)} · {t(`tools.change.${direction}`, { value: measure(run, Math.abs(difference)) })}
        </Fact>
      </dl>
      <section className="reading" aria-label={t(`tools.chart.${kind}`)}>
        <h3>{t(`tools.chart.${kind}`)}</h3>
        <TimeChart
          label={t(`tools.chart.${kind}`)}
          points={points}
          from={first}
          // Both may have begun in the same second.
          until={Math.max(last, first + 1)}
          scale={valueScale([0, ...points.map(({ value }) => value)])}
          tickText={(value) => measure(run, value)}
          pointText={({ at, value }) => `${measure(run, value)} · ${formatDateTime(at, zone)}`}
          gap={Infinity}
        />
      </section>
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
