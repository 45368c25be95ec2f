import { identityProviders as calls } from '@highline/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Copyable } from '../../ui/CopyButton.tsx';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { toast } from '../../ui/toasts.ts';
import {
  assignDomain,
  confirmDomain,
  deleteProvider,
  testProvider,
  type Provider,
  type ProviderTest,
} from './identity-providers.api.ts';
import { ProviderForm } from './ProviderForm.tsx';

export interface ProviderDialogProps {
  readonly provider: Provider;
  readonly onClose: () => void;
  /** It was changed, or deleted. */
  readonly onChanged: (changed: Provider | undefined) => void;
}

/** An identity provider: what to enter there, its domains, and whether it works (IAM-01). */
export function ProviderDialog({ provider, onClose, onChanged }: ProviderDialogProps): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const [isEditing, setEditing] = useState(false);
  // A main account sees the providers of its organizations, and assigns domains to them; the rest is theirs.
  const isOwn = role !== 'main' || provider.org === null;
  const deletion = useAction<void, unknown>({
    run: () => deleteProvider(provider),
    onDone: () => {
      toast(t('providers.deleted'));
      onChanged(undefined);
    },
  });
  const remove = async () => {
    const question = { title: t('providers.deleting', { name: provider.name }), text: t('providers.deleteMeans') };
    if (await confirmAction({ ...question, yes: t('providers.delete'), no: t('ui.cancel'), effect: 'permanent' })) deletion.run();
  };
  return (
    <Dialog
      title={provider.name}
      onClose={onClose}
      wide
      actions={
        <>
          <CloseButton>{t('ui.close')}</CloseButton>
          {isOwn && (
            <>
              <Button color="danger" loading={deletion.busy} onClick={() => void remove()}>
                {t('providers.delete')}
              </Button>
              <Button variant="filled" onClick={() => setEditing(true)}>
                {t('providers.edit')}
              </Button>
            </>
          )}
        </>
      }
    >
      <Addresses provider={provider} />
      <Domains provider={provider} onChanged={onChanged} />
      {isOwn && <ConnectionTest provider={provider} />}
      {isEditing && (
        <ProviderForm
          provider={provider}
          onClose={() => setEditing(false)}
          onSaved={(saved) => {
            setEditing(false);
            onChanged(saved);
          }}
        />
      )}
    </Dialog>
  );
}

/** What is entered at the provider. */
function Addresses({ provider: { id } }: Pick<ProviderDialogProps, 'provider'>): ReactNode {
  const { t } = useTranslation();
  const addresses = [
    [t('providers.redirectUri'), `${location.origin}${calls.CALLBACK_PATH}`],
    [t('providers.logoutUri'), `${location.origin}${calls.providerLogout.path.replace('{provider}', id)}`],
  ] as const;
  return (
    <section className="provider__part">
      <h3>{t('providers.enterThere')}</h3>
      <dl className="provider__addresses">
        {addresses.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Copyable text={text} label={label} shown>
                <code>{text}</code>
              </Copyable>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The domains, each with what confirms it. */
function Domains({ provider, onChanged }: Omit<ProviderDialogProps, 'onClose'>): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const check = useAction<string, Provider>({
    run: (domain) => confirmDomain(provider, domain),
    onDone: (changed) => onChanged(changed),
  });
  const assignment = useAction<Provider['domains'][number], Provider>({
    run: ({ domain, confirmed }) => assignDomain(provider, domain, confirmed === null),
    onDone: (changed) => onChanged(changed),
  });
  return (
    <section className="provider__part">
      <h3>{t('providers.domains')}</h3>
      {provider.domains.length === 0 && <p className="dim">{t('providers.noDomains')}</p>}
      <ul className="provider__domains">
        {provider.domains.map((each) => (
          <li key={each.domain}>
            <div className="provider__domain">
              <strong>{each.domain}</strong>
              <StatusDot tone={each.confirmed === null ? 'warn' : 'ok'}>
                {t(`providers.confirmed.${each.confirmed ?? 'not'}`)}
              </StatusDot>
              {role === 'main' ? (
                <Button loading={assignment.busy} onClick={() => assignment.run(each)}>
                  {t(each.confirmed === null ? 'providers.assign' : 'providers.takeAway')}
                </Button>
              ) : (
                each.confirmed === null && (
                  <Button loading={check.busy} onClick={() => check.run(each.domain)}>
                    {t('providers.checkRecord')}
                  </Button>
                )
              )}
            </div>
            {role !== 'main' && each.confirmed === null && (
              <p className="dim">
                {t('providers.recordHint', { name: `${calls.DOMAIN_RECORD}.${each.domain}` })}{' '}
                <Copyable text={each.text} label={t('providers.record')} shown>
                  <code>{each.text}</code>
                </Copyable>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const tones = { ok: 'ok', warning: 'warn', failed: 'bad' } as const;

/** Tries the connection, and says at each step what is wrong. */
function ConnectionTest({ provider }: Pick<ProviderDialogProps, 'provider'>): ReactNode {
  const { t } = useTranslation();
  const [found, setFound] = useState<readonly ProviderTest[]>();
  const test = useAction<void, readonly ProviderTest[]>({ run: () => testProvider(provider), onDone: setFound });
  return (
    <section className="provider__part">
      <h3>{t('providers.connection')}</h3>
      <p className="dim">{t('providers.connectionHint')}</p>
      <div>
        <Button loading={test.busy} onClick={() => test.run()}>
          {t('providers.test')}
        </Button>
      </div>
      {found !== undefined && (
        <ul className="provider__steps" role="status">
          {found.map(({ step, outcome, reason, detail }) => (
            <li key={step}>
              <StatusDot tone={tones[outcome]}>{t(`providers.step.${step}`)}</StatusDot>
              {outcome !== 'ok' && <span>{t(`providers.reason.${step === 'logout' ? 'noLogout' : reason}`, { detail })}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
