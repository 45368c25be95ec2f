import { isAlarmPath, readAlarm, readAlarms } from './alarms.ts';
import { readSkew, readTime } from './clock.ts';
import { chooseEuicc, isEuiccLacking, PROFILE_STATES, reportsProfiles } from './esim.ts';
import { readMeasured, signalIn } from './measured.ts';
import { readings } from '../facts.ts';
import { clientCountPaths, listClientPaths, countClients } from '../tables/clients.ts';
import { uplinkPaths } from '../tables/uplinks.ts';
import { wifiPaths } from '../tables/wifi.ts';
import { activeFilePaths, readingPaths, simPaths, statePaths, tableOfPath, watches } from './paths.ts';
import { measuredIn, readPushedReports } from './push.ts';
import { choosePrimary, readReported, readValueChange } from './reported.ts';

export type { PushedReports } from './push.ts';
export type { RouterAlarm } from './alarms.ts';
export type { Euicc } from './esim.ts';
export type { Primary } from './reported.ts';

/** What is read from routers and how, by the catalogue of facts; the composition hands it to the transport. */
export const ingest = {
  statePaths,
  activeFilePaths,
  simPaths,
  readingPaths,
  uplinkPaths,
  wifiPaths,
  clientCountPaths,
  listClientPaths,
  countClients,
  tableOfPath,
  readings,
  watches,
  profileStates: PROFILE_STATES,
  choosePrimary,
  readReported,
  readValueChange,
  readMeasured,
  signalIn,
  readPushedReports,
  measuredIn,
  readSkew,
  readTime,
  isAlarmPath,
  readAlarm,
  readAlarms,
  chooseEuicc,
  isEuiccLacking,
  reportsProfiles,
} as const;
export type Ingest = typeof ingest;
