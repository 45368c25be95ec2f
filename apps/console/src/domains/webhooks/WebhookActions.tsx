import { isKeyedFormat } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { confirmAction } from '../../ui/dialogs.ts';
import { useAwaitedSecret } from '../../ui/losses.ts';
import { toast } from '../../ui/toasts.ts';
import {
  deleteWebhook,
  type MintedWebhook,
  resumeWebhook,
  rotateSecret,
  suspendWebhook,
  testWebhook,
  type Webhook,
} from './webhooks.api.ts';

export interface WebhookActionsProps {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onRotated: (minted: MintedWebhook) => void;
}

/** What can be done with a webhook: test, edit, suspend or resume, rotate its secret, delete. */
export function WebhookActions({ webhook, onEdit, onRotated }: WebhookActionsProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { name } = webhook;
  const reload = () => client.invalidateQueries({ queryKey: ['webhooks'] });
  const test = useAction<void, Awaited<ReturnType<typeof testWebhook>>>({
    run: () => testWebhook(webhook),
    onDone: ({ state, status, error }) => {
      if (state === 'delivered') toast(t('webhooks.log.tested', { status }));
      else toast(t('webhooks.log.testFailed', { error }), 'bad');
      void reload();
    },
  });
  const rotation = useAction<void, MintedWebhook>({ run: () => rotateSecret(webhook), onDone: onRotated });
  useAwaitedSecret(rotation.busy);
  const suspension = useAction<void, unknown>({ run: () => suspendWebhook(webhook), onDone: () => void reload() });
  const resumption = useAction<void, unknown>({
    run: () => resumeWebhook(webhook),
    onDone: () => {
      toast(t('webhooks.log.resumed'));
      void reload();
    },
  });
  const deletion = useAction<void, unknown>({
    run: () => deleteWebhook(webhook),
    onDone: () => {
      toast(t('webhooks.log.deleted'));
      void navigate({ to: '/webhooks' });
    },
  });
  const ask = (title: string, text: string, yes: string, effect: 'permanent' | 'ordinary' = 'ordinary') =>
    confirmAction({ title, text, yes, no: t('ui.cancel'), effect });
  const rotate = async () => {
    if (await ask(t('webhooks.log.rotating', { name }), t('webhooks.log.rotateMeans'), t('webhooks.log.rotate'))) rotation.run();
  };
  const suspend = async () => {
    if (await ask(t('webhooks.log.suspending', { name }), t('webhooks.log.suspendMeans'), t('webhooks.log.suspend')))
      suspension.run();
  };
  const remove = async () => {
    if (await ask(t('webhooks.log.deleting', { name }), t('webhooks.log.deleteMeans'), t('webhooks.log.delete'), 'permanent'))
      deletion.run();
  };
  return (
    <>
      <Button color="danger" loading={deletion.busy} onClick={() => void remove()}>
        {t('webhooks.log.delete')}
      </Button>
      {!isKeyedFormat(webhook.format) && (
        <Button loading={rotation.busy} onClick={() => void rotate()}>
          {t('webhooks.log.rotate')}
        </Button>
      )}
      {webhook.suspendedAt === null ? (
        <Button loading={suspension.busy} onClick={() => void suspend()}>
          {t('webhooks.log.suspend')}
        </Button>
      ) : (
        <Button loading={resumption.busy} onClick={() => resumption.run()}>
          {t('webhooks.log.resume')}
        </Button>
      )}
      <Button onClick={onEdit}>{t('webhooks.log.edit')}</Button>
      <Button variant="filled" loading={test.busy} onClick={() => test.run()}>
        {t('webhooks.log.test')}
      </Button>
    </>
  );
}
