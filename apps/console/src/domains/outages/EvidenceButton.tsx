import { IconFileTypePdf } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { saveFile } from '../../api/download.ts';
import { useAction } from '../../api/useAction.ts';
import { useTranslation } from '#i18n';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { useLanguage } from '../../ui/language.ts';
import { useZone } from '../../ui/time/zone.ts';
import { fetchEvidence } from './outages.api.ts';
import type { OutageTabProps } from './tab.ts';
import type { Days } from '../../ui/time/period.ts';

export interface EvidenceButtonProps {
  /** What is chosen: a vehicle, a group, an area or a carrier. */
  readonly of: Omit<OutageTabProps['query'], 'kind'>;
  readonly days: Days;
}

/** Evidence for the carrier: outages as a PDF file (RPM-04). */
export function EvidenceButton({ of, days: { from, until } }: EvidenceButtonProps): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const zone = useZone();
  const download = useAction<void, Blob>({
    run: () => fetchEvidence({ ...of, from, until, zone, language }),
    onDone: (file) => saveFile(file, `evidence_${from}_${until}.pdf`),
  });
  return (
    <ActionButton icon={<IconFileTypePdf size={16} />} loading={download.busy} onClick={() => download.run()}>
      {t('outages.evidence')}
    </ActionButton>
  );
}
