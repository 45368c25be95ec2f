import type { analysis } from '../../domains/analysis/analysis.en-US.ts';
import type { esims } from '../../domains/esims/esims.en-US.ts';
import type { remote } from '../../domains/remote-access/remote-access.en-US.ts';
import type { reports } from '../../domains/reports/reports.en-US.ts';
import type { Translation } from '../../ui/translation.ts';

/** Words that are fetched with the screens of their room, not with the first one. */
export interface LateCatalogue {
  readonly remote: typeof remote;
  readonly esims: typeof esims;
  readonly reports: typeof reports;
  readonly analysis: typeof analysis;
}
export type LateRoom = keyof LateCatalogue;

/** A room's page of words as a module hands it out. */
export type LateWords<Room extends LateRoom> = { readonly [Key in Room]: LateCatalogue[Key] | Translation<LateCatalogue[Key]> };
