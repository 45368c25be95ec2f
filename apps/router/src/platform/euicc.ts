/**
 * The chip that holds SIM profiles (SGP.22 "eUICC"), as the agent uses it. A driver talks to a real chip and its modem; the
 * simulator's is `simulated-euicc.ts`. The chip remembers by itself what lies on it: nothing here is undone by a power cut.
 */
export type Euicc = {
  /** Everything on the chip, the profile from the factory first. */
  profiles(): readonly EuiccProfile[];
  /** How many fit, the one from the factory included. */
  readonly capacity: number;
  /**
   * Fetches a profile from the operator's server and installs it, not in use yet. It may take minutes; `installing` is called when all
   * of it is there.
   * @throws EuiccFault when another try would end the same; any other error when it was cut off
   */
  download(order: ProfileOrder, signal: AbortSignal, installing: () => void): Promise<void>;
  /** Uses this profile from now on, instead of the one in use. @throws Error when it is not there */
  enable(iccid: string): void;
  /** Removes a profile that is not in use; one that is not there is gone already. */
  remove(iccid: string): void;
};

export type EuiccProfile = {
  iccid: string;
  imsi: string;
  msisdn: string;
  carrier: string;
  inUse: boolean;
  /** It came with the router and cannot be removed. */
  isPreloaded: boolean;
};

/** What to fetch. */
export type ProfileOrder = {
  /** As SGP.22 writes it. */
  activationCode: string;
  confirmationCode: string;
  /** The number that it should have; empty = whatever comes. */
  iccid: string;
};

/** Why there is no profile. The message begins with a word that the cloud knows, and says the rest to people. */
export class EuiccFault extends Error {}
