/** Believable numbers for test routers; the rules they follow live with the protocol, so that the server may use them too. */
export { makeEid, makeIccid, makeImei, makeImsi, makeMac, makeMsisdn } from '@highline/usp';
