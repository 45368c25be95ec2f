/**
 * What can be found about a device (SAY-02), the most urgent first. `number` orders lists and is stored, so that a further kind goes between two
 * others and changes none: causes before what follows from them. `tone` is how a screen shows it.
 */
export const diagnoses = {
  /** Two routers connect with its identity, or it reports another serial number than the inventory's. */
  identity: { number: 10, tone: 'bad' },
  /** The supply voltage was too low for hours. */
  supply: { number: 20, tone: 'bad' },
  /** Its signal is far below that of other vehicles in the same places: antenna or cable. */
  antenna: { number: 30, tone: 'bad' },
  /** It restarts again and again, without an order. */
  restarts: { number: 40, tone: 'bad' },
  /** An eSIM profile failed, no SIM is found, or the SIM has signal and no data passes. */
  sim: { number: 50, tone: 'bad' },
  /** No memory is left for an eSIM profile. */
  storage: { number: 55, tone: 'bad' },
  heat: { number: 60, tone: 'bad' },
  /** It goes on and off right now (SAY-03). */
  unstable: { number: 70, tone: 'bad' },
  /** It lost the connection often within a day, in many places. */
  drops: { number: 75, tone: 'warn' },
  /** Its positions are rejected. */
  position: { number: 80, tone: 'warn' },
  /** It loses the connection where other vehicles do too: the network, not the router. */
  place: { number: 85, tone: 'warn' },
  clock: { number: 90, tone: 'warn' },
} as const satisfies Readonly<Record<string, { readonly number: number; readonly tone: 'bad' | 'warn' }>>;
export type DiagnosisKind = keyof typeof diagnoses;

/** From when on something is found. Each limit has its source next to it. */
export const diagnosisLimits = {
  /** Hours of readings, and of lost connections, that are looked at. */
  hours: 24,
  antenna: {
    /** dB below the others, over at least so many reports: those of *Coverage* (POS-06), where 8 dB is a cable that is off or wet. */
    db: -8,
    samples: 30,
    /** Days whose comparison counts, and of them those that have to agree: one day can be a detour through a garage. */
    days: 7,
    leastDays: 2,
  },
  /** Lost connections within a time: a mobile network hands over without one, so that five in half an hour is no drive through tunnels. */
  unstable: { losses: 5, minutes: 30 },
  /** Lost connections in 24 hours, in so many different hours: from 10 on the part of the health score is 0 (DPG-03). */
  drops: { losses: 10, hours: 3 },
  /** Lost connections in one hexagon of about 1 km across, their share of all, and those of others there in a week. */
  place: { losses: 5, share: 0.6, others: 3 },
  /** Mean of an hour: a lead-acid battery at rest is empty below 11.8 V of 12 V (11.5 V under a small load); a 24 V supply has twice that. */
  supply: { volts: 11.5, hours: 2 },
  /** In 24 hours, and within one of them: an ignition that switches the router makes them one by one. */
  restarts: { count: 6, inHour: 4 },
  /** Mean of an hour, °C: routers are made for 70 °C around them; modems throttle from about 75 °C on. */
  heat: { celsius: 75 },
  /** Hours with a signal, without one byte in either direction. */
  idle: { hours: 20 },
  /** Seconds: certificates and signed logins are rejected from about 5 minutes on (RFC 4120). */
  clock: { seconds: 300 },
  /** The last rejected position is not older, hours. */
  position: { hours: 24 },
} as const;
