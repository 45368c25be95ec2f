import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#i18n';
import type { Filter } from '../../ui/filter/filter.ts';
import { organizationQuery } from './organization.api.ts';

/** What a list shows of one organization, chosen elsewhere: its name; its id while it is fetched, and for one that is no more. */
export function useOrganizationFilter(org: string | undefined): Filter {
  const { t } = useTranslation();
  const { data } = useQuery(organizationQuery(org));
  return { name: 'org', label: t('devices.field.organization'), options: [], value: org, shown: data?.name };
}
