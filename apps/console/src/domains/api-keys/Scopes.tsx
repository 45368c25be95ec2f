import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../ui/Check.tsx';
import { groupName, type KeyGroup } from './api-keys.api.ts';
import './api-keys.css';
import { Calls } from './Calls.tsx';
import { useAreaName } from './useAreaName.ts';

export interface ScopesProps {
  readonly legend: string;
  readonly hint: string;
  readonly groups: readonly KeyGroup[];
  /** Names of the chosen groups. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** What a key or a role may do, by kind of thing: read, change, and the exact calls that each of them means (HKS-02, IAM-03). */
export function Scopes({ legend, hint, groups, chosen, onChange }: ScopesProps): ReactNode {
  const { t } = useTranslation();
  const areaName = useAreaName();
  const areas = Map.groupBy(groups, ({ area }) => area);
  const toggle = (group: KeyGroup, checked: boolean) => {
    const others = chosen.filter((name) => name !== groupName(group));
    onChange(checked ? [...others, groupName(group)] : others);
  };
  return (
    <fieldset className="scopes">
      <legend>{legend}</legend>
      <p className="scopes__hint">{hint}</p>
      <ul className="scopes__list">
        {[...areas].map(([area, parts]) => (
          <li key={area} className="scopes__row">
            <span>{areaName(area)}</span>
            {(['read', 'write'] as const).map((access) => {
              const group = parts.find((part) => part.access === access);
              if (group === undefined) return <span key={access} />;
              const isChosen = chosen.includes(groupName(group));
              return (
                <label key={access} className="check-line">
                  <Check
                    bare
                    label={t(`apiKeys.add.${access}Of`, { area: areaName(area) })}
                    checked={isChosen}
                    onChange={(checked) => toggle(group, checked)}
                  />
                  {t(`apiKeys.add.${access}`)}
                </label>
              );
            })}
            <details>
              <summary>
                {t('apiKeys.calls', { count: parts.reduce((sum, { operations }) => sum + operations.length, 0) })}
              </summary>
              {parts.map((group) => (
                <Calls key={group.access} operations={group.operations} />
              ))}
            </details>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
