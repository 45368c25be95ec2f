import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import type { UserRole } from './users.api.ts';

/** The privileges of a role as a list (USR-03; part 2, section 6). */
export function Privileges({ role }: { role: UserRole }): ReactNode {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="privileges">
      <h2 id="privileges">{t('users.detail.privileges')}</h2>
      <ul>
        {t(`users.privileges.${role}`)
          .split('\n')
          .map((line) => (
            <li key={line}>{line}</li>
          ))}
      </ul>
    </section>
  );
}
