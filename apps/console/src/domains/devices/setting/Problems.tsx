import type { ReactNode } from 'react';
import { RejectionNote } from '../RejectionNote.tsx';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';
import { OpenAlerts } from '../../alerts/index.ts';
import { FirstContact } from './Facts.tsx';
import { SetUpFaults } from './SetUp.tsx';

/** What keeps the router from working with this server; nothing when all is well. */
export function Problems({ device }: { device: DeviceDetails }): ReactNode {
  return (
    <>
      <OpenAlerts device={device.device} />
      {device.rejection !== null && <RejectionNote rejection={device.rejection} />}
      {device.agent !== null && <FirstContact agent={device.agent} />}
      <SetUpFaults setUp={device.set_up} />
    </>
  );
}
