import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ActionButton, type ActionButtonProps, IconButton } from '../ui/ActionButton.tsx';
import { Copyable } from '../ui/CopyButton.tsx';
import { QrCode } from '../ui/QrCode.tsx';
import { SaveButton } from '../ui/form/SaveButton.tsx';
import { DeleteMode } from '../ui/list/DeleteMode.tsx';
import { ignore, Section, State, useSay } from './parts.tsx';
import { selectionOf, useRows } from './rows.ts';

const variants = ['default', 'filled', 'light', 'subtle'] as const;

/** One variant of the button in its states. */
function Variant({ variant }: { variant: (typeof variants)[number] }): ReactNode {
  const say = useSay();
  const label = say('Add device', '新增裝置');
  const states: Readonly<Record<string, Partial<ActionButtonProps>>> = {
    rest: {},
    danger: { color: 'danger' },
    icon: { icon: <IconPlus size={16} /> },
    loading: { loading: true },
    disabled: { disabledReason: say('Your role may not add devices.', '您的角色不能新增裝置。') },
  };
  return Object.entries(states).map(([name, props]) => (
    <State key={name} name={`${variant}, ${name}`}>
      <ActionButton variant={variant} {...props}>
        {label}
      </ActionButton>
    </State>
  ));
}

/** Buttons, and controls that are buttons. */
export function Buttons(): ReactNode {
  const say = useSay();
  const rows = useRows();
  const deletion = { confirm: ignore, busy: false, leave: ignore, dialog: null };
  const mode = {
    enter: say('Delete devices', '刪除裝置'),
    count: (number: number) => say(`Delete (${number})`, `刪除（${number}）`),
    deletion,
  };
  return (
    <>
      <Section id="buttons" title="Buttons">
        {variants.map((variant) => (
          <Variant key={variant} variant={variant} />
        ))}
        <State name="icon">
          <IconButton label={say('Add', '新增')} icon={<IconPlus size={16} />} />
        </State>
        <State name="icon, disabled">
          <IconButton disabled label={say('Add a group', '新增群組')} icon={<IconPlus size={16} />} />
        </State>
      </Section>
      <Section id="actions" title="Save, delete, copy">
        <State name="save, nothing changed">
          <SaveButton dirty={false} saving={false} onClick={ignore} />
        </State>
        <State name="save, changed">
          <SaveButton dirty saving={false} onClick={ignore} />
        </State>
        <State name="save, saving">
          <SaveButton dirty saving onClick={ignore} />
        </State>
        <State name="delete mode, not entered">
          <DeleteMode {...mode} selection={selectionOf([], false)} />
        </State>
        <State name="delete mode, not allowed">
          <DeleteMode
            {...mode}
            selection={selectionOf([], false)}
            notAllowed={say('Your role may not delete devices.', '您的角色不能刪除裝置。')}
          />
        </State>
        <State name="delete mode, nothing selected">
          <DeleteMode {...mode} selection={selectionOf([])} />
        </State>
        <State name="delete mode, two selected">
          <DeleteMode {...mode} selection={selectionOf(rows.slice(0, 2))} />
        </State>
        <State name="delete mode, busy">
          <DeleteMode {...mode} deletion={{ ...deletion, busy: true }} selection={selectionOf(rows.slice(0, 2))} />
        </State>
        <State name="copy, always shown">
          <Copyable shown text="HL5200417" label={say('serial number', '序號')}>
            HL5200417
          </Copyable>
        </State>
        <State name="QR code">
          <QrCode text="https://highline.example/HL5200417" label={say('QR code of the device', '裝置的 QR 碼')} />
        </State>
        <State name="copy, shown on hover and focus">
          <Copyable text="HL5200418" label={say('serial number', '序號')}>
            HL5200418
          </Copyable>
        </State>
      </Section>
    </>
  );
}
