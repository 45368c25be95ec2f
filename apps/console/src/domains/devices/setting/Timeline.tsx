import { timeline } from '@highline/contract';
import {
  IconAlertTriangle,
  IconBell,
  IconDeviceSim,
  IconMapPin,
  IconPackages,
  IconPlugConnected,
  IconTerminal2,
  IconUser,
} from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../../api/session.ts';
import { useErrorText } from '../../../api/useErrorText.ts';
import { GroupLink } from '../../../entities/groups/GroupLink.tsx';
import { PlaceText } from '../../../entities/places/PlaceText.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { DateTime } from '../../../ui/time/RelativeTime.tsx';
import { useActionText } from '../../logs/index.ts';
import { textOf } from './timeline-texts.ts';
import { type TimelineItem, type TimelineKind, timelineQuery } from './timeline.api.ts';
import { kindOf, toneOf } from './timeline.ts';
import './timeline.css';

const icons = {
  connection: IconPlugConnected,
  rollout: IconPackages,
  action: IconUser,
  alarm: IconAlertTriangle,
  alert: IconBell,
  sim: IconDeviceSim,
  geofence: IconMapPin,
  remote: IconTerminal2,
};

/** Where an item leads; the main account's people have no way to the groups and the log of one organization. */
function Way({ item }: { item: TimelineItem }): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  if (role === 'main') return null;
  if (item.kind === 'action')
    return (
      <Link to="/logs" search={{ entry: String(item.seq) }}>
        {t('timeline.toEntry')}
      </Link>
    );
  if (item.kind !== 'rollout' || item.group === null) return null;
  return <GroupLink group={item.group}>{t('timeline.toGroup')}</GroupLink>;
}

function Entry({ item }: { item: TimelineItem }): ReactNode {
  const { t } = useTranslation();
  const Icon = icons[item.kind];
  const { title, detail } = textOf(item, t, useActionText());
  return (
    <li className="timeline__item" data-kind={item.kind}>
      <span className="timeline__mark" data-tone={toneOf(item)} title={t(`timeline.kind.${item.kind}`)}>
        <Icon size={16} stroke={1.6} aria-hidden="true" />
      </span>
      <span className="timeline__text">
        <span className="strong">{title}</span>
        {detail !== undefined && detail !== '' && <span className="dim">{detail}</span>}
        {item.kind === 'alert' && item.place !== null && (
          <span className="dim">
            <PlaceText {...item.place} />
          </span>
        )}
        <Way item={item} />
      </span>
      <span className="dim timeline__at">
        <DateTime moment={item.at} />
      </span>
    </li>
  );
}

function Kinds({ chosen, onChoose }: { chosen: TimelineKind | undefined; onChoose: (kind?: TimelineKind) => void }): ReactNode {
  const { t } = useTranslation();
  const all = [undefined, ...timeline.timelineKinds] as const;
  return (
    <div className="timeline__kinds" role="group" aria-label={t('timeline.show')}>
      {all.map((kind) => (
        <button
          key={kind ?? 'all'}
          type="button"
          className="timeline__kind"
          aria-pressed={chosen === kind}
          onClick={() => onChoose(kind)}
        >
          {t(`timeline.kind.${kind ?? 'all'}`)}
        </button>
      ))}
    </div>
  );
}

interface ItemsProps {
  readonly device: string;
  readonly kind?: TimelineKind | undefined;
  /** Only so many, without a way to older ones. */
  readonly most?: number;
}

function Items({ device, kind, most }: ItemsProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const query = useInfiniteQuery(timelineQuery(device, kind));
  if (query.isPending)
    return (
      <p className="dim" aria-busy="true">
        {t('timeline.loading')}
      </p>
    );
  if (query.data === undefined) return <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />;
  const items = query.data.pages.flatMap(({ result }) => result).slice(0, most);
  if (items.length === 0) return <p className="dim">{t(kind === undefined ? 'timeline.none' : 'timeline.noneOfKind')}</p>;
  return (
    <>
      <ol className="timeline">
        {items.map((item) => (
          <Entry key={item.id} item={item} />
        ))}
      </ol>
      {most === undefined && query.hasNextPage && (
        <Button className="timeline__older" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('timeline.older')}
        </Button>
      )}
    </>
  );
}

/** The events of the last time, of all kinds. */
export function LatestEvents({ device }: { device: string }): ReactNode {
  return <Items device={device} most={5} />;
}

/** The timeline of a device: connections, rollouts, user actions, alarms, eSIMs; the filter is part of the address. */
export function Timeline({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/devices/setting' });
  const search = useSearch({ from: '/signed-in/devices/setting' });
  const kind = kindOf(search.events);
  const choose = (events?: TimelineKind) =>
    void navigate({ to: '.', search: { ...search, tab: 'timeline', events }, replace: true, resetScroll: false });
  return (
    <section className="card panel" aria-labelledby="device-timeline">
      <div className="timeline__head">
        <h2 id="device-timeline">{t('timeline.title')}</h2>
        <Link to="/outages" search={{ device }}>
          {t('timeline.outages')}
        </Link>
        <Kinds chosen={kind} onChoose={choose} />
      </div>
      <Items device={device} kind={kind} />
    </section>
  );
}
