import { IconChevronDown } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { type SavedView, viewsOf } from '../../api/views/views.api.ts';
import { groupQuery } from '../../entities/groups/group.api.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { OptionList } from '../../ui/OptionList.tsx';
import { Popup } from '../../ui/Popup.tsx';
import type { LimitDraft } from './limit-draft.ts';
import { readLimitOfView } from './limit-of-view.ts';

export interface LimitByViewProps {
  readonly limit: LimitDraft;
  /** The organization; undefined = the person's own. */
  readonly org: string | undefined;
  readonly onChange: (change: Partial<LimitDraft>) => void;
}

/** Adds the group or the tag that a saved view consists of, or says why the view is no limit. Absent without saved views of devices. */
export function LimitByView({ limit, org, onChange }: LimitByViewProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const views = useQuery(viewsOf(org)).data?.filter(({ list }) => list === 'devices') ?? [];
  if (views.length === 0) return null;
  const pick = async (view: SavedView) => {
    const found = readLimitOfView(view);
    setNote('');
    if ('reason' in found) setNote(t(`apiKeys.limit.view.${found.reason}`, { view: view.name }));
    else if ('tag' in found) onChange({ tags: [...new Set([...limit.tags, found.tag])] });
    else {
      const named = await client.fetchQuery(groupQuery(found.group, org)).catch(() => null);
      if (named === null) return setNote(t('apiKeys.limit.view.missing', { view: view.name }));
      const others = limit.groups.filter(({ id }) => id !== found.group);
      onChange({ groups: [...others, { id: found.group, name: named.group.groupName }] });
    }
  };
  return (
    <div className="choices">
      <Popup
        trigger={(trigger) => (
          <Button size="xs" rightSection={<IconChevronDown size={14} />} {...trigger}>
            {t('apiKeys.limit.view.open')}
          </Button>
        )}
      >
        {(close) => (
          <OptionList
            label={t('apiKeys.limit.view.open')}
            options={views.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            onPick={(id) => {
              close();
              const view = views.find((each) => each.id === id);
              if (view !== undefined) void pick(view);
            }}
          />
        )}
      </Popup>
      <p className="field__note" role="status">
        {note === '' ? t('apiKeys.limit.view.hint') : note}
      </p>
    </div>
  );
}
