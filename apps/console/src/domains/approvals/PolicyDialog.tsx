import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { ApiError } from '../../api/errors.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { useSession } from '../../api/session.ts';
import { Check } from '../../ui/Check.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { toast } from '../../ui/toasts.ts';
import { type Policy, policyQuery, savePolicy } from './approvals.api.ts';

const MOST_ROUTERS = 1_000_000;
const USUAL_ROUTERS = 50;

interface Draft {
  readonly rollouts: boolean;
  readonly above: string;
  readonly factoryReset: boolean;
  readonly settings: boolean;
  readonly deletion: boolean;
  readonly password: string;
}

const storedOf = ({ rolloutsAbove, factoryReset, settings, deletion, version }: Policy) => ({
  values: {
    rollouts: rolloutsAbove !== null,
    above: String(rolloutsAbove ?? USUAL_ROUTERS),
    factoryReset,
    settings,
    deletion,
    password: '',
  },
  etag: version,
});

const isRouters = (text: string) => /^\d{1,7}$/u.test(text.trim()) && Number(text) <= MOST_ROUTERS;

/** What waits, as choices. */
function PolicyForm({ policy, onClose }: { policy: Policy; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const isMain = useSession().role === 'main';
  /** Less waits only once a second person has approved it. */
  const closeAsWaiting = (error: unknown): false => {
    if (!(error instanceof ApiError && error.key === 'approval.waiting')) throw error;
    void client.invalidateQueries({ queryKey: ['approvals'] });
    toast(t('approvals.policy.waits'));
    onClose();
    return false;
  };
  const form = useEntityForm<Draft>({
    stored: storedOf(policy),
    leave: 'free',
    validate: ({ rollouts, above }) => (rollouts && !isRouters(above) ? { above: t('approvals.policy.number') } : {}),
    fieldOf: ({ key }) => (key === 'account.wrong_password' ? 'password' : undefined),
    save: ({ rollouts, above, ...rest }, { etag = '' }) =>
      savePolicy({ ...rest, rolloutsAbove: rollouts ? Number(above) : null }, etag).catch(closeAsWaiting),
    done: t('approvals.policy.saved'),
    refresh: ['approvals'],
    onSaved: onClose,
    stale: async () => ({
      ...storedOf(await client.fetchQuery({ ...policyQuery, staleTime: 0 })),
      text: t('approvals.policy.stale'),
    }),
  });
  const box = (field: 'rollouts' | 'factoryReset' | 'settings' | 'deletion') => (
    <label className="check-line">
      <Check
        bare
        label={t(`approvals.policy.${field}`)}
        checked={form.values[field]}
        onChange={(checked) => form.set({ [field]: checked })}
      />
      {t(`approvals.policy.${field}`)}
    </label>
  );
  return (
    <EntityDialog form={form} title={t('approvals.policy.title')} submit={t('ui.save')} onClose={onClose}>
      <p className="dim">{t('approvals.policy.hint', { count: policy.people })}</p>
      {isMain ? (
        box('deletion')
      ) : (
        <>
          {box('rollouts')}
          {form.values.rollouts && <TextInput label={t('approvals.policy.above')} inputMode="numeric" {...form.text('above')} />}
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
        {...form.text('password')}
      />
    </EntityDialog>
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
