import { errors } from '../api/errors.en-US.ts';
import { devices } from '../domains/devices/devices.en-US.ts';
import { overview } from '../domains/overview/overview.en-US.ts';
import { ui } from '../ui/ui.en-US.ts';
import { session } from '../session/session.en-US.ts';
import { shell } from './shell/shell.en-US.ts';

/** The English messages of the first screen and of the shell; each domain has its own catalogue, and most are loaded on demand (catalogues.ts). */
export const catalogue = {
  ui,
  errors,
  shell,
  session,
  overview,
  devices,
};
export type Catalogue = typeof catalogue;
