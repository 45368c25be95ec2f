import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { EndpointInput } from './EndpointInput.tsx';
import { changeEndpointId, type Router } from './inventory.api.ts';

export interface EndpointDialogProps {
  readonly router: Router;
  readonly onClose: () => void;
  readonly onSaved: (router: Router) => void;
}

/** Change the endpoint ID of a router; its secret stays. */
export function EndpointDialog({ router, onClose, onSaved }: EndpointDialogProps): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<{ endpointId: string }, Router>({
    stored: { values: { endpointId: router.endpointId } },
    leave: 'free',
    fieldOf: ({ field }) => field,
    save: ({ endpointId }) => changeEndpointId(router.id, endpointId),
    onSaved,
  });
  return (
    <EntityDialog
      form={form}
      title={t('inventory.endpoint.title', { serial: router.serial_number })}
      submit={t('inventory.endpoint.save')}
      onClose={onClose}
    >
      <p>{t('inventory.endpoint.text')}</p>
      <EndpointInput label={t('inventory.column.endpoint')} {...form.field('endpointId')} />
    </EntityDialog>
  );
}
