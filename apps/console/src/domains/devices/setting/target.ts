import { hasEnded } from '@highline/contract';
import { isoFromDay } from '../../../ui/time/format.ts';
import type { Target } from '../../remote-access/index.ts';
import { subscriptionOf } from '../../../entities/devices/device.ts';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';

/** As remote administration names it (a vehicle is easier to recognize than a serial number), and what keeps it from connecting. */
export function targetOf(device: DeviceDetails): Target {
  const { device: id, serial_number: serial, vehicleNumber, presence, subscription_status: status, expired } = device;
  const isSubscribed = subscriptionOf(status) !== 'not-subscribed';
  const unsubscribed = hasEnded(isoFromDay(expired), new Date()) ? 'not_subscribed' : 'no_subscription';
  return {
    device: id,
    serial,
    name: vehicleNumber === '' ? serial : vehicleNumber,
    unreachable: isSubscribed ? (presence === 'offline' ? 'offline' : undefined) : unsubscribed,
  };
}

/** As built-in actions name it, and what its router can do. */
export function actionTargetOf(device: DeviceDetails) {
  const { device: id, serial, name } = targetOf(device);
  return { device: id, serial, name, isOnline: device.presence === 'online', offers: device.offers };
}
