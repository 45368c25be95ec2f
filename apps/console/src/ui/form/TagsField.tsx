import { MAX_TAG_LENGTH, MAX_TAGS } from '@highline/contract';
import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/ScrollArea.css';
import './inputs.css';

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
  return (
    <TagsInput
      label={label ?? t('ui.tags.label')}
      data={[...suggestions]}
      readOnly={readOnly}
      error={error}
      description={description}
      placeholder={value.length === 0 && !readOnly ? placeholder : undefined}
      value={[...value]}
      maxTags={MAX_TAGS}
      maxLength={MAX_TAG_LENGTH}
      splitChars={[',']}
      onChange={(tags) =>
        onChange([...new Set(tags.map((tag) => tag.trim().slice(0, MAX_TAG_LENGTH)))].filter((tag) => tag !== ''))
      }
    />
  );
}
