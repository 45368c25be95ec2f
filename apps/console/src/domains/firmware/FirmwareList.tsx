import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { firmwareColumns } from './columns.tsx';
import { FirmwareTable } from './FirmwareTable.tsx';

/** /groups/firmwares and /devices/firmware: read-only (FWR-01). */
export function FirmwareList(): ReactNode {
  const { t } = useTranslation();
  const columns = useMemo(() => firmwareColumns(t), [t]);
  return <FirmwareTable title={t('firmware.title')} columns={columns} />;
}
