/**
 * The chip that holds SIM profiles (SGP.22 "eUICC"), as the agent uses it. A driver accesses a real chip and its modem; the
 * simulator's is `simulated-euicc.ts`. The chip has its own storage: nothing here is lost in a power cut.
 */
export type Euicc = {
  /** All profiles on the chip, the preloaded one first. */
  profiles(): readonly EuiccProfile[];
  /** Number of profiles that fit, the preloaded one included. */
  readonly capacity: number;
  /**
   * Download a profile from the operator's server and install it, disabled. It may take minutes; `installing` is called when the
   * download is complete.
   * @throws EuiccFault when a retry would fail the same way; any other error when it was interrupted
   */
  download(order: ProfileOrder, signal: AbortSignal, installing: () => void): Promise<void>;
  /** Enable this profile and disable the current one. @throws Error when it does not exist */
  enable(iccid: string): void;
  /** Remove a disabled profile; does nothing when it is missing. */
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

/** The profile to download. */
export type ProfileOrder = {
  /** As SGP.22 writes it. */
  activationCode: string;
  confirmationCode: string;
  /** The required ICCID; empty = any. */
  iccid: string;
};

/** Why a download failed. The message begins with a keyword for the cloud, followed by a text for users. */
export class EuiccFault extends Error {}
