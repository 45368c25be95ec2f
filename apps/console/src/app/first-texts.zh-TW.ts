import { errors } from '../api/errors.zh-TW.ts';
import { devices } from '../domains/devices/devices.zh-TW.ts';
import { overview } from '../domains/overview/overview.zh-TW.ts';
import type { Translation } from '../ui/translation.ts';
import { ui } from '../ui/ui.zh-TW.ts';
import { session } from '../session/session.zh-TW.ts';
import { shell } from './shell/shell.zh-TW.ts';
import type { Catalogue } from './first-texts.en-US.ts';

/** The same messages in Traditional Chinese as Taiwan writes it (NAV-07). */
export const catalogue: Translation<Catalogue> = {
  ui,
  errors,
  shell,
  session,
  overview,
  devices,
};
