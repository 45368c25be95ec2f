import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '#i18n';
import { withMessages } from '../../i18n/i18n.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { chartColor } from '../../ui/chart/palette.ts';
import { useRoleFor } from '../../api/session.ts';
import { presenceTones } from '../../entities/devices/device.ts';
import { apart, ShareBar } from './Cards.tsx';
import { barWidth, shortCarrier } from './carrier.ts';
import type { Counts } from './overview.api.ts';

type Carrier = Counts['carriers'][number];

// Few ever change it.
const loadChoice = withMessages(['carrierColors'], () => import('./ColorChoice.tsx'));
const ColorChoice = lazy(async () => ({ default: (await loadChoice()).ColorChoice }));

interface CarrierChartProps {
  /** Undefined until the first response. */
  readonly carriers: readonly Carrier[] | undefined;
  readonly chosen: string | undefined;
  readonly onChoose: (carrier: string | undefined) => void;
}

interface BarsProps extends CarrierChartProps {
  readonly carriers: readonly Carrier[];
}

function Bars({ carriers, chosen, onChoose }: BarsProps): ReactNode {
  const most = Math.max(0, ...carriers.map(({ total }) => total));
  return (
    <ul className="bars">
      {carriers.map(({ carrier, total, color }) => (
        <li key={carrier}>
          <button
            type="button"
            className="bars__row"
            aria-pressed={carrier === chosen}
            title={carrier}
            onClick={() => onChoose(carrier === chosen ? undefined : carrier)}
          >
            <span className="bars__name">{shortCarrier(carrier)}</span>
            <span className="bars__track drawn">
              <span className="bars__bar" style={{ width: `${barWidth(total, most)}%`, background: chartColor(color) }} />
            </span>
            <span className="bars__count">{formatNumber(total)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function AsTable({ carriers }: { carriers: readonly Carrier[] }): ReactNode {
  const { t } = useTranslation();
  const states = ['online', 'offline', ...apart.filter((state) => carriers.some((carrier) => carrier[state] > 0))] as const;
  return (
    <table className="plain-table">
      <caption className="unseen">{t('overview.carriers.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('overview.column.carrier')}</th>
          <th scope="col">{t('overview.carriers.sims')}</th>
          {states.map((state) => (
            <th key={state} scope="col">
              {t(`overview.${state}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {carriers.map((carrier) => (
          <tr key={carrier.carrier}>
            <th scope="row">{carrier.carrier}</th>
            <td>{formatNumber(carrier.total)}</td>
            {states.map((state) => (
              <td key={state}>{formatNumber(carrier[state])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How many devices on the chosen carrier are online, offline, and in each other state. */
function Chosen({ carrier }: { carrier: Carrier | undefined }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('devices') === 'admin';
  return (
    <div className="carriers__chosen" role="status">
      {carrier === undefined ? (
        <p className="dim">{t('overview.carriers.hint')}</p>
      ) : (
        <>
          <h3>{carrier.carrier}</h3>
          <ShareBar counts={carrier} />
          <div className="kpi__legend">
            <StatusDot tone="ok">{t('overview.onlineCount', { shown: formatNumber(carrier.online) })}</StatusDot>
            <StatusDot tone="bad">{t('overview.offlineCount', { shown: formatNumber(carrier.offline) })}</StatusDot>
            {apart.map(
              (state) =>
                carrier[state] > 0 && (
                  <StatusDot key={state} tone={presenceTones[state]}>
                    {t(`overview.${state}Count`, { shown: formatNumber(carrier[state]) })}
                  </StatusDot>
                ),
            )}
          </div>
          <Link to="/devices/list" search={{ carrier: carrier.carrier }}>
            {t('overview.carriers.show')}
          </Link>
          {isAdmin && (
            <Suspense>
              <ColorChoice key={carrier.carrier} carrier={carrier} />
            </Suspense>
          )}
        </>
      )}
    </div>
  );
}

/** SIMs per carrier: a bar each; choosing one shows how many devices on it are online (OVW-04). */
export function CarrierChart(props: CarrierChartProps): ReactNode {
  const { t } = useTranslation();
  const [table, setTable] = useState(false);
  const { carriers = [], chosen } = props;
  return (
    <section className="card panel carriers" aria-labelledby="carriers-title">
      <div className="overview__head">
        <h2 id="carriers-title">{t('overview.carriers.title')}</h2>
        {carriers.length > 0 && (
          <button type="button" className="link" onClick={() => setTable(!table)}>
            {table ? t('overview.carriers.asChart') : t('overview.carriers.asTable')}
          </button>
        )}
      </div>
      {props.carriers === undefined && <div className="bar carriers__waiting" />}
      {props.carriers?.length === 0 && <p className="dim">{t('ui.table.noRecords')}</p>}
      {carriers.length > 0 && (
        <div className="carriers__body">
          {table ? <AsTable carriers={carriers} /> : <Bars {...props} carriers={carriers} />}
          <Chosen carrier={carriers.find(({ carrier }) => carrier === chosen)} />
        </div>
      )}
    </section>
  );
}
