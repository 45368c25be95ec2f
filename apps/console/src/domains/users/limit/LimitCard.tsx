import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageForm } from '../../../api/EntityForm.tsx';
import { readDetail, useEntityForm } from '../../../api/useEntityForm.ts';
import { draftOfLimit, type LimitDraft, LimitFields, limitOf } from '../../api-keys/index.ts';
import { saveLimit, type UserDetails } from '../users.api.ts';

const comparable = (draft: LimitDraft): string => {
  const limit = limitOf(draft);
  return JSON.stringify(limit && [limit.groups.toSorted(), limit.tags.toSorted()]);
};

type Limit = Pick<UserDetails, 'limitedTo' | 'limitVersion'>;

const storedOf = ({ limitedTo, limitVersion }: Limit) => ({ values: draftOfLimit(limitedTo), etag: `"${limitVersion}"` });

export interface LimitCardProps {
  readonly user: UserDetails;
  /** The organization of the user, for a main account; left out = the own one. */
  readonly org?: string;
}

/** Which vehicles a user sees: all of the organization, or only those of groups and tags (IAM-04). The caller gives each user a `key`. */
export function LimitCard({ user, org }: LimitCardProps): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<LimitDraft>({
    stored: storedOf(user),
    stale: readDetail((current: Limit) => ({ ...storedOf(current), text: t('ui.form.stale', { name: t('users.limit.title') }) })),
    isSame: (one, other) => comparable(one) === comparable(other),
    save: (draft, { etag }) => saveLimit(user.id, limitOf(draft), etag),
    done: t('users.limit.saved'),
    refresh: ['users'],
    leave: 'ask',
    draft: `user-limit-${user.id}`,
  });
  const { values } = form;
  return (
    <section className="card panel" aria-labelledby="limit">
      <PageForm form={form} submit={t('users.limit.save')}>
        <h2 id="limit">{t('users.limit.title')}</h2>
        <LimitFields
          label={t('users.limit.label')}
          none={t('users.limit.none')}
          limit={values}
          org={org}
          onChange={(change) => form.set(change)}
        />
        {values.sees === 'some' && values.groups.length + values.tags.length > 0 && (
          <p className="dim">{t('users.limit.hint')}</p>
        )}
      </PageForm>
    </section>
  );
}
