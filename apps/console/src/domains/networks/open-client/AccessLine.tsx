import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../../api/EntityForm.tsx';
import { useAction } from '../../../api/useAction.ts';
import { readDetail, useEntityForm } from '../../../api/useEntityForm.ts';
import { useRoleFor } from '../../../api/session.ts';
import { useNotAllowed } from '../../../api/useNotAllowed.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { NativeSelect, Textarea, TextInput } from '../../../ui/controls/TextInput.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import {
  type ClientAccess,
  clientAccessQuery,
  type ClientRule,
  endClient,
  saveClientRule,
  type StoredClientRule,
} from './open-client.api.ts';
import { formatPorts, parsePorts } from './ports.ts';
import { partsOf } from '../../../ui/form/separated.ts';

const whos = ['none', 'admin', 'both'] as const;
type Who = (typeof whos)[number];

const rolesOf: Readonly<Record<Who, ClientRule['roles']>> = { none: [], admin: ['admin'], both: ['admin', 'user'] };
const whoOf = ({ roles }: ClientRule): Who => {
  if (roles.length === 0) return 'none';
  return roles.includes('user') ? 'both' : 'admin';
};

/** Who may open clients of vehicles, the own open one, and the way to change it for admins (LIV-08). */
export function AccessLine({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('remoteAccess') === 'admin';
  const mayChange = useNotAllowed('remoteAccess.saveClientRule') === undefined;
  const { data } = useQuery(clientAccessQuery(device));
  const [isOpen, setOpen] = useState(false);
  if (data === undefined) return null;
  const { rule, own } = data;
  return (
    <>
      {/* Admins have it at the head of the page. */}
      {own !== null && !isAdmin && <OwnSession device={device} own={own} />}
      <div className="client-access">
        <span className="dim">
          {t(`networks.open.who.${whoOf(rule)}`)}
          {rule.roles.length > 0 && ` ${rule.ranges.join(', ')} · ${t('networks.open.ports')} ${formatPorts(rule.ports)}`}
        </span>
        {mayChange && <ActionButton onClick={() => setOpen(true)}>{t('networks.open.change')}</ActionButton>}
      </div>
      {isOpen && <RuleDialog rule={rule} onClose={() => setOpen(false)} />}
    </>
  );
}

function OwnSession({ device, own }: { device: string; own: NonNullable<ClientAccess['own']> }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const end = useAction<void, void>({
    run: () => endClient(device),
    onDone: () => void client.invalidateQueries({ queryKey: clientAccessQuery(device).queryKey }),
  });
  return (
    <div className="note client-own" role="status">
      <span>
        {t('networks.open.own', { target: `${own.address}:${own.port}` })} · <RelativeTime moment={own.since} />
      </span>
      <Button color="danger" loading={end.busy} onClick={() => end.run()}>
        {t('networks.open.end')}
      </Button>
    </div>
  );
}

interface RuleDraft {
  readonly who: string;
  /** One network per line. */
  readonly ranges: string;
  readonly ports: string;
}

const storedOf = (rule: StoredClientRule) => ({
  values: { who: whoOf(rule), ranges: rule.ranges.join('\n'), ports: formatPorts(rule.ports) },
  etag: `"${rule.version}"`,
});

function RuleDialog({ rule, onClose }: { rule: StoredClientRule; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<RuleDraft, ClientRule>({
    stored: storedOf(rule),
    stale: readDetail((current: StoredClientRule) => ({
      ...storedOf(current),
      text: t('ui.form.stale', { name: t('networks.open.ruleTitle') }),
    })),
    leave: 'free',
    validate: ({ ports }) => ({ ports: parsePorts(ports) === undefined ? t('networks.open.portsWrong') : undefined }),
    fieldOf: ({ field }) => field,
    save: ({ who, ranges, ports }, { etag }) =>
      saveClientRule(
        {
          roles: rolesOf[whos.find((each) => each === who) ?? 'none'],
          ranges: partsOf(ranges),
          ports: parsePorts(ports) ?? [],
        },
        etag,
      ),
    done: t('networks.open.saved'),
    refresh: ['networks'],
    onSaved: onClose,
  });
  return (
    <EntityDialog form={form} title={t('networks.open.ruleTitle')} submit={t('ui.save')} onClose={onClose}>
      <p>{t('networks.open.ruleText')}</p>
      <NativeSelect
        label={t('networks.open.whoLabel')}
        data={whos.map((value) => ({ value, label: t(`networks.open.choice.${value}`) }))}
        {...form.text('who')}
      />
      <Textarea label={t('networks.open.ranges')} rows={4} maxLength={500} spellCheck={false} {...form.text('ranges')} />
      <TextInput label={t('networks.open.ports')} maxLength={300} spellCheck={false} {...form.text('ports')} />
      <p className="dim">{t('networks.open.ruleHint')}</p>
    </EntityDialog>
  );
}
