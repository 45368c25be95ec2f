export { isAlarmPath, readAlarm, readAlarms } from './alarms.ts';
export { Answers } from './answers.ts';
export { readSkew } from './clock.ts';
export { findEuicc, PROFILE_STATES, reportsProfiles } from './esim.ts';
export { measures, readMeasured } from './measured.ts';
export * from './paths.ts';
export { readPush } from './push.ts';
export { choosePrimary, readReported, readValueChange, type Primary } from './reported.ts';
export { readFlag } from './text.ts';
