import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
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
  const errorText = useErrorText();
  const [endpointId, setEndpointId] = useState(router.endpointId);
  const [error, setError] = useState<string>();
  const save = useAction<string, Router>({
    run: (value) => changeEndpointId(router.id, value),
    onDone: onSaved,
    onError: (failure) => {
      if (!(failure instanceof ApiError) || failure.field !== 'endpointId') return false;
      setError(errorText(failure));
      return true;
    },
  });
  return (
    <FormDialog
      title={t('inventory.endpoint.title', { serial: router.serial_number })}
      submit={t('inventory.endpoint.save')}
      busy={save.busy}
      disabledReason={endpointId === router.endpointId ? t('ui.nothingChanged') : undefined}
      onSubmit={() => save.run(endpointId)}
      onClose={onClose}
    >
      <p>{t('inventory.endpoint.text')}</p>
      <EndpointInput
        label={t('inventory.column.endpoint')}
        value={endpointId}
        error={error}
        onChange={(value) => {
          setEndpointId(value);
          setError(undefined);
        }}
      />
    </FormDialog>
  );
}
