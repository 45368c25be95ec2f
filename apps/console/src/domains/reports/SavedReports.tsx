import { Button } from '../../ui/controls/Button.tsx';
import { IconBookmark, IconBookmarks, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { ActionButton, IconButton } from '../../ui/ActionButton.tsx';
import { Popup } from '../../ui/Popup.tsx';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { toast } from '../../ui/toasts.ts';
import { daysOfReport, reportDates, wholeDays } from './range.ts';
import type { ReportDraft } from './draft.ts';
import { deleteReport, type ReportSearch, type SavedReport, savedReportsQuery, saveReport } from './reports.api.ts';

/** The saved filters as an address. */
function searchOf(
  { dayType, startDate, endDate, queryId, groupId, deviceId, properties, num, reportName }: SavedReport,
  zone: string,
): ReportSearch {
  const days = dayType === null ? daysOfReport(startDate, endDate, zone) : { day: dayType === 'today' ? undefined : dayType };
  return { ...days, id: queryId, group: groupId, device: deviceId, property: properties.id, value: num, name: reportName };
}

interface SaveReportProps {
  readonly draft: ReportDraft;
  readonly name: string;
  /** Why the question cannot be saved. */
  readonly fault: string | undefined;
}

/** Saves the filters under a name, to use them again. */
export function SaveReport({ draft, name, fault }: SaveReportProps): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const now = useNow();
  const client = useQueryClient();
  const save = useAction<void, SavedReport>({
    run: () => {
      const days = wholeDays(draft, zone, now) ?? { from: '', until: '' };
      const { id, group, device, property, value, day = 'today' } = draft;
      return saveReport({
        reportName: name.trim(),
        dayType: day === 'custom' ? null : day,
        ...reportDates(days),
        queryId: id,
        groupId: group,
        deviceId: device,
        properties: { id: property },
        num: value,
      });
    },
    onDone: ({ reportName }) => {
      toast(t('ui.done.saved', { msg: reportName }));
      void client.invalidateQueries({ queryKey: savedReportsQuery().queryKey });
    },
  });
  return (
    <ActionButton
      icon={<IconBookmark size={16} />}
      loading={save.busy}
      disabledReason={fault ?? (name.trim() === '' ? t('reports.nameFirst') : undefined)}
      onClick={() => save.run()}
    >
      {t('reports.save')}
    </ActionButton>
  );
}

function Saved({ onPick }: { onPick: (search: ReportSearch) => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const zone = useZone();
  const client = useQueryClient();
  const { data, error } = useQuery(savedReportsQuery());
  const remove = useAction<SavedReport, void>({
    run: ({ id }) => deleteReport(id),
    onDone: () => {
      toast(t('ui.done.deleted'));
      void client.invalidateQueries({ queryKey: savedReportsQuery().queryKey });
    },
  });
  if (data === undefined) return <p className="dim saved__none">{error === null ? t('reports.loading') : errorText(error)}</p>;
  if (data.length === 0) return <p className="dim saved__none">{t('reports.noneSaved')}</p>;
  return (
    <ul className="saved">
      {data.map((report) => (
        <li key={report.id}>
          <button type="button" className="saved__pick" onClick={() => onPick(searchOf(report, zone))}>
            {report.reportName}
          </button>
          <IconButton
            label={t('reports.forget', { name: report.reportName })}
            icon={<IconX size={16} />}
            onClick={() => remove.run(report)}
          />
        </li>
      ))}
    </ul>
  );
}

/** The user's own saved reports: a click runs one again, another deletes it. */
export function SavedReports({ onPick }: { onPick: (search: ReportSearch) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Popup
      role="dialog"
      label={t('reports.saved')}
      trigger={(trigger) => (
        <Button leftSection={<IconBookmarks size={16} />} {...trigger}>
          {t('reports.saved')}
        </Button>
      )}
    >
      {(close) => (
        <Saved
          onPick={(search) => {
            close();
            onPick(search);
          }}
        />
      )}
    </Popup>
  );
}
