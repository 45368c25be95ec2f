import type { approvals } from '@highline/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { useLanguage } from '../../ui/language.ts';
import { awaited, useInputLoss } from '../../ui/losses.ts';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { toast } from '../../ui/toasts.ts';
import { actsOf, type Approval, decide, requesterOf } from './approvals.api.ts';

export interface ApprovalDialogProps {
  readonly request: Approval;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** What the act would touch, and its history. */
function Facts({ request }: { request: Approval }): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const zone = useZone();
  const { routers, names, by, created, expires, decided, decidedBy, reason, state } = request;
  const time = (moment: string) => formatDateTime(new Date(moment), zone);
  const more = routers - names.length;
  return (
    <>
      <ul>
        {actsOf(language, request).map((act) => (
          <li key={act}>{act}</li>
        ))}
      </ul>
      {routers > 0 && (
        <p>
          {t('approvals.concerns', { count: routers, shown: formatNumber(routers) })} {names.join(t('ui.between'))}
          {names.length > 0 && more > 0 && ` ${t('approvals.more', { count: more, shown: formatNumber(more) })}`}
        </p>
      )}
      <p className="dim">{t('approvals.requested', { by, who: requesterOf(t, request), time: time(created) })}</p>
      {state === 'waiting' && <p className="dim">{t('approvals.expires', { time: time(expires) })}</p>}
      {decided !== null && state !== 'waiting' && (
        <p className="dim">{t(`approvals.ended.${state}`, { by: decidedBy ?? '', time: time(decided) })}</p>
      )}
      {reason !== '' && <p>{t('approvals.reasonWas', { reason })}</p>}
    </>
  );
}

/** One request: what would be done, and the decision of a second person (IAM-07). */
export function ApprovalDialog({ request, onClose, onChanged }: ApprovalDialogProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState('');
  const loss = useInputLoss(reason !== '');
  const action = useAction<approvals.Decision, approvals.Decision>({
    run: async (decision) => {
      setFault('');
      await decide(request, decision, reason.trim());
      return decision;
    },
    onDone: (decision) => {
      toast(t(`approvals.done.${decision}`));
      onChanged();
      onClose();
    },
    onError: (error) => {
      setFault(errorText(error));
      // The dialog shows what it would touch now.
      if (error instanceof ApiError && error.key?.startsWith('approval.') === true) onChanged();
      return true;
    },
  });
  const reject = () => {
    if (reason.trim() === '') setFault(t('approvals.reasonMissing'));
    else action.run('reject');
  };
  return (
    <Dialog
      title={t(`approvals.rule.${request.rule}`)}
      onClose={onClose}
      loss={action.busy ? awaited : loss}
      actions={
        <>
          <CloseButton disabled={action.busy}>{t('ui.close')}</CloseButton>
          {request.isOwn && request.state === 'waiting' && (
            <Button loading={action.busy} onClick={() => action.run('withdraw')}>
              {t('approvals.withdraw')}
            </Button>
          )}
          {request.mayDecide && (
            <>
              <Button color="danger" loading={action.busy} onClick={reject}>
                {t('approvals.reject')}
              </Button>
              <Button variant="filled" loading={action.busy} onClick={() => action.run('approve')}>
                {t('approvals.approve')}
              </Button>
            </>
          )}
        </>
      }
    >
      <Facts request={request} />
      {request.isOwn && request.state === 'waiting' && <p className="note">{t('approvals.own')}</p>}
      {request.mayDecide && (
        <TextInput
          label={t('approvals.reason')}
          description={t('approvals.reasonHint')}
          maxLength={300}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {fault !== '' && (
        <p className="note note--bad" role="alert">
          {fault}
        </p>
      )}
    </Dialog>
  );
}
