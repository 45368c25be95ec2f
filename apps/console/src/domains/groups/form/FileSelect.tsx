import type { rollouts } from '@highline/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { PickField } from '../../../ui/form/PickField.tsx';
import { type Option, OptionList } from '../../../ui/OptionList.tsx';
import { fileChoices, type FileOption } from './files.api.ts';
import { type Chosen, unchosen } from './values.ts';

export interface FileSelectProps {
  readonly kind: rollouts.BindingKind;
  readonly label: string;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
  /** Models of the group's routers, where they are known: firmware for another one is marked. */
  readonly models?: readonly string[] | undefined;
  readonly error?: string | undefined;
  /** Below the field: details of the chosen file. */
  readonly note?: ReactNode;
  /** Why another one cannot be chosen. */
  readonly notAllowed: string | undefined;
}

interface ChoicesProps extends Pick<FileSelectProps, 'kind' | 'label' | 'chosen' | 'models'> {
  readonly onPick: (chosen: Chosen) => void;
}

function useOptions(files: readonly FileOption[], models: readonly string[] | undefined): readonly Option[] {
  const { t } = useTranslation();
  return files.map(({ pk, name, version, model }) => {
    const other = model !== undefined && models !== undefined && models.some((one) => one !== model);
    return {
      value: pk,
      label: version === null ? name : t('rollouts.configVersion', { name, version }),
      ...(other ? { icon: <IconAlertTriangle size={16} className="file-select__other" aria-hidden="true" /> } : {}),
      ...(model === undefined ? {} : { hint: other ? `${model} · ${t('groups.form.otherModel')}` : model }),
    };
  });
}

/** The choices of an open select, searched on the server. */
function Choices({ kind, label, chosen, models, onPick }: ChoicesProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [text, setText] = useState('');
  const query = useQuery(fileChoices(kind, useDeferredValue(text.trim())));
  const files = query.data?.options ?? [];
  const options = useOptions(files, models);
  const more = query.data !== undefined && query.data.total > files.length;
  return (
    <>
      <OptionList
        label={label}
        options={
          text === '' ? [{ value: '', label: t('groups.undefined'), hint: t('groups.nothingBound') }, ...options] : options
        }
        selected={chosen.pk}
        searchable
        placeholder={t('groups.form.findFile')}
        onSearch={setText}
        onPick={(pk) => onPick(files.find((file) => file.pk === pk) ?? unchosen)}
      />
      {query.error !== null && (
        <p className="bad pick-field__more" role="alert">
          {errorText(query.error)}
        </p>
      )}
      {more && <p className="dim pick-field__more">{t('groups.form.moreFiles')}</p>}
    </>
  );
}

/** The label of the chosen file while the select is closed. */
function shownText({ pk, name, version, model }: Chosen, t: TFunction): string {
  if (pk === '') return t('groups.undefined');
  if (version !== null) return t('rollouts.configVersion', { name, version });
  return model === undefined ? name : `${name} · ${model}`;
}

/** Choose a firmware or config file, or Undefined; however many there are, the server finds them (GRP-06). */
export function FileSelect(props: FileSelectProps): ReactNode {
  const { kind, label, chosen, onChoose, models, error, note, notAllowed } = props;
  const { t } = useTranslation();
  if (notAllowed !== undefined) return <TextInput label={label} value={shownText(chosen, t)} readOnly description={notAllowed} />;
  return (
    <PickField
      label={label}
      shown={shownText(chosen, t)}
      empty={chosen.pk === ''}
      error={error}
      note={chosen.pk === '' ? t('groups.nothingBound') : note}
    >
      {(close) => (
        <Choices
          kind={kind}
          label={label}
          chosen={chosen}
          models={models}
          onPick={(file) => {
            close();
            onChoose(file);
          }}
        />
      )}
    </PickField>
  );
}
