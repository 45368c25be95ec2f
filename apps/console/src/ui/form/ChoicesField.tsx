import { IconChevronDown, IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from '#i18n';
import { Button } from '../controls/Button.tsx';
import '../filter/filter.css';
import { type Option, OptionList } from '../OptionList.tsx';
import { Popup } from '../Popup.tsx';
import './choices-field.css';

export interface ChoicesFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly data: readonly Option[];
  readonly value: readonly string[];
  readonly onChange: (chosen: string[]) => void;
  /** The caller searches; without it choices are narrowed here by their label. */
  readonly onSearch?: (text: string) => void;
  /** While nothing matches. */
  readonly empty?: string;
}

/** Several choices of a list, as chips; what is chosen is offered no more. */
export function ChoicesField({ label, description, data, value, onChange, ...search }: ChoicesFieldProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const nameOf = (choice: string) => data.find((option) => option.value === choice)?.label ?? choice;
  return (
    <div role="group" aria-labelledby={id} aria-describedby={description === undefined ? undefined : `${id}-note`}>
      <span id={id} className="field-label">
        {label}
      </span>
      {description !== undefined && (
        <p id={`${id}-note`} className="field__note">
          {description}
        </p>
      )}
      <div className="choices">
        {value.map((choice) => (
          <span key={choice} className="chip">
            <span className="choices__name">{nameOf(choice)}</span>
            <button
              type="button"
              className="chip__remove"
              aria-label={t('ui.choices.remove', { choice: nameOf(choice) })}
              onClick={() => onChange(value.filter((one) => one !== choice))}
            >
              <IconX size={14} />
            </button>
          </span>
        ))}
        <Popup
          trigger={(trigger) => (
            <Button
              size="xs"
              rightSection={<IconChevronDown size={14} />}
              aria-label={`${t('ui.choices.add')}: ${label}`}
              {...trigger}
            >
              {t('ui.choices.add')}
            </Button>
          )}
        >
          {(close) => (
            <OptionList
              label={label}
              options={data.filter((option) => !value.includes(option.value))}
              searchable
              {...search}
              onPick={(choice) => {
                close();
                onChange([...value, choice]);
              }}
            />
          )}
        </Popup>
      </div>
    </div>
  );
}
