import { IconPlus } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor, useSession } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { viewsQuery } from '../../api/views/views.api.ts';
import { geofencesQuery, type Geofence } from '../../entities/geofences/geofence.api.ts';
import { groupQuery } from '../../entities/groups/group.api.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { lastSearch } from '../../ui/list/last-search.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { ShortTable } from '../../ui/table/ShortTable.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { useTemperatureUnit } from '../../ui/units.ts';
import { RuleDialog } from './RuleDialog.tsx';
import type { GeofenceNames } from './alert.ts';
import { type Rule, rulesQuery } from './alerts.api.ts';
import { ruleColumns } from './rule-columns.tsx';
import { zoneOfRules } from './rule-draft.ts';
import './alerts.css';

const namesOf = (fences: readonly Geofence[]): GeofenceNames => new Map(fences.map(({ id, name }) => [id, name]));

/** The devices that a rule watches, as text. */
function useScopeText(rules: readonly Rule[]): (scope: Rule['scope']) => string {
  const { t } = useTranslation();
  const watched = [...new Set(rules.flatMap(({ scope }) => (scope.kind === 'group' ? scope.group : [])))];
  const found = useQueries({ queries: watched.map((group) => groupQuery(group)) });
  const names = new Map(watched.map((group, at) => [group, found[at]?.data?.group.groupName]));
  const views = useQuery(viewsQuery).data ?? [];
  return (scope) => {
    switch (scope.kind) {
      case 'all':
        return t('alerts.scope.all');
      case 'group':
        return t('alerts.scope.inGroup', { name: names.get(scope.group) ?? scope.group });
      case 'tag':
        return t('alerts.scope.withTag', { name: scope.tag });
      case 'view':
        return t('alerts.scope.ofView', { name: views.find(({ id }) => id === scope.view)?.name ?? '' });
    }
  };
}

/** /alerts/rules: the alert rules of the organization, by name (ALR-01). */
export function RuleList(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const session = useSession();
  const role = useRoleFor('alerts');
  const isAdmin = role === 'admin';
  const rules = useQuery(rulesQuery);
  const scopeText = useScopeText(rules.data ?? []);
  const own = useZone();
  const fences = useQuery({ ...geofencesQuery(), select: namesOf }).data;
  const [edited, setEdited] = useState<{ readonly rule: Rule | undefined }>();
  const onOpen = isAdmin ? (rule: Rule) => setEdited({ rule }) : undefined;
  const columns = ruleColumns(t, { scopeText, fences, temperatures: useTemperatureUnit() }, onOpen);
  return (
    <div className="page">
      <PageHeader
        title={t('alerts.rules.title')}
        back={
          <Link to="/alerts" search={lastSearch('/alerts')}>
            {t('alerts.title')}
          </Link>
        }
        sub={rules.data === undefined ? <>&nbsp;</> : t('alerts.rules.count', { count: rules.data.length })}
        actions={
          <>
            {isPageOpen(session, '/alerts/people') && (
              <Button renderRoot={(props) => <Link to="/alerts/people" search={{}} {...props} />}>
                {t('alerts.people.title')}
              </Button>
            )}
            <Button renderRoot={(props) => <Link to="/alerts/actions" search={{}} {...props} />}>
              {t('alerts.actions.title')}
            </Button>
            <ActionButton
              variant="filled"
              icon={<IconPlus size={16} />}
              disabledReason={isAdmin ? undefined : t('alerts.rules.notAllowed')}
              onClick={() => setEdited({ rule: undefined })}
            >
              {t('alerts.rules.add')}
            </ActionButton>
          </>
        }
      />
      {rules.isPending && <Skeleton lines={4} />}
      {rules.isError && rules.data === undefined && (
        <ErrorState text={errorText(rules.error)} onRetry={() => void rules.refetch()} />
      )}
      {rules.data?.length === 0 && (
        <EmptyState
          text={t('alerts.rules.none')}
          action={isAdmin && <Button onClick={() => setEdited({ rule: undefined })}>{t('alerts.rules.first')}</Button>}
        />
      )}
      {rules.data !== undefined && rules.data.length > 0 && (
        <ShortTable
          className="card panel rules"
          caption={t('alerts.rules.title')}
          columns={columns}
          rows={rules.data}
          rowId={({ id }) => id}
        />
      )}
      {edited !== undefined && (
        <RuleDialog
          key={edited.rule?.id}
          rule={edited.rule}
          zone={zoneOfRules(rules.data ?? [], own)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}
