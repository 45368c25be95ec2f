import type { deviceAdding } from '@highline/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatNumber } from '../../ui/time/format.ts';
import './imports.css';

type Changes = deviceAdding.ImportChanges;

/** A value before and after; what did not exist before has none. */
function Change({ change: { field, before, after } }: { change: Changes['rows'][number]['changes'][number] }): ReactNode {
  const { t } = useTranslation();
  return (
    <li>
      <span className="dim">{t(`deviceForms.check.field.${field}`)}: </span>
      {before !== '' && <del>{before}</del>}
      {before !== '' && ' → '}
      {after}
    </li>
  );
}

/** What a checked file would set, field by field, with its first 100 rows before and after (BLK-05). */
export function ImportCheck({ changes, success }: { changes: Changes; success: number }): ReactNode {
  const { t } = useTranslation();
  const { fields, rows, newTags } = changes;
  return (
    <div className="import-effect">
      <div className="note">
        <IconInfoCircle size={18} />
        <div>
          <p className="strong">{t('deviceForms.check.summary', { count: success, shown: formatNumber(success) })}</p>
          {fields.length > 0 && (
            <p>
              {fields
                .map(({ field, rows: count }) =>
                  t('ui.detail', { name: t(`deviceForms.check.field.${field}`), detail: formatNumber(count) }),
                )
                .join(' · ')}
            </p>
          )}
          {newTags.length > 0 && <p>{t('deviceForms.check.newTags', { tags: newTags.join(t('ui.between')) })}</p>}
        </div>
      </div>
      {rows.length > 0 && (
        <details>
          <summary>{t('deviceForms.check.rows', { count: rows.length, shown: formatNumber(rows.length) })}</summary>
          <div
            className="template-table import-effect__rows"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the region scrolls, so a keyboard must be able to reach it
            tabIndex={0}
            role="region"
            aria-label={t('deviceForms.check.title')}
          >
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('deviceForms.check.row')}</th>
                  <th scope="col">{t('deviceForms.check.field.serial')}</th>
                  <th scope="col">{t('deviceForms.check.change')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ row, serial, changes: all }) => (
                  <tr key={row}>
                    <td className="num">{row}</td>
                    <td className="mono">{serial}</td>
                    <td>
                      <ul>
                        {all.map((change) => (
                          <Change key={change.field} change={change} />
                        ))}
                      </ul>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </div>
  );
}
