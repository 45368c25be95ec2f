import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor, useSession } from '../../../api/session.ts';
import { isPageOpen } from '../../../routing/page-rights.ts';
import { CommandsPanel, PasswordPanel } from '../../commands/index.ts';
import { ResetAction, TerminalPanel } from '../../remote-access/index.ts';
import { Identifier, ReportedValue } from '../../../entities/devices/cells.tsx';
import { propertyOf } from '../../../entities/devices/device.ts';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';
import type { TabProps } from './tabs.ts';
import { Clock } from './Facts.tsx';
import { Fact } from '../../../entities/devices/Fact.tsx';
import { Panel } from '../../../entities/devices/Panel.tsx';
import { Problems } from './Problems.tsx';
import { actionTargetOf, targetOf } from './target.ts';

/** What is known of the software that connects the router to this server. */
function AgentFacts({ device }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const { set_up: setUp } = device;
  return (
    <dl className="facts">
      <Fact label={t('devicePage.agent.endpoint')}>
        <Identifier value={device.udid} label={t('devicePage.agent.endpoint')} />
      </Fact>
      <Fact label={t('devicePage.agent.hardware')}>
        <ReportedValue value={propertyOf(device, 'hardware')} />
      </Fact>
      <Fact label={t('deviceForms.clock')}>
        <Clock skew={device.clock_skew} />
      </Fact>
      <Fact label={t('devicePage.agent.setUp')}>
        {setUp === null ? (
          <ReportedValue value={null} />
        ) : (
          t(setUp.faults.length === 0 ? 'devicePage.agent.complete' : 'devicePage.agent.incomplete')
        )}
      </Fact>
      <Fact label={t('deviceForms.setUp.readings')}>
        {setUp === null ? <ReportedValue value={null} /> : t(readingsText(setUp))}
      </Fact>
    </dl>
  );
}

function readingsText({ polled, unread }: NonNullable<DeviceDetails['set_up']>) {
  if (unread === true) return 'deviceForms.setUp.unread';
  return polled ? 'deviceForms.setUp.polled' : 'devicePage.agent.sent';
}

/** What keeps it from working, remote access, commands, and its agent. */
export function DiagnosticsTab({ device }: TabProps): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const isMain = session.role === 'main';
  const isAdmin = useRoleFor('remoteAccess') === 'admin';
  const target = targetOf(device);
  return (
    <>
      <Problems device={device} />
      <Panel id="device-remote" title={t('devicePage.remote.title')} more={<ResetAction target={target} />}>
        <p className="dim">{t('devicePage.remote.text')}</p>
      </Panel>
      {isAdmin && (
        <Panel
          id="device-terminal"
          title={t('devicePage.remote.terminal')}
          more={
            <Link to="/devices/terminal" search={{ device: device.device }}>
              {t('devicePage.remote.terminalPage')}
            </Link>
          }
        >
          <TerminalPanel target={target} />
        </Panel>
      )}
      {!isMain && session.limitedTo === null && isPageOpen(session, '/commands/passwords') && (
        <PasswordPanel key={device.device} target={actionTargetOf(device)} />
      )}
      {!isMain && isPageOpen(session, '/commands') && <CommandsPanel target={target} />}
      <Panel id="device-agent" title={t('devicePage.agent.title')}>
        <AgentFacts device={device} />
      </Panel>
    </>
  );
}
