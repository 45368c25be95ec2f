import { errors } from '../../api/errors.zh-TW.ts';
import { deviceForms } from '../../domains/devices/device-forms.zh-TW.ts';
import { transfer } from '../../domains/devices/transfer/transfer.zh-TW.ts';
import { devices } from '../../domains/devices/devices.zh-TW.ts';
import { timeline } from '../../domains/devices/setting/timeline.zh-TW.ts';
import { configs } from '../../domains/configs/configs.zh-TW.ts';
import { firmware } from '../../domains/firmware/firmware.zh-TW.ts';
import { groups } from '../../domains/groups/groups.zh-TW.ts';
import { rollouts } from '../../domains/groups/rollout/rollouts.zh-TW.ts';
import { inventory } from '../../domains/inventory/inventory.zh-TW.ts';
import { logs } from '../../domains/logs/logs.zh-TW.ts';
import { notifications } from '../../domains/notifications/notifications.zh-TW.ts';
import { organizations } from '../../domains/organizations/organizations.zh-TW.ts';
import { wizard } from '../../domains/organizations/wizard/wizard.zh-TW.ts';
import { overview } from '../../domains/overview/overview.zh-TW.ts';
import { service } from '../../domains/service/service.zh-TW.ts';
import { users } from '../../domains/users/users.zh-TW.ts';
import type { Translation } from '../../ui/translation.ts';
import { ui } from '../../ui/ui.zh-TW.ts';
import { session } from '../session/session.zh-TW.ts';
import { shell } from '../shell/shell.zh-TW.ts';
import type { Catalogue } from './en-US.ts';

/** Every word of the console in Traditional Chinese as Taiwan writes it (NAV-07). */
export const catalogue: Translation<Catalogue> = {
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
