/** Plausible numbers for test routers; their rules are in packages/usp, so that the server can use them too. */
export { makeEid, makeIccid, makeImei, makeImsi, makeMac, makeMsisdn } from '@highline/usp';
