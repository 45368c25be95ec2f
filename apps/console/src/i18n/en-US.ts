import { errors } from '../api/errors.en-US.ts';
import { devices } from '../domains/devices/devices.en-US.ts';
import { overview } from '../domains/overview/overview.en-US.ts';
import { ui } from '../ui/ui.en-US.ts';
import { session } from '../session/session.en-US.ts';
import { shell } from '../app/shell/shell.en-US.ts';

/** The English words of the first screen and of all frames; each room keeps its own page, most come late (lazy-catalogues.ts). */
export const catalogue = {
  ui,
  errors,
  shell,
  session,
  overview,
  devices,
};
export type Catalogue = typeof catalogue;
