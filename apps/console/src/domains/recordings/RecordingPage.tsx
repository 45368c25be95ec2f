import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { IconDownload, IconRosetteDiscountCheck } from '@tabler/icons-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { Loaded } from '../../api/Loaded.tsx';
import { saveFile } from '../../api/download.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { optionalPart } from '../../ui/optional-part.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { parseCast } from './player/cast.ts';
import { addressOf, castQuery, fetchCast, type Recording, recordingQuery, verifyRecording } from './recordings.api.ts';
import './recordings.css';

function Unavailable(): ReactNode {
  const { t } = useTranslation();
  return <p role="alert">{t('recordings.player.unavailable')}</p>;
}

// The library that draws it is loaded with the first recording that is opened.
const Player = optionalPart(() => import('./player/Player.tsx').then((module) => module.default), Unavailable);

function Replay({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data, error, refetch } = useQuery(castQuery(id));
  const cast = useMemo(() => (data === undefined ? undefined : parseCast(data)), [data]);
  const placeholder = <div className="player__screen" aria-busy="true" />;
  if (cast === undefined)
    return error === null ? placeholder : <ErrorState text={errorText(error)} onRetry={() => void refetch()} />;
  if (cast.events.every(({ kind }) => kind !== 'o')) return <EmptyState text={t('recordings.page.empty')} />;
  return (
    <Suspense fallback={placeholder}>
      <Player cast={cast} />
    </Suspense>
  );
}

type Seal = Awaited<ReturnType<typeof verifyRecording>>;

/** Whether the recording is unchanged, by its hash and the log. */
function SealCheck({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const [found, setFound] = useState<Seal>();
  const check = useAction<void, Seal>({ run: () => verifyRecording(id), onDone: setFound });
  return (
    <>
      <ActionButton icon={<IconRosetteDiscountCheck size={16} />} loading={check.busy} onClick={() => check.run()}>
        {t('recordings.page.verify')}
      </ActionButton>
      <div role="status">
        {found !== undefined && (
          <p className="note">
            <span>
              <span className={found.seal === 'changed' ? 'strong recording__changed' : 'strong'}>
                {t(`recordings.page.seal.${found.seal}`)}
              </span>{' '}
              <span className="mono recording__hash">SHA-256 {found.sha256}</span>
            </span>
          </p>
        )}
      </div>
    </>
  );
}

function Details({ recording }: { recording: Recording }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { id, device, name: vehicle, serial, client, by, began, ended, end } = recording;
  const download = useAction<void, Blob>({
    run: () => fetchCast(id),
    onDone: (file) => saveFile(file, `${serial} ${began}.cast`),
  });
  const toDevice = (
    <Link to="/devices/setting" search={{ device, tab: 'diagnostics' }}>
      {vehicle}
    </Link>
  );
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('recordings.page.vehicle'), toDevice],
    ...(client === null ? [] : [[t('recordings.column.client'), `${addressOf(client)} · ${client.mac}`] as const]),
    [t('recordings.page.by'), by],
    [t('recordings.page.began'), formatDateTime(began, zone)],
    [t('recordings.page.ended'), ended === null ? t('recordings.goesOn') : formatDateTime(ended, zone)],
    ...(end === null ? [] : [[t('recordings.page.end'), t(`recordings.endOf.${end}`)] as const]),
  ];
  return (
    <section className="card panel recording__details">
      <dl className="recording__facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="dim">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="dim">{t('recordings.page.logged')}</p>
      <div className="recording__actions">
        <ActionButton icon={<IconDownload size={16} />} loading={download.busy} onClick={() => download.run()}>
          {t('recordings.page.download')}
        </ActionButton>
        <SealCheck id={id} />
      </div>
    </section>
  );
}

/** /recordings/play?recording=…: a recorded terminal, to be replayed, downloaded and checked (LIV-07). */
export function RecordingPage(): ReactNode {
  const { t } = useTranslation();
  const { recording: id = '' } = useSearch({ from: '/signed-in/recordings/play' });
  const query = useQuery(recordingQuery(id));
  const back = <Link to="/recordings">{t('recordings.page.back')}</Link>;
  return (
    <div className="page recording-page" aria-busy={query.isPending}>
      <PageHeader title={t('recordings.page.title', { name: query.data?.name ?? '' })} back={back} />
      <Loaded query={query} gone={t('recordings.page.gone')} action={back} skeleton={<PageSkeleton panels={2} />}>
        {(recording) => (
          <>
            <section className="card panel">
              <Replay key={id} id={id} />
            </section>
            <Details recording={recording} />
          </>
        )}
      </Loaded>
    </div>
  );
}
