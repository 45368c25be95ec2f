import { errors } from '../../api/errors.en-US.ts';
import { deviceForms } from '../../domains/devices/device-forms.en-US.ts';
import { transfer } from '../../domains/devices/transfer/transfer.en-US.ts';
import { devices } from '../../domains/devices/devices.en-US.ts';
import { timeline } from '../../domains/devices/setting/timeline.en-US.ts';
import { configs } from '../../domains/configs/configs.en-US.ts';
import { firmware } from '../../domains/firmware/firmware.en-US.ts';
import { groups } from '../../domains/groups/groups.en-US.ts';
import { rollouts } from '../../domains/groups/rollout/rollouts.en-US.ts';
import { inventory } from '../../domains/inventory/inventory.en-US.ts';
import { logs } from '../../domains/logs/logs.en-US.ts';
import { notifications } from '../../domains/notifications/notifications.en-US.ts';
import { organizations } from '../../domains/organizations/organizations.en-US.ts';
import { wizard } from '../../domains/organizations/wizard/wizard.en-US.ts';
import { overview } from '../../domains/overview/overview.en-US.ts';
import { service } from '../../domains/service/service.en-US.ts';
import { users } from '../../domains/users/users.en-US.ts';
import { ui } from '../../ui/ui.en-US.ts';
import { session } from '../session/session.en-US.ts';
import { shell } from '../shell/shell.en-US.ts';

/** Every English word of the console; each room keeps its own page of it. */
export const catalogue = {
  ui,
  errors,
  shell,
  session,
  overview,
  devices,
  deviceForms,
  transfer,
  timeline,
  groups,
  firmware,
  configs,
  rollouts,
  inventory,
  logs,
  notifications,
  organizations,
  service,
  users,
  wizard,
};
export type Catalogue = typeof catalogue;
