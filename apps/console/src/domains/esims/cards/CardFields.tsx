import { TextInput } from '../../../ui/controls/TextInput.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { needsConfirmationCode, type Card, type Field, fieldsOf, isWaiting } from './cards.ts';
import { missingOf } from './save.ts';
import type { Fault } from './useCards.ts';

export interface CardFieldsProps {
  readonly card: Card;
  /** A save was requested: missing fields are marked. */
  readonly checked: boolean;
  /** The server's message at a field. */
  readonly fault: Fault | undefined;
  readonly onType: (field: Field, value: string) => void;
}

const longest: Readonly<Record<Field, number>> = { ac: 255, confirmation: 100, iccid: 60, apn: 100, apn2: 100, name: 100 };
const required: ReadonlySet<Field> = new Set(['ac', 'iccid', 'apn']);
/** Users without permission see nothing here. */
const secret: ReadonlySet<Field> = new Set(['ac', 'confirmation']);

/** The fields of a card in order: the preloaded one has no code and no name. */
function shownOf({ kind }: Card): readonly Field[] {
  return kind === 'preloaded' ? ['iccid', 'apn', 'apn2'] : ['ac', 'confirmation', 'iccid', 'name', 'apn', 'apn2'];
}

/** The fields of an open card; those that can no longer change are read-only (SIM-07). */
export function CardFields({ card, checked, fault, onType }: CardFieldsProps): ReactNode {
  const { t } = useTranslation();
  const editable = fieldsOf(card);
  const missing = new Set<Field>(checked ? missingOf(card) : []);
  if (checked && isWaiting(card)) missing.add('iccid');
  const labels: Readonly<Record<Field, string>> = {
    ac: t('esims.card.code'),
    confirmation: t('esims.card.confirmation'),
    iccid: t('esims.card.iccid'),
    apn: t('esims.card.apn'),
    apn2: t('esims.card.apn2'),
    name: t('esims.card.name'),
  };
  const errorOf = (field: Field): string | undefined => {
    if (missing.has(field)) return t('ui.form.required', { field: labels[field] });
    return fault?.field === field ? fault.text : undefined;
  };
  const isRequired = (field: Field) =>
    editable.has(field) &&
    (required.has(field) || (field === 'confirmation' && card.kind === 'new' && needsConfirmationCode(card)));
  const hintOf = (field: Field): string => {
    if (!editable.has(field)) return '';
    if (field === 'confirmation' && isRequired(field)) return '';
    if (field === 'ac') return t('esims.card.codeHint');
    return field === 'confirmation' ? t(card.kind === 'new' ? 'esims.card.ifProvided' : 'esims.card.asBefore') : '';
  };
  return (
    <div className="esim-card__fields">
      {shownOf(card)
        .filter((field) => !secret.has(field) || editable.has(field) || card.values[field] !== '')
        .map((field) => (
          <TextInput
            key={field}
            name={field}
            label={labels[field]}
            value={card.values[field]}
            maxLength={longest[field]}
            readOnly={!editable.has(field)}
            withAsterisk={isRequired(field)}
            aria-required={isRequired(field)}
            placeholder={hintOf(field)}
            error={errorOf(field)}
            // A card that was just added is there to be filled in.
            autoFocus={field === 'ac' && card.kind === 'new' && card.values.ac === ''}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onType(field, event.currentTarget.value)}
          />
        ))}
    </div>
  );
}
