import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useSession } from '../../app/session/session.ts';
import { ActionButton, IconButton } from '../../ui/ActionButton.tsx';
import { Check } from '../../ui/Check.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { PictureDialog } from './PictureDialog.tsx';
import { type DeviceProperty, pictureAddress, propertiesQuery, setProperty } from './properties.api.ts';
import './properties.css';
import { PropertyDialog } from './PropertyDialog.tsx';
import { ValueDialog } from './ValueDialog.tsx';

const MOST_PROPERTIES = 32;

interface LineProps {
  readonly device: string;
  readonly property: DeviceProperty;
}

/** Yes, no or not set; an administrator ticks it. */
function Bool({ device, property: { key, name, value }, mayChange }: LineProps & { mayChange: boolean }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const save = useAction<boolean, void>({
    run: (wanted) => setProperty(client, { device, property: key }, wanted),
    onDone: () => {},
  });
  const word = value === null ? <NotSet /> : t(value === true ? 'properties.yes' : 'properties.no');
  return (
    <span className="property__value">
      {mayChange && (
        <Check bare label={name} checked={value === true} disabled={save.busy} onChange={(wanted) => save.run(wanted)} />
      )}
      {word}
    </span>
  );
}

function NotSet(): ReactNode {
  const { t } = useTranslation();
  return <span className="dim">{t('properties.notSet')}</span>;
}

/** A picture as high as a line may be; it opens in its full size beside the console. */
function Picture({ device, property: { key, name, picture } }: LineProps): ReactNode {
  const { t } = useTranslation();
  const [broken, setBroken] = useState<string>();
  if (picture === null) return <NotSet />;
  if (broken === picture.sha256) return <span className="dim">{t('properties.pictureBroken')}</span>;
  const address = pictureAddress({ device, property: key }, picture.sha256);
  return (
    <a href={address} target="_blank" rel="noreferrer" aria-label={t('properties.whole', { name })}>
      <img
        className="property__picture"
        src={address}
        alt={t('properties.picture', { name })}
        onError={() => setBroken(picture.sha256)}
      />
    </a>
  );
}

function Value({ device, property }: LineProps): ReactNode {
  const { value, unit } = property;
  if (property.type === 'picture') return <Picture device={device} property={property} />;
  if (value === null) return <NotSet />;
  const shown = typeof value === 'number' ? formatNumber(value) : String(value);
  return <span className="property__value">{unit === '' ? shown : `${shown} ${unit}`}</span>;
}

/** One property: its name, what the device has of it, and for an administrator how to change that. */
function Line({ device, property, onEdit }: LineProps & { onEdit: () => void }): ReactNode {
  const { t } = useTranslation();
  const mayChange = useSession().role === 'admin';
  const { name, type } = property;
  return (
    <div className="property">
      <dt>{name}</dt>
      <dd>
        {type === 'bool' ? (
          <Bool device={device} property={property} mayChange={mayChange} />
        ) : (
          <Value device={device} property={property} />
        )}
        {mayChange && type !== 'bool' && (
          <IconButton label={t('properties.edit', { name })} icon={<IconPencil size={16} />} onClick={onEdit} />
        )}
      </dd>
    </div>
  );
}

/** The organization's own properties on a device's page: added and set by an administrator, seen by everybody else (OLD-02). */
export function PropertiesPanel({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const mayChange = useSession().role === 'admin';
  const query = useQuery(propertiesQuery(device));
  const [edited, setEdited] = useState<DeviceProperty | 'new'>();
  const properties = query.data;
  const close = () => setEdited(undefined);
  const EditDialog = edited !== 'new' && edited?.type === 'picture' ? PictureDialog : ValueDialog;
  return (
    <section className="card panel" aria-labelledby="device-properties" aria-busy={query.isPending}>
      <div className="properties__head">
        <h2 id="device-properties">{t('properties.title')}</h2>
        {mayChange && (
          <ActionButton
            compact
            icon={<IconPlus size={16} />}
            disabledReason={
              properties !== undefined && properties.length >= MOST_PROPERTIES ? t('properties.tooMany') : undefined
            }
            onClick={() => setEdited('new')}
          >
            {t('properties.add')}
          </ActionButton>
        )}
      </div>
      {query.isError && properties === undefined && (
        <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      )}
      {properties?.length === 0 && <EmptyState text={t('properties.none')} detail={mayChange && t('properties.noneHint')} />}
      {properties !== undefined && properties.length > 0 && (
        <dl className="properties">
          {properties.map((property) => (
            <Line key={property.key} device={device} property={property} onEdit={() => setEdited(property)} />
          ))}
        </dl>
      )}
      {edited === 'new' && <PropertyDialog onClose={close} />}
      {edited !== undefined && edited !== 'new' && <EditDialog device={device} property={edited} onClose={close} />}
    </section>
  );
}
