import type { Setting } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Button } from '../../ui/controls/Button.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import type { LevelSettings } from './settings.api.ts';
import { helpOf, originText, shortLabel, valueText } from './setting-texts.ts';

export interface SettingFieldProps {
  readonly setting: Setting;
  /** '' = not set here, null = a stored secret. */
  readonly value: string | null;
  readonly inherited: LevelSettings['inherited'][number] | undefined;
  readonly isFit: boolean;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string | null) => void;
}

/** A value of a level: typed here, or inherited with its origin. */
export function SettingField({ setting, value, inherited, isFit, isReadOnly, onChange }: SettingFieldProps): ReactNode {
  const { t } = useTranslation();
  const { path, kind } = setting;
  const isSet = value !== '';
  const above =
    inherited &&
    t('routerSettings.inherits', { value: valueText(t, path, inherited.value), from: originText(t, inherited.from) });
  const field = {
    label: shortLabel(t, setting),
    description: (
      <>
        {helpOf(t, setting)}{' '}
        <span className="setting-field__origin" data-own={isSet || undefined}>
          {isSet
            ? inherited === undefined
              ? t('routerSettings.own')
              : t('routerSettings.replaces', { value: valueText(t, path, inherited.value), from: originText(t, inherited.from) })
            : (above ?? t('routerSettings.unset'))}
        </span>
      </>
    ),
    descriptionBelow: true,
    error: isFit ? undefined : t(`routerSettings.wrong.${kind.type}`, limitsOf(setting)),
    disabled: isReadOnly,
  };
  const placeholder = inherited === undefined ? '' : valueText(t, path, inherited.value);
  // A stored secret stays one, though a schema file says otherwise now.
  if (setting.isSecret === true || value === null)
    return (
      <TextInput
        {...field}
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={value ?? ''}
        placeholder={value === null ? t('routerSettings.kept') : placeholder}
        rightSection={
          value === null && !isReadOnly ? (
            <Button size="xs" onClick={() => onChange('')}>
              {t('routerSettings.remove')}
            </Button>
          ) : undefined
        }
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  if (kind.type === 'flag' || kind.type === 'choice') {
    const options = kind.type === 'flag' ? ['true', 'false'] : kind.options;
    return (
      <NativeSelect
        {...field}
        value={value ?? ''}
        data={[
          {
            value: '',
            label: inherited === undefined ? t('routerSettings.choose') : t('routerSettings.inherit', { value: placeholder }),
          },
          ...options.map((option) => ({ value: option, label: valueText(t, path, option) })),
        ]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...field}
      value={value ?? ''}
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function limitsOf({ kind }: Setting): { readonly least: number; readonly most: number } {
  return 'least' in kind ? { least: kind.least, most: kind.most } : { least: 0, most: 0 };
}
