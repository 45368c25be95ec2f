import { luhnCheckDigit, makeEid, makeImei, makeMsisdn } from '@highline/usp';

/** Numbers of a router's modem and SIM in a carrier's ranges; check digits are valid, and `index` makes them distinct. */
export function demoNumbers(carrier: { readonly mcc: string; readonly mnc: string; readonly iccid: string }, index: number) {
  // Not the number with zeros at its end: a spreadsheet would leave such ones.
  const body = `${carrier.iccid}${String(12_345_670_000 + (index || 1_000) * 7_919).padStart(12, '0')}`;
  return {
    imei: makeImei(520_000 + index),
    imsi: `${carrier.mcc}${carrier.mnc}${String(12_345_678 + index * 83_771).padStart(9, '0')}`,
    iccid: `${body}${luhnCheckDigit(body)}`,
    msisdn: makeMsisdn(11_100 + index),
    eid: makeEid(7_000 + index),
  };
}
