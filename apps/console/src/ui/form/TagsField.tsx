import { MAX_TAG_LENGTH, MAX_TAGS } from '@highline/contract';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import { Field } from '../controls/Field.tsx';
import { namesOf, separatesNames } from './separated.ts';
import { composes, isComposing } from '../composition.ts';
import './tags-field.css';

export interface TagsFieldProps {
  readonly value: readonly string[];
  readonly onChange: (tags: string[]) => void;
  /** The meaning of a tag here. */
  readonly description?: string;
  /** Instead of 'Tags'. */
  readonly label?: string;
  /** What the empty field asks for, instead of 'Add a tag'. */
  readonly placeholder?: string;
  /** Tags in use, to pick from. */
  readonly suggestions?: readonly string[];
  readonly readOnly?: boolean;
  readonly error?: ReactNode;
}

/** Short labels of an organization or a group, as chips: Enter or a comma adds one, Backspace removes the last (RPT-03). */
export function TagsField(props: TagsFieldProps): ReactNode {
  const { value, onChange, description, label, suggestions = [], readOnly = false, error } = props;
  const { t } = useTranslation();
  const { placeholder = t('ui.tags.add') } = props;
  const [text, setText] = useState('');
  const list = useId();
  const add = (names: readonly string[]) => {
    const all = [...new Set([...value, ...names.map((name) => name.slice(0, MAX_TAG_LENGTH))])].slice(0, MAX_TAGS);
    if (all.length !== value.length) onChange(all);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that composes a character of Chinese does not end the tag.
    if (composes(event.nativeEvent)) return;
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      add(namesOf(text));
    } else if (event.key === 'Backspace' && text === '' && value.length > 0 && !readOnly) onChange(value.slice(0, -1));
  };
  return (
    <Field label={label ?? t('ui.tags.label')} description={description} error={error}>
      {(named) => (
        <span className="input input__field tags">
          {value.map((tag) => (
            <span key={tag} className="tags__tag">
              <span className="tags__name">{tag}</span>
              {!readOnly && (
                <button
                  type="button"
                  tabIndex={-1}
                  aria-label={t('ui.tags.remove', { tag })}
                  onClick={() => onChange(value.filter((one) => one !== tag))}
                >
                  <IconX size={12} aria-hidden="true" />
                </button>
              )}
            </span>
          ))}
          <input
            {...named}
            className="tags__input"
            list={list}
            value={text}
            readOnly={readOnly}
            autoComplete="off"
            maxLength={MAX_TAG_LENGTH}
            placeholder={value.length === 0 && !readOnly ? placeholder : undefined}
            onChange={({ currentTarget: { value: typed }, nativeEvent }) => {
              // A suggestion that was picked comes at once, what is typed letter by letter.
              const isPicked = nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertReplacementText';
              if (isPicked) add([typed]);
              else if (separatesNames(typed) && !isComposing(nativeEvent)) add(namesOf(typed));
              else setText(typed);
            }}
            onCompositionEnd={({ currentTarget: { value: typed } }) => separatesNames(typed) && add(namesOf(typed))}
            onKeyDown={onKeyDown}
            onBlur={() => add(namesOf(text))}
          />
          <datalist id={list}>
            {suggestions
              .filter((tag) => !value.includes(tag))
              .map((tag) => (
                <option key={tag} value={tag}>
                  {tag}
                </option>
              ))}
          </datalist>
        </span>
      )}
    </Field>
  );
}
