import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { useLanguage } from '../../ui/language.ts';
import { useZone } from '../../ui/time/zone.ts';
import { isPushSupported } from '../../ui/push-subscription.ts';
import { toast } from '../../ui/toasts.ts';
import { type PushKey, pushKeyQuery, testBrowsers } from './people.api.ts';
import { PushFault, type PushState, pushStates, readPushState, switchPushOff, switchPushOn } from './push.ts';

const noKey = { publicKey: '', browsers: 0, endpoints: [], failing: 0 };

const stateQuery = (key: PushKey | undefined) => ({
  queryKey: [...pushStates, key?.publicKey, key?.endpoints],
  queryFn: () => readPushState(key ?? noKey),
  enabled: key !== undefined || !isPushSupported(),
  placeholderData: keepPreviousData,
});

/** Alerts of the user as push messages of this browser: on, off, and a test (SAY-05). */
export function PushCard(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const locale = { language: useLanguage(), zone: useZone() };
  const key = useQuery({ ...pushKeyQuery, enabled: isPushSupported() }).data;
  const own = stateQuery(key);
  const state = useQuery(own).data;
  const change = useAction<void, PushState>({
    run: async () => {
      if (state === 'on') return switchPushOff();
      try {
        return await switchPushOn(key ?? noKey, locale);
      } catch (error) {
        if (!(error instanceof PushFault)) throw error;
        toast(t('alerts.push.fault'), 'bad');
        return readPushState(key ?? noKey);
      }
    },
    onDone: (next) => {
      client.setQueryData(own.queryKey, next);
      void client.invalidateQueries({ queryKey: ['alerts'] });
    },
  });
  const test = useAction<void, number>({
    run: testBrowsers,
    onDone: (count) => toast(t('alerts.push.tested', { count })),
  });
  if (state === undefined) return null;
  return (
    <section className="card panel push-card" aria-label={t('alerts.push.title')}>
      <div>
        <h2>{t('alerts.push.title')}</h2>
        <p className="dim">{t(`alerts.push.state.${state}`)}</p>
        {key !== undefined && key.failing > 0 && (
          <p className="note note--warn" role="status">
            {t('alerts.push.failing', { count: key.failing })}
          </p>
        )}
      </div>
      <div className="push-card__actions">
        {state === 'on' && (
          <ActionButton loading={test.busy} onClick={() => test.run()}>
            {t('alerts.push.test')}
          </ActionButton>
        )}
        {(state === 'on' || state === 'off') && (
          <ActionButton variant={state === 'on' ? 'default' : 'filled'} loading={change.busy} onClick={() => change.run()}>
            {t(state === 'on' ? 'alerts.push.switchOff' : 'alerts.push.switchOn')}
          </ActionButton>
        )}
      </div>
    </section>
  );
}
