import { PageLink } from '../../routing/PageLink.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { isSame } from '../../api/useKeptDraft.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { useRoleFor } from '../../api/session.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { confirmAction, showMessage } from '../../ui/dialogs.ts';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import { useConfirmDrop } from '../../ui/losses.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { toast } from '../../ui/toasts.ts';
import { useDistanceText } from '../../ui/units.ts';
import '../../entities/map/map.css';
import { areaOf, draftOf, emptyDraft, inputOf, shapeOf, type Draft } from './draft.ts';
import { GeofenceForm } from './GeofenceForm.tsx';
import { deleteGeofence, saveGeofence, type GeofenceInput } from './geofences.api.ts';
import { geofencesQuery, type Geofence } from '../../entities/geofences/geofence.api.ts';
import './geofences.css';
import { ImportDialog } from './ImportDialog.tsx';
import { MapPlaceholder } from '../../entities/map/MapPlaceholder.tsx';

const loadMap = withMessages(['positions'], () => import('./GeofenceMap.tsx'));
const GeofenceMap = lazy(async () => ({ default: (await loadMap()).GeofenceMap }));

/** What is edited: a geofence, or a new one. */
interface Editing {
  readonly fence: Geofence | undefined;
  /** The area that was opened, as far as it stays. */
  readonly shape?: Geofence['shape'] | undefined;
  readonly draft: Draft;
  readonly isDrawing: boolean;
}

function FenceList({
  fences,
  onOpen,
}: {
  fences: readonly Geofence[];
  onOpen: ((fence: Geofence) => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const distanceText = useDistanceText();
  return (
    <ul className="vehicle-list" aria-label={t('geofences.list')}>
      {fences.map((fence) => (
        <li key={fence.id} className="geofence-item">
          {onOpen === undefined ? (
            <span className="geofence-item__name">{fence.name}</span>
          ) : (
            <button type="button" className="link geofence-item__name" onClick={() => onOpen(fence)}>
              {fence.name}
            </button>
          )}
          <span className="dim">
            {fence.shape.kind === 'circle'
              ? t('geofences.circleOf', { radius: distanceText(fence.shape.radius) })
              : t('geofences.polygonOf', { count: fence.shape.rings.reduce((sum, ring) => sum + ring.length - 1, 0) })}
          </span>
          <PageLink to="/devices/list" search={{ geofence: fence.id }}>
            {t('geofences.inside', { count: fence.inside, shown: formatNumber(fence.inside) })}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}

/** The first part of an area, without holes. */
function withoutFurtherRings(shape: Geofence['shape'] | undefined): Geofence['shape'] | undefined {
  return shape?.kind === 'polygon' ? { ...shape, rings: shape.rings.slice(0, 1) } : shape;
}

/** /geofences: the areas of an organization on a map and in a list; admins draw, type, import, change and delete them (POS-05). */
export function GeofenceScreen(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const confirmDrop = useConfirmDrop();
  const isAdmin = useRoleFor('geofences') === 'admin';
  const { data: fences, error, isPending, refetch } = useQuery(geofencesQuery());
  const [editing, setEditing] = useState<Editing>();
  const [isImporting, setImporting] = useState(false);
  const done = (text: string) => {
    setEditing(undefined);
    toast(text);
    void refetch();
  };
  const isChanged =
    editing !== undefined &&
    (editing.shape !== editing.fence?.shape ||
      !isSame(editing.draft, editing.fence === undefined ? emptyDraft : draftOf(editing.fence)));
  useUnsavedChanges(isChanged);
  const cancel = async () => {
    if (await confirmDrop(isChanged)) setEditing(undefined);
  };
  /** What was typed stays, on what another user saved: saving again overwrites it. */
  const rebase = async () => {
    const { data: current } = await refetch();
    setEditing((now) => now && { ...now, fence: current?.find(({ id }) => id === now.fence?.id) ?? now.fence });
    await showMessage({ title: t('ui.dialog.warningTitle'), text: t('geofences.stale') });
  };
  const save = useAction<GeofenceInput, Geofence>({
    run: (input) => saveGeofence(editing?.fence, input),
    onError: (fault) => {
      const isStale = fault instanceof ApiError && fault.key === 'conflict.stale';
      if (isStale) void rebase();
      return isStale;
    },
    onDone: ({ name }) => done(t('geofences.saved', { name })),
  });
  const remove = useAction<Geofence, void>({
    run: ({ id }) => deleteGeofence(id),
    onDone: (_, { name }) => done(t('geofences.deleted', { name })),
  });
  const open = (fence: Geofence) => setEditing({ fence, shape: fence.shape, draft: draftOf(fence), isDrawing: false });
  const change = (part: Partial<Draft>, isDrawing?: boolean) =>
    setEditing(
      (now) =>
        now && { ...now, draft: { ...now.draft, ...part }, isDrawing: isDrawing ?? (part.kind === undefined && now.isDrawing) },
    );
  const askToDelete = async (fence: Geofence) => {
    const isSure = await confirmAction({
      title: t('geofences.delete'),
      text: t('geofences.deleteText', { name: fence.name }),
      yes: t('geofences.delete'),
      effect: 'permanent',
    });
    if (isSure) remove.run(fence);
  };
  const typed = editing === undefined ? undefined : shapeOf(editing.draft, editing.shape);
  const draft = typed !== undefined && 'kind' in typed ? typed : undefined;
  const shown = useMemo(() => (fences ?? []).filter(({ id }) => id !== editing?.fence?.id), [fences, editing?.fence?.id]);

  return (
    <div className="page page--wide page--map" aria-busy={isPending}>
      <PageHeader
        title={t('geofences.title')}
        sub={t('geofences.sub')}
        actions={
          isAdmin && (
            <>
              <Button leftSection={<IconUpload size={16} />} onClick={() => setImporting(true)}>
                {t('geofences.import')}
              </Button>
              <ActionButton
                variant="filled"
                icon={<IconPlus size={16} />}
                disabledReason={editing === undefined ? undefined : t('geofences.editing')}
                onClick={() => setEditing({ fence: undefined, draft: emptyDraft, isDrawing: false })}
              >
                {t('geofences.add')}
              </ActionButton>
            </>
          )
        }
      />
      {fences === undefined && error !== null && <ErrorState text={errorText(error)} onRetry={() => void refetch()} />}
      {fences !== undefined && (
        <div className="map-screen">
          <div className="map-screen__map">
            <Suspense fallback={<MapPlaceholder />}>
              <GeofenceMap
                fences={shown}
                draft={draft}
                drawing={editing?.isDrawing === true ? editing.draft.kind : undefined}
                onDrawn={(shape) => change(areaOf(shape), false)}
                onChoose={(id) => {
                  const fence = fences.find((each) => each.id === id);
                  if (isAdmin && editing === undefined && fence !== undefined) open(fence);
                }}
              />
            </Suspense>
          </div>
          <div className="map-screen__side">
            {editing !== undefined && (
              <GeofenceForm
                draft={editing.draft}
                stored={editing.shape}
                isNew={editing.fence === undefined}
                isDrawing={editing.isDrawing}
                busy={save.busy || remove.busy}
                onChange={change}
                onDraw={() => change({}, !editing.isDrawing)}
                onRemoveRings={() => setEditing({ ...editing, shape: withoutFurtherRings(editing.shape) })}
                onSave={(shape) => save.run(inputOf(editing.draft, shape))}
                onDelete={() => editing.fence !== undefined && void askToDelete(editing.fence)}
                onCancel={() => void cancel()}
              />
            )}
            {editing === undefined && fences.length === 0 && (
              <EmptyState text={t('geofences.none')} detail={t('geofences.noneHint')} />
            )}
            {editing === undefined && fences.length > 0 && <FenceList fences={fences} onOpen={isAdmin ? open : undefined} />}
          </div>
        </div>
      )}
      {isImporting && (
        <ImportDialog
          onClose={() => setImporting(false)}
          onDone={() => {
            setImporting(false);
            void refetch();
          }}
        />
      )}
    </div>
  );
}
