import type { MasterKey } from '../../kernel/index.ts';
import { createSampled } from '../../platform/metrics/index.ts';
import type { Module } from '../../platform/modules/module.ts';
import { sealedFor } from '../../platform/modules/sealed-column.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { MailTransport } from '../../platform/ports/mail.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { addressWith, createBounceTokens } from './bounce-tokens.ts';
import { deliverDueMails } from './mail-delivery.ts';
import { countDueMails, purgeMails } from './mail-queue.ts';
import { createMailSealing } from './mail-text.ts';
import { registerMailRoutes, type MailRoutesDeps } from './mails.routes.ts';

type MailModuleDeps = Omit<MailRoutesDeps, 'bounceTokens'> &
  Pick<Deps, 'mailSealing'> & {
    readonly settings: Pick<Settings, 'mode' | 'mail'>;
    readonly linkKeys: MasterKey;
    readonly transport: MailTransport;
    /** Aborted when no more mails may be sent. */
    readonly stopping: AbortSignal;
  };

export const mailsModule: Module<MailModuleDeps> = {
  open(routes, deps) {
    const { database, clock, mailSealing, settings } = deps;
    const bounceTokens = createBounceTokens(deps.linkKeys);
    registerMailRoutes(routes, { ...deps, bounceTokens });
    const { bounces } = settings.mail;
    const delivery = {
      ...deps,
      outcomes: deps.mailOutcomes,
      sealing: mailSealing,
      ...(bounces !== undefined && { bounceAddressOf: (id: string) => addressWith(bounces, bounceTokens.of(id)) }),
      keepsText: settings.mode === 'demo',
      now: () => clock.now(),
    };
    return {
      jobs: [
        { name: 'mail', everyMs: 2_000, run: () => deliverDueMails(delivery) },
        { name: 'mail retention', everyMs: 3_600_000, run: (now) => purgeMails(database, now) },
      ],
      metrics() {
        const due = createSampled('due mails', clock, () => countDueMails(database, clock.now()));
        return {
          figures: [
            {
              name: 'mails_due',
              help: 'Mails of the whole installation that are due; 10000 = at least that many. Counted every 15 seconds; NaN while the database does not answer.',
              read: due.read,
            },
          ],
          jobs: [due.job],
        };
      },
    };
  },
  sealed: [sealedFor('mails', 'sealed', { id: 'uuid' }, 'id', createMailSealing)],
};
