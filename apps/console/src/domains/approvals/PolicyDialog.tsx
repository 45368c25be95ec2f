import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { useSession } from '../../api/session.ts';
import { Check } from '../../ui/Check.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { toast } from '../../ui/toasts.ts';
import { type Policy, type PolicyInput, policyQuery, savePolicy } from './approvals.api.ts';

const MOST_ROUTERS = 1_000_000;
const USUAL_ROUTERS = 50;

interface Draft {
  readonly rollouts: boolean;
  readonly above: string;
  readonly factoryReset: boolean;
  readonly settings: boolean;
  readonly deletion: boolean;
}

const draftOf = ({ rolloutsAbove, factoryReset, settings, deletion }: Policy): Draft => ({
  rollouts: rolloutsAbove !== null,
  above: String(rolloutsAbove ?? USUAL_ROUTERS),
  factoryReset,
  settings,
  deletion,
});

/** What waits, as choices. */
function PolicyForm({ policy, onClose }: { policy: Policy; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const client = useQueryClient();
  const isMain = useSession().role === 'main';
  const [draft, setDraft] = useState(() => draftOf(policy));
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<{ readonly field?: 'password' | 'above'; readonly text: string }>();
  const done = (text: string) => {
    void client.invalidateQueries({ queryKey: ['approvals'] });
    toast(text);
    onClose();
  };
  const save = useAction<PolicyInput, void>({
    run: (input) => savePolicy(input, policy.version),
    onDone: () => done(t('approvals.policy.saved')),
    onError: (error) => {
      if (error instanceof ApiError && error.key === 'approval.waiting') done(t('approvals.policy.waits'));
      else if (error instanceof ApiError && error.key === 'account.wrong_password')
        setFault({ field: 'password', text: errorText(error) });
      else setFault({ text: errorText(error) });
      return true;
    },
  });
  const submit = () => {
    const above = Number(draft.above);
    const isNumber = /^\d{1,7}$/u.test(draft.above.trim()) && above <= MOST_ROUTERS;
    if (draft.rollouts && !isNumber) return setFault({ field: 'above', text: t('approvals.policy.number') });
    const { factoryReset, settings, deletion } = draft;
    save.run({ rolloutsAbove: draft.rollouts ? above : null, factoryReset, settings, deletion, password });
  };
  const box = (field: 'rollouts' | 'factoryReset' | 'settings' | 'deletion') => (
    <label className="check-line">
      <Check
        bare
        label={t(`approvals.policy.${field}`)}
        checked={draft[field]}
        onChange={(checked) => setDraft({ ...draft, [field]: checked })}
      />
      {t(`approvals.policy.${field}`)}
    </label>
  );
  return (
    <FormDialog title={t('approvals.policy.title')} submit={t('ui.save')} busy={save.busy} onSubmit={submit} onClose={onClose}>
      <p className="dim">{t('approvals.policy.hint', { count: policy.people })}</p>
      {isMain ? (
        box('deletion')
      ) : (
        <>
          {box('rollouts')}
          {draft.rollouts && (
            <TextInput
              label={t('approvals.policy.above')}
              inputMode="numeric"
              value={draft.above}
              error={fault?.field === 'above' ? fault.text : undefined}
              onChange={(event) => setDraft({ ...draft, above: event.currentTarget.value })}
            />
          )}
          {box('factoryReset')}
          {box('settings')}
        </>
      )}
      <p className="dim">{t('approvals.policy.looser')}</p>
      <TextInput
        type="password"
        autoComplete="current-password"
        label={t('approvals.policy.password')}
        description={t('approvals.policy.passwordHint')}
        value={password}
        error={fault?.field === 'password' ? fault.text : undefined}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {fault !== undefined && fault.field === undefined && (
        <p className="note note--bad" role="alert">
          {fault.text}
        </p>
      )}
    </FormDialog>
  );
}

/** What of the own company waits for a second person (IAM-07). */
export function PolicyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(policyQuery);
  if (query.data !== undefined) return <PolicyForm policy={query.data} onClose={onClose} />;
  return (
    <Dialog
      title={t('approvals.policy.title')}
      onClose={onClose}
      loss={undefined}
      actions={<CloseButton>{t('ui.close')}</CloseButton>}
    >
      <Loaded query={query} gone="" skeleton={<Skeleton lines={4} />}>
        {() => null}
      </Loaded>
    </Dialog>
  );
}
