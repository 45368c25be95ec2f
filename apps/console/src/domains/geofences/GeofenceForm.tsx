import type { GeofenceShape } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { TextInput, Textarea } from '../../ui/controls/TextInput.tsx';
import { IconPencil } from '@tabler/icons-react';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Choices } from '../../ui/chart/Choices.tsx';
import '../../ui/form/form.css';
import { hasNoArea, shapeOf, type Draft } from './draft.ts';

export interface GeofenceFormProps {
  readonly draft: Draft;
  /** The area that was opened; undefined = a new one. */
  readonly stored: GeofenceShape | undefined;
  readonly isNew: boolean;
  readonly isDrawing: boolean;
  readonly busy: boolean;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly onDraw: () => void;
  /** Leave out the holes and further parts of the stored area. */
  readonly onRemoveRings: () => void;
  readonly onSave: (shape: GeofenceShape) => void;
  readonly onDelete: () => void;
  readonly onCancel: () => void;
}

/** Name and area of a geofence; what is drawn on the map fills the same fields, so the keyboard does as well (POS-05). */
export function GeofenceForm(props: GeofenceFormProps): ReactNode {
  const { draft, stored, isNew, isDrawing, busy, onChange, onDraw, onRemoveRings, onSave, onDelete, onCancel } = props;
  const { t } = useTranslation();
  const shape = shapeOf(draft, stored);
  const hasFurtherRings = stored?.kind === 'polygon' && stored.rings.length > 1;
  const reason = hasNoArea(draft)
    ? t('geofences.areaMissing')
    : 'line' in shape
      ? t('geofences.badLine', { line: shape.line })
      : 'fault' in shape
        ? t(shape.fault === 'parts' ? 'geofences.partsMoved' : `errors.geofence_${shape.fault}`)
        : draft.name.trim() === ''
          ? t('geofences.nameMissing')
          : undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if ('kind' in shape && reason === undefined) onSave(shape);
  };
  const field = (name: 'latitude' | 'longitude' | 'radius') => (
    <TextInput
      label={t(`geofences.field.${name}`)}
      inputMode="decimal"
      autoComplete="off"
      value={draft[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
  return (
    <form className="form geofence-form" noValidate onSubmit={send} aria-label={t(isNew ? 'geofences.add' : 'geofences.edit')}>
      <h2>{t(isNew ? 'geofences.add' : 'geofences.edit')}</h2>
      <TextInput
        label={t('geofences.field.name')}
        maxLength={80}
        autoComplete="off"
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <Choices
        label={t('geofences.kind.label')}
        options={(['circle', 'polygon'] as const).map((value) => ({ value, label: t(`geofences.kind.${value}`) }))}
        value={draft.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <Button leftSection={<IconPencil size={16} />} aria-pressed={isDrawing} onClick={onDraw}>
        {t(isDrawing ? 'geofences.stopDrawing' : 'geofences.draw')}
      </Button>
      {isDrawing && <p className="dim">{t(`geofences.drawHint.${draft.kind}`)}</p>}
      {draft.kind === 'circle' ? (
        <>
          {field('latitude')}
          {field('longitude')}
          {field('radius')}
        </>
      ) : (
        <Textarea
          label={t('geofences.field.corners')}
          description={t('geofences.cornersHint')}
          rows={8}
          value={draft.corners}
          onChange={({ currentTarget }) => onChange({ corners: currentTarget.value })}
        />
      )}
      {hasFurtherRings && <p className="dim">{t(`geofences.furtherRings.${draft.kind}`)}</p>}
      {hasFurtherRings && draft.kind === 'polygon' && <Button onClick={onRemoveRings}>{t('geofences.removeRings')}</Button>}
      {reason !== undefined && <p className="dim">{reason}</p>}
      <div className="geofence-form__actions">
        {!isNew && (
          <Button color="danger" variant="subtle" disabled={busy} onClick={onDelete}>
            {t('geofences.delete')}
          </Button>
        )}
        <Button disabled={busy} onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <ActionButton type="submit" variant="filled" loading={busy} disabledReason={reason}>
          {t('geofences.save')}
        </ActionButton>
      </div>
    </form>
  );
}
