import { alerts } from '@highline/contract';
import { IconAdjustments, IconUsers } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import type { ListFile } from '../../api/DownloadButton.tsx';
import { ListBar, ListDownload } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useRoleFor, useSession } from '../../api/session.ts';
import { useList } from '../../api/useList.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { useSelection } from '../../ui/list/useSelection.ts';
import { useZone } from '../../ui/time/zone.ts';
import { AcknowledgeDialog } from './AcknowledgeDialog.tsx';
import { countFiring, isSystem, pageOfAlert, stormOf } from './alert-cells.tsx';
import { alertColumns } from './alert-columns.tsx';
import { type Alert, fetchAlerts, fetchAlertsFile } from './alerts.api.ts';
import { alertList } from './alerts.lists.ts';
import { useAlertFilters } from './useAlertFilters.ts';
import './alerts.css';

/** The id of a line: that of its storm, so that actions take all of its alerts, or of its alert. */
const idOf = (alert: Alert) => stormOf(alert)?.id ?? alert.id;

const nameOf = (alert: Alert) => `${alert.ruleName} ${isSystem(alert) ? alert.vehicle_number : alert.serial_number}`;

/** What a column of the list says besides, as columns of its file. */
const saidWith: Readonly<Record<string, readonly string[]>> = {
  // A vehicle without a number is named by its serial number.
  vehicle: ['serial'],
  rule: ['value'],
  state: ['resolution', 'acknowledged', 'acknowledgedBy', 'note', 'resolved'],
  duration: ['since'],
};

const fileColumnsOf = (shown: string | undefined): string | undefined =>
  shown && [...new Set(shown.split(',').flatMap((id) => [id, ...(saidWith[id] ?? [])]))].join(',');

/** /alerts: what is open, by severity; also what was acknowledged or is resolved (ALR-03, SAY-06). */
export function AlertList(): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('alerts') === 'admin';
  const zone = useZone();
  const session = useSession();
  const isMain = session.role === 'main';
  const navigate = useNavigate();
  const [isAcknowledging, setAcknowledging] = useState(false);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({ spec: alertList, topics: ['alerts'], fetchPage: fetchAlerts });
  const columns = useMemo(() => alertColumns(t, isMain), [t, isMain]);
  const filters = useAlertFilters(list);
  const file: ListFile<typeof list.spec> = {
    name: 'Alerts_export.csv',
    columns: { id: alertList.id, columns, known: alerts.alertColumns },
    fetch: ({ columns: shown, ...query }) => fetchAlertsFile({ ...query, columns: fileColumnsOf(shown), zone }),
  };
  const firing = [...selection.selected.values()].reduce((sum, alert) => sum + countFiring(alert), 0);
  return (
    <ListPage
      list={list}
      title={t('alerts.title')}
      count={(count, shown) => t('alerts.count', { count, shown })}
      actions={
        <>
          <ListDownload list={list} file={file} />
          {!isMain && (
            <>
              {isPageOpen(session, '/alerts/people') && (
                <Button
                  leftSection={<IconUsers size={16} />}
                  renderRoot={(props) => <Link to="/alerts/people" search={{}} {...props} />}
                >
                  {t('alerts.people.title')}
                </Button>
              )}
              <Button
                leftSection={<IconAdjustments size={16} />}
                renderRoot={(props) => <Link to="/alerts/rules" search={{}} {...props} />}
              >
                {t('alerts.rules.open')}
              </Button>
            </>
          )}
        </>
      }
      caption={t('alerts.caption')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      onOpen={(alert) => {
        const storm = stormOf(alert);
        if (storm === null) void navigate(pageOfAlert(alert));
        else list.state.change({ storm: storm.id });
      }}
      emptyAction={
        isAdmin && (
          <Button renderRoot={(props) => <Link to="/alerts/rules" search={{}} {...props} />}>{t('alerts.rules.first')}</Button>
        )
      }
      bar={
        <ListBar list={list} selection={selection} file={file}>
          <Button variant="filled" disabled={firing === 0} onClick={() => setAcknowledging(true)}>
            {t('alerts.acknowledge.open')}
          </Button>
        </ListBar>
      }
      fieldLabel={(field) => t(`alerts.field.${field}`)}
      filters={filters}
    >
      {isAcknowledging && (
        <AcknowledgeDialog
          ids={[...selection.selected.keys()]}
          count={firing}
          onClose={() => setAcknowledging(false)}
          onDone={() => {
            setAcknowledging(false);
            selection.leave();
            list.reload();
          }}
        />
      )}
    </ListPage>
  );
}
