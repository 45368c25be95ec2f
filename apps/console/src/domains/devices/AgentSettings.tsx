import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Copyable } from '../../ui/CopyButton.tsx';
import { agentFields, type AgentSettings as Settings } from './agentFields.ts';
import './setting/device-setting.css';

/** The settings to enter at a router: its full address, and the fields of a USP agent, each with a copy button. */
export function AgentSettings({ agent }: { agent: Settings }): ReactNode {
  const { t } = useTranslation();
  const { host, port, path, encryption } = agentFields(agent);
  const lines = [
    [t('deviceForms.agent.url'), agent.url],
    ['Host', host],
    ['Port', port],
    ['Path', path],
    ['EnableEncryption', encryption],
    ['EndpointID', agent.endpointId],
    [t('deviceForms.agent.controller'), agent.controllerId],
  ] as const;
  return (
    <dl className="facts">
      {lines.map(([label, value], index) => (
        <div key={label} className={index === 0 ? 'fact fact--whole' : 'fact'}>
          <dt>{label}</dt>
          <dd>
            <Copyable text={value} label={label} shown>
              <code className="code">{value}</code>
            </Copyable>
          </dd>
        </div>
      ))}
    </dl>
  );
}
