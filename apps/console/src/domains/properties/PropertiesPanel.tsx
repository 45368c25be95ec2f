import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useRoleFor } from '../../api/session.ts';
import { ActionButton, IconButton } from '../../ui/ActionButton.tsx';
import { SaveButton } from '../../ui/form/SaveButton.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { PictureDialog } from './PictureDialog.tsx';
import { type DeviceProperty, pictureAddress, propertiesQuery, setProperty } from './properties.api.ts';
import './properties.css';
import { PropertyDialog } from './PropertyDialog.tsx';
import { useConflictBase } from './useConflictBase.ts';
import { useDisplayText } from './useDisplayText.ts';
import { ValueDialog } from './ValueDialog.tsx';

const MOST_PROPERTIES = 32;

interface LineProps {
  readonly device: string;
  readonly property: DeviceProperty;
}

const BOOLS = ['unset', 'yes', 'no'] as const;
const valueOf = { unset: null, yes: true, no: false } as const;

/** Yes, no or not set, for an administrator to choose; saved once it is chosen, because arrow keys pass another. */
function Bool({ device, property }: LineProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { explain } = useConflictBase(device, property);
  const { key, name, value, version } = property;
  const [picked, setPicked] = useState<(typeof BOOLS)[number]>();
  const save = useAction<boolean | null, void>({
    run: (input) => setProperty(client, { device, property: key, version }, input),
    onDone: () => setPicked(undefined),
    onError: explain,
  });
  const stored = BOOLS.find((one) => valueOf[one] === value) ?? 'unset';
  const chosen = picked ?? stored;
  return (
    <>
      <NativeSelect
        className="property__choice"
        aria-label={name}
        value={chosen}
        data={BOOLS.map((one) => ({ value: one, label: t(one === 'unset' ? 'properties.notSet' : `properties.${one}`) }))}
        onChange={(event) => setPicked(BOOLS.find((one) => one === event.currentTarget.value))}
      />
      {chosen !== stored && <SaveButton dirty saving={save.busy} onClick={() => save.run(valueOf[chosen])} />}
    </>
  );
}

function NotSet(): ReactNode {
  const { t } = useTranslation();
  return <span className="dim">{t('properties.notSet')}</span>;
}

/** A picture limited to the height of a line; its full size opens in a new tab. */
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
  const shown = useDisplayText();
  if (property.type === 'picture') return <Picture device={device} property={property} />;
  if (property.value === null) return <NotSet />;
  return <span className="property__value">{shown(property)}</span>;
}

/** One property: its name, the device's value, and for admins the actions to change it. */
function Line({ device, property, onEdit }: LineProps & { onEdit: () => void }): ReactNode {
  const { t } = useTranslation();
  const mayChange = useRoleFor('properties') === 'admin';
  const { name, type } = property;
  return (
    <div className="property">
      <dt>{name}</dt>
      <dd>
        {type === 'bool' && mayChange ? (
          <Bool device={device} property={property} />
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

/** The organization's own properties on a device's page: added and set by an administrator, seen by all other users (OLD-02). */
export function PropertiesPanel({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const mayChange = useRoleFor('properties') === 'admin';
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
      {query.isPending && <Skeleton lines={2} />}
      {query.isError && properties === undefined && (
        <ErrorState text={errorText(query.error)} onRetry={() => void query.refetch()} />
      )}
      {properties?.length === 0 && (
        <p className="dim">
          {t('properties.none')} {mayChange && t('properties.noneHint')}
        </p>
      )}
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
