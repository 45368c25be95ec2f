import { IconChevronDown, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import type { accounts } from '@highline/contract';
import { useAction } from '../../../api/useAction.ts';
import { tagsQuery } from '../../../entities/devices/devices.api.ts';
import { groupChoices } from '../../../entities/groups/group.api.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { NativeSelect } from '../../../ui/controls/TextInput.tsx';
import { TagsField } from '../../../ui/form/TagsField.tsx';
import { OptionList } from '../../../ui/OptionList.tsx';
import { Popup } from '../../../ui/Popup.tsx';
import { toast } from '../../../ui/toasts.ts';
import { saveLimit, type UserDetails } from '../users.api.ts';
import './limit.css';

type Group = accounts.PersonLimit['groups'][number];

/** Groups as chips, and a list to add one from. */
function GroupsField({ chosen, onChange }: { chosen: readonly Group[]; onChange: (chosen: Group[]) => void }): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const { data } = useQuery(groupChoices(useDeferredValue(text.trim())));
  const options = (data?.options ?? [])
    .filter(({ group }) => !chosen.some((each) => each.id === group))
    .map(({ group, groupName }) => ({ value: group, label: groupName }));
  return (
    <div role="group" aria-labelledby={id}>
      <span id={id} className="field-label">
        {t('users.limit.groups')}
      </span>
      <div className="limit__groups">
        {chosen.map(({ id: group, name }) => (
          <span key={group} className="chip">
            <span className="limit__name">{name}</span>
            <button
              type="button"
              className="chip__remove"
              aria-label={t('users.limit.remove', { group: name })}
              onClick={() => onChange(chosen.filter((each) => each.id !== group))}
            >
              <IconX size={14} />
            </button>
          </span>
        ))}
        <Popup
          trigger={(trigger) => (
            <Button size="xs" rightSection={<IconChevronDown size={14} />} {...trigger}>
              {t('users.limit.add')}
            </Button>
          )}
        >
          {(close) => (
            <OptionList
              label={t('users.limit.groups')}
              options={options}
              selected={undefined}
              searchable
              placeholder={t('users.limit.find')}
              onSearch={setText}
              onPick={(group) => {
                close();
                const name = options.find(({ value }) => value === group)?.label ?? group;
                onChange([...chosen, { id: group, name }]);
              }}
            />
          )}
        </Popup>
      </div>
    </div>
  );
}

const same = (one: accounts.PersonLimit | null, other: accounts.PersonLimit | null) =>
  JSON.stringify(one && [one.groups.map(({ id }) => id).sort(), [...one.tags].sort()]) ===
  JSON.stringify(other && [other.groups.map(({ id }) => id).sort(), [...other.tags].sort()]);

/** Which vehicles a user sees: all of the organization, or only those of groups and tags (IAM-04). */
export function LimitCard({ user }: { user: UserDetails }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const stored = user.limitedTo;
  const [changed, setChanged] = useState<{ readonly to: accounts.PersonLimit | null }>();
  const limit = changed === undefined ? stored : changed.to;
  const tags = useQuery({ ...tagsQuery(), enabled: limit !== null }).data ?? [];
  const save = useAction({
    run: (to: accounts.PersonLimit | null) => saveLimit(user.id, to),
    onDone: () => {
      void client.invalidateQueries({ queryKey: ['users'] }).then(() => setChanged(undefined));
      toast(t('users.limit.saved'));
    },
  });
  const set = (to: accounts.PersonLimit | null) => setChanged({ to });
  return (
    <section className="card panel panel--stack" aria-labelledby="limit">
      <h2 id="limit">{t('users.limit.title')}</h2>
      <NativeSelect
        label={t('users.limit.label')}
        data={[
          { value: 'all', label: t('users.limit.all') },
          { value: 'some', label: t('users.limit.some') },
        ]}
        value={limit === null ? 'all' : 'some'}
        onChange={(event) => set(event.currentTarget.value === 'all' ? null : (stored ?? { groups: [], tags: [] }))}
      />
      {limit !== null && (
        <>
          <GroupsField chosen={limit.groups} onChange={(groups) => set({ ...limit, groups })} />
          <TagsField
            label={t('users.limit.tags')}
            value={limit.tags}
            suggestions={tags}
            onChange={(chosen) => set({ ...limit, tags: chosen })}
          />
          <p className="dim">{t(limit.groups.length + limit.tags.length === 0 ? 'users.limit.none' : 'users.limit.hint')}</p>
        </>
      )}
      <div className="form__actions">
        <Button variant="filled" loading={save.busy} disabled={same(limit, stored)} onClick={() => save.run(limit)}>
          {t('users.limit.save')}
        </Button>
      </div>
    </section>
  );
}
