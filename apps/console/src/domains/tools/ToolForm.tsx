import { TOOL_LIMITS, tools } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { Panel } from '../../entities/devices/Panel.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import '../../ui/form/form.css';
import { TargetsLine } from './TargetsLine.tsx';
import { captureSizes, toInput, type ToolDraft, usualDraft } from './tool-draft.ts';
import { offeredQuery, runTool, type ToolDevice, type ToolInput, type ToolKind, type ToolRun } from './tools.api.ts';

/** Choose a test, enter its arguments and run it (LIV-04, LIV-05, LIV-06). */
export function ToolForm({ device, isOnline }: { device: ToolDevice; isOnline: boolean }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isAdmin = useRoleFor('tools') === 'admin';
  const [tool, setTool] = useState<ToolKind>('ping');
  const [draft, setDraft] = useState(usualDraft);
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const offered = useQuery({ ...offeredQuery(device), enabled: isAdmin && isOnline }).data;
  const start = useAction<ToolInput, ToolRun>({
    run: (input) => runTool(device, input),
    onDone: ({ id: run }) =>
      void navigate({
        to: '/devices/setting',
        search: { device: device.device, tab: 'tools', run },
        replace: true,
        resetScroll: false,
      }),
  });
  const reason = isAdmin ? reasonOf(isOnline, offered?.includes(tool)) : 'adminsOnly';
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (reason !== undefined) return;
    const checked = toInput(tool, draft);
    setInvalid('invalid' in checked ? checked.invalid : new Set());
    if ('input' in checked && (await isConfirmed(checked.input))) start.run(checked.input);
  };
  const isConfirmed = async (input: ToolInput): Promise<boolean> => {
    const buttons = { yes: t('tools.run'), no: t('ui.cancel'), effect: 'ordinary' as const };
    if (input.tool === 'download' || input.tool === 'upload') {
      const text = t('tools.speedText', { bytes: formatBytes(input.bytes) });
      return confirmAction({ title: t('tools.speedTitle'), text, ...buttons });
    }
    if (input.tool !== 'capture') return true;
    return confirmAction({ title: t('tools.captureTitle'), text: t('tools.captureText'), ...buttons });
  };
  return (
    <Panel id="tools-run" title={t('tools.title')}>
      <p className="dim">{t('tools.text')}</p>
      <form className="tool-form" noValidate onSubmit={(event) => void submit(event)}>
        <NativeSelect
          label={t('tools.tool')}
          description={t(`tools.about.${tool}`)}
          descriptionBelow
          value={tool}
          data={tools.toolKinds.map((value) => ({ value, label: t(`tools.kind.${value}`) }))}
          onChange={({ currentTarget: { value } }) => {
            setTool(tools.toolKinds.find((kind) => kind === value) ?? 'ping');
            setInvalid(new Set());
          }}
        />
        <ToolFields tool={tool} draft={draft} invalid={invalid} onChange={(change) => setDraft({ ...draft, ...change })} />
        <div>
          <ActionButton
            type="submit"
            variant="filled"
            loading={start.busy}
            disabledReason={reason === undefined ? undefined : t(`tools.${reason}`)}
          >
            {t('tools.run')}
          </ActionButton>
        </div>
      </form>
      <TargetsLine org={device.org} />
    </Panel>
  );
}

function reasonOf(isOnline: boolean, isOffered: boolean | undefined): 'offline' | 'lacks' | undefined {
  if (!isOnline) return 'offline';
  return isOffered === false ? 'lacks' : undefined;
}

interface FieldsProps {
  readonly tool: ToolKind;
  readonly draft: ToolDraft;
  readonly invalid: ReadonlySet<string>;
  readonly onChange: (change: Partial<ToolDraft>) => void;
}

const numbers = {
  count: TOOL_LIMITS.pings,
  hops: TOOL_LIMITS.hops,
  seconds: TOOL_LIMITS.seconds,
} as const;

/** The arguments of a test. */
function ToolFields({ tool, draft, invalid, onChange }: FieldsProps): ReactNode {
  const { t } = useTranslation();
  const errorOf = (name: string, label: string) =>
    invalid.has(name) && t(name === 'host' && draft.host.trim() === '' ? 'ui.form.required' : 'ui.form.format', { field: label });
  const text = (name: 'host' | 'server') => {
    const label = t(`tools.field.${name}`);
    return (
      <TextInput
        label={label}
        value={draft[name]}
        maxLength={253}
        autoComplete="off"
        spellCheck={false}
        error={errorOf(name, label)}
        withAsterisk={name === 'host'}
        onChange={({ currentTarget: { value } }) => onChange({ [name]: value })}
      />
    );
  };
  const number = (name: keyof typeof numbers) => {
    const label = t(`tools.field.${name}`);
    return (
      <TextInput
        label={label}
        description={t('tools.from', numbers[name])}
        value={draft[name]}
        inputMode="numeric"
        maxLength={3}
        autoComplete="off"
        error={errorOf(name, label)}
        onChange={({ currentTarget: { value } }) => onChange({ [name]: value })}
      />
    );
  };
  const size = (name: 'bytes' | 'captureBytes', sizes: readonly number[]) => (
    <NativeSelect
      label={t(`tools.field.${name}`)}
      value={draft[name]}
      data={sizes.map((bytes) => ({ value: String(bytes), label: formatBytes(bytes) }))}
      onChange={({ currentTarget: { value } }) => onChange({ [name]: value })}
    />
  );
  const version = (
    <NativeSelect
      label={t('tools.field.ipVersion')}
      value={draft.ipVersion}
      data={[
        { value: 'any', label: t('tools.version.any') },
        { value: '4', label: t('tools.version.v4') },
        { value: '6', label: t('tools.version.v6') },
      ]}
      onChange={({ currentTarget: { value } }) => onChange({ ipVersion: value === '4' || value === '6' ? value : 'any' })}
    />
  );
  switch (tool) {
    case 'ping':
      return (
        <>
          {text('host')}
          {version}
          {number('count')}
        </>
      );
    case 'traceroute':
      return (
        <>
          {text('host')}
          {version}
          {number('hops')}
        </>
      );
    case 'dns':
      return (
        <>
          {text('host')}
          {text('server')}
        </>
      );
    case 'download':
    case 'upload':
      return size('bytes', tools.speedTestBytes);
    case 'capture':
      return (
        <>
          {number('seconds')}
          {size('captureBytes', captureSizes)}
        </>
      );
    case 'log':
      return null;
  }
}
