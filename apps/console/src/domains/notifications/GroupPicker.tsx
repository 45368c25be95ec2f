import { Button } from '../../ui/controls/Button.tsx';
import { IconChevronDown, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import '../../ui/filter/filter.css';
import { OptionList } from '../../ui/OptionList.tsx';
import { Popup } from '../../ui/Popup.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { groupChoices, groupQuery } from '../../entities/groups/group.api.ts';
import './notifications.css';

/** The number of visible chips; each one loads its name. */
const MOST_CHIPS = 12;

/** The name of a group; its key until the name is loaded. */
function useGroupName(group: string): string {
  return useQuery(groupQuery(group)).data?.group.groupName ?? group;
}

export function GroupName({ group }: { group: string }): ReactNode {
  return useGroupName(group);
}

function GroupChip({ group, onRemove }: { group: string; onRemove: () => void }): ReactNode {
  const { t } = useTranslation();
  const name = useGroupName(group);
  return (
    <span className="chip">
      <span className="chosen-groups__name">{name}</span>
      <button
        type="button"
        className="chip__remove"
        aria-label={t('notifications.groups.remove', { group: name })}
        onClick={onRemove}
      >
        <IconX size={14} />
      </button>
    </span>
  );
}

/** Groups to choose from, searched on the server; a chosen one is offered no more. */
function Choices({ chosen, onPick }: { chosen: readonly string[]; onPick: (group: string) => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [text, setText] = useState('');
  const { data, error } = useQuery(groupChoices(useDeferredValue(text.trim())));
  const offered = data?.options ?? [];
  const options = offered
    .filter(({ group }) => !chosen.includes(group))
    .map(({ group, groupName }) => ({ value: group, label: groupName }));
  return (
    <>
      <OptionList
        label={t('notifications.groups.label')}
        options={text === '' ? [{ value: '', label: t('notifications.groups.all') }, ...options] : options}
        selected={chosen.length === 0 ? '' : undefined}
        searchable
        placeholder={t('notifications.groups.find')}
        onSearch={setText}
        onPick={onPick}
      />
      {error !== null && (
        <p className="bad chosen-groups__more" role="alert">
          {errorText(error)}
        </p>
      )}
      {data !== undefined && data.total > offered.length && (
        <p className="dim chosen-groups__more">{t('notifications.groups.more')}</p>
      )}
    </>
  );
}

interface GroupPickerProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly hint?: string | undefined;
}

/** The groups of a notification; none selected = all of them (SVC-02). */
export function GroupPicker({ chosen, onChange, hint }: GroupPickerProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const hidden = chosen.length - MOST_CHIPS;
  return (
    <div role="group" aria-labelledby={`${id}-label`}>
      <span id={`${id}-label`} className="field-label">
        {t('notifications.groups.label')}
      </span>
      <div className="chosen-groups">
        {chosen.length === 0 && <span>{t('notifications.groups.all')}</span>}
        {chosen.slice(0, MOST_CHIPS).map((group) => (
          <GroupChip key={group} group={group} onRemove={() => onChange(chosen.filter((one) => one !== group))} />
        ))}
        {hidden > 0 && <span className="dim">{t('notifications.groups.others', { number: formatNumber(hidden) })}</span>}
        <Popup
          trigger={(trigger) => (
            <Button size="xs" rightSection={<IconChevronDown size={14} />} {...trigger}>
              {t('notifications.groups.add')}
            </Button>
          )}
        >
          {(close) => (
            <Choices
              chosen={chosen}
              onPick={(group) => {
                close();
                onChange(group === '' ? [] : [...chosen, group]);
              }}
            />
          )}
        </Popup>
      </div>
      {hint !== undefined && <p className="dim events__hint">{hint}</p>}
    </div>
  );
}
