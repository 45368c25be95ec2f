import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';

type Fault = NonNullable<DeviceDetails['set_up']>['faults'][number];

/** A part of the setup that the router rejected, with its message and error code. */
function Rejected({ fault: { part, code, message } }: { fault: Fault }): ReactNode {
  const { t } = useTranslation();
  const error = code === 0 ? t('deviceForms.setUp.noAnswer') : t('deviceForms.setUp.code', { code: String(code) });
  return (
    <li>
      <span>{t(`deviceForms.setUp.part.${part}`)}</span>
      <span className="dim">{message === '' ? error : t('deviceForms.setUp.because', { message, error })}</span>
    </li>
  );
}

/** The setup steps that failed on the last connection; nothing if all succeeded. */
export function SetUpFaults({ setUp }: { setUp: DeviceDetails['set_up'] }): ReactNode {
  const { t } = useTranslation();
  if (setUp === null || setUp.faults.length === 0) return null;
  return (
    <section className="card panel" aria-labelledby="device-set-up">
      <h2 id="device-set-up">{t('deviceForms.setUp.title')}</h2>
      <p>{t(setUp.polled ? 'deviceForms.setUp.textPolled' : 'deviceForms.setUp.text')}</p>
      <ul className="set-up">
        {setUp.faults.map((fault) => (
          <Rejected key={`${fault.part} ${fault.code} ${fault.message}`} fault={fault} />
        ))}
      </ul>
    </section>
  );
}
