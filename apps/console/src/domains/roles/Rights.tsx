import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAreaName } from '../api-keys/index.ts';
import './roles.css';

/** What a role may do, as text: what it changes, and what it reads only (IAM-03). */
export function Rights({ rights }: { rights: readonly string[] }): ReactNode {
  const { t } = useTranslation();
  const areaName = useAreaName();
  const areas = [...Map.groupBy(rights, (right) => right.split('.', 1)[0]!)];
  const named = (isIt: (held: readonly string[]) => boolean) =>
    areas.flatMap(([area, held]) => (isIt(held.map((right) => right.slice(area.length + 1))) ? [areaName(area)] : []));
  const [changed, read] = [named((held) => held.includes('write')), named((held) => !held.includes('write'))];
  return (
    <dl className="role-rights">
      {changed.length > 0 && (
        <div>
          <dt>{t('roles.changes')}</dt>
          <dd>{changed.join(t('ui.between'))}</dd>
        </div>
      )}
      {read.length > 0 && (
        <div>
          <dt>{t('roles.reads')}</dt>
          <dd>{read.join(t('ui.between'))}</dd>
        </div>
      )}
    </dl>
  );
}
