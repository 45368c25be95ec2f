import type { SettingsCatalogue } from '@highline/contract';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { isFit, type Draft } from './draft.ts';
import { EntryList } from './EntryList.tsx';
import type { LevelSettings } from './settings.api.ts';
import { SettingField } from './SettingField.tsx';
import { groupSettings, titleOf } from './setting-texts.ts';

interface SettingPanelsProps {
  readonly catalogue: SettingsCatalogue;
  readonly draft: Draft;
  readonly stored: LevelSettings;
  /** Of the levels above, as it is now. */
  readonly inherited: LevelSettings['inherited'];
  readonly isReadOnly: boolean;
  readonly onChange: (values: Draft) => void;
}

/** The values of a level, a panel for each group of them (TPL-01). */
export function SettingPanels({ catalogue, draft, stored, inherited, isReadOnly, onChange }: SettingPanelsProps): ReactNode {
  const { t } = useTranslation();
  const groups = useMemo(() => groupSettings(catalogue), [catalogue]);
  const above = new Map(inherited.map((each) => [each.path, each]));
  return (
    <div className="setting-groups">
      {groups.map((group) => (
        <section
          key={group.id}
          className={group.lists.length > 0 ? 'card panel setting-groups__wide' : 'card panel'}
          aria-labelledby={`settings-${group.id}`}
        >
          <div className="panel__head">
            <h2 id={`settings-${group.id}`}>{titleOf(t, group)}</h2>
          </div>
          <div className="form">
            {group.settings.map((setting) => (
              <SettingField
                key={setting.path}
                setting={setting}
                value={draft[setting.path] === undefined ? '' : draft[setting.path]!}
                inherited={above.get(setting.path)}
                isFit={isFit(setting, draft)}
                isReadOnly={isReadOnly}
                onChange={(value) => onChange({ [setting.path]: value })}
              />
            ))}
          </div>
          {group.lists.map((list) => (
            <EntryList
              key={list}
              list={list}
              catalogue={catalogue}
              draft={draft}
              stored={stored}
              isReadOnly={isReadOnly}
              onChange={onChange}
            />
          ))}
        </section>
      ))}
    </div>
  );
}
