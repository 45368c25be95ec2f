import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../api/useErrorText.ts';
import { sentences } from '../../ui/sentences.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { type Chosen, type JobAction, previewJob } from './bulk-jobs.api.ts';

/** How many devices a job would change, before it is started. */
export function Effect({ chosen, action }: { readonly chosen: Chosen; readonly action: JobAction | undefined }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const described = useDeferredValue(action);
  const { data, error } = useQuery({
    queryKey: ['jobs', 'preview', chosen, described],
    queryFn: () => previewJob(chosen, described!),
    enabled: described !== undefined,
    gcTime: 0,
  });
  if (error !== null)
    return (
      <p className="bad" role="alert">
        {errorText(error)}
      </p>
    );
  if (described === undefined || data === undefined) return <p className="dim">&nbsp;</p>;
  const { devices, unchanged } = data;
  const change = devices - unchanged;
  const texts = [
    change === 0 ? t('bulkJobs.effect.nothing') : t('bulkJobs.effect.change', { count: change, shown: formatNumber(change) }),
    ...(unchanged > 0 && change > 0
      ? [t('bulkJobs.effect.unchanged', { count: unchanged, shown: formatNumber(unchanged) })]
      : []),
  ];
  return (
    <p className="dim" role="status">
      {sentences(texts)}
    </p>
  );
}
