import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Fact } from '../../entities/devices/Fact.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { useRunTexts } from './run-texts.ts';
import type { ToolRun } from './tools.api.ts';

export function Facts({ result }: { result: NonNullable<ToolRun['result']> }): ReactNode {
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
