import { IconRouter } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findDevices } from '../../domains/devices/devices.api.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { type Option, OptionList } from '../../ui/OptionList.tsx';
import { screensOf } from '../screens.ts';
import { useSession } from '../../session/session.ts';

const DEVICE = 'device:';

/** Devices whose serial or vehicle number contains the text. */
function useDeviceOptions(text: string): readonly Option[] {
  const { t } = useTranslation();
  const term = text.trim();
  const query = useQuery({
    queryKey: ['devices', 'palette', term],
    queryFn: ({ signal }) => findDevices(term, signal),
    enabled: term !== '',
    placeholderData: keepPreviousData,
    meta: { topics: ['devices'] },
  });
  if (term === '') return [];
  return (query.data ?? []).map((device) => ({
    value: `${DEVICE}${device.device}\n${device.serial_number}`,
    label: [device.serial_number, device.vehicle_number].filter((part) => part !== '').join(' · '),
    hint: device.org === '' ? t('shell.palette.device') : device.projectName,
    icon: <IconRouter size={16} />,
  }));
}

/** The screens of the role whose name contains the text. */
function useScreenOptions(text: string): readonly Option[] {
  const { t } = useTranslation();
  const { role } = useSession();
  const term = text.trim().toLowerCase();
  return screensOf(role)
    .map((screen) => ({
      value: screen.path,
      label: t(`shell.screen.${screen.key}`),
      hint: t('shell.palette.screens'),
      icon: <screen.icon size={16} />,
    }))
    .filter(({ label }) => label.toLowerCase().includes(term));
}

/** Find a screen or a device and go there (UX: command palette). */
export function CommandPalette({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { role } = useSession();
  const [text, setText] = useState('');
  const options = [...useScreenOptions(text), ...useDeviceOptions(text)];

  const go = (value: string) => {
    onClose();
    if (!value.startsWith(DEVICE)) {
      void navigate({ to: value });
      return;
    }
    const [device = '', serial = ''] = value.slice(DEVICE.length).split('\n');
    // The main account has no page for a single device, so its device list opens with a search.
    if (role === 'main') void navigate({ to: '/devices/orgList', search: { field: 'serial', search: serial } });
    else void navigate({ to: '/devices/list', search: { field: 'serial', search: serial === '' ? device : serial } });
  };
  return (
    <Dialog title={t('shell.palette.label')} wide top onClose={onClose}>
      <OptionList
        label={t('shell.palette.label')}
        placeholder={t('shell.palette.open')}
        options={options}
        searchable
        onSearch={setText}
        onPick={go}
        empty={t('shell.palette.none')}
      />
    </Dialog>
  );
}
