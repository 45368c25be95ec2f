import { useQuery } from '@tanstack/react-query';
import { lastSearch } from '../../../ui/list/last-search.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { toast } from '../../../ui/toasts.ts';
import { groupCountQuery } from '../groups.api.ts';
import { useProblems } from './useProblems.ts';
import { GroupForm } from './GroupForm.tsx';
import { useGroupForm } from './useGroupForm.ts';

/** /groups/add: a new group; its number is one more than there are (GRP-06). */
export function GroupAdd(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const count = useQuery(groupCountQuery()).data;
  const form = useGroupForm({
    stored: undefined,
    onSaved: () => {
      toast(t('ui.done.saved', { msg: t('groups.form.saved') }));
      void navigate({ to: '/groups/list', search: {} });
    },
  });
  const problems = useProblems(form);
  return (
    <div className="page">
      <PageHeader
        title={t('groups.form.addTitle')}
        back={
          <Link to="/groups/list" search={lastSearch('/groups/list')}>
            {t('groups.title')}
          </Link>
        }
      />
      <div className="group-detail">
        <GroupForm
          form={form}
          problems={problems}
          number={count === undefined ? undefined : count + 1}
          deviceCount={0}
          onDelete={() => undefined}
        />
      </div>
    </div>
  );
}
