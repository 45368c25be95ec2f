// What domains ask of routers, in terms that no protocol owns. A transport translates each operation and each cause of a failure.

/** A file that a router fetches. */
export interface OfferedFile {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** Tests that a router runs itself. Their results are the outputs of the operation. */
export type RouterDiagnostic =
  | {
      readonly type: 'ping';
      readonly host: string;
      readonly ipVersion: IpVersion;
      readonly repetitions: number;
      /** For each echo. */
      readonly timeoutMs: number;
      /** Payload of an echo, bytes. */
      readonly size: number;
    }
  | {
      readonly type: 'traceroute';
      readonly host: string;
      readonly ipVersion: IpVersion;
      readonly maxHops: number;
      /** Probes for each hop. */
      readonly tries: number;
      readonly timeoutMs: number;
    }
  /** @property server empty = the router's own */
  | {
      readonly type: 'dns';
      readonly host: string;
      readonly server: string;
      readonly repetitions: number;
      readonly timeoutMs: number;
    }
  | { readonly type: 'download'; readonly url: string }
  /** @property size bytes */
  | { readonly type: 'upload'; readonly url: string; readonly size: number }
  /** @property size of the capture at most, bytes */
  | {
      readonly type: 'capture';
      readonly url: string;
      readonly username: string;
      readonly password: string;
      /** Path of the interface; empty = all. */
      readonly interface: string;
      readonly filter: string;
      readonly seconds: number;
      readonly size: number;
    }
  /** @property file path of the log, with its final dot */
  | {
      readonly type: 'logUpload';
      readonly file: string;
      readonly url: string;
      readonly username: string;
      readonly password: string;
    };

export type IpVersion = 'any' | '4' | '6';

/** Access of one remote session. @property session its id, also the user name at the router */
export type AccessOperation =
  | {
      readonly type: 'open-tunnel';
      readonly session: string;
      readonly service: RouterService;
      readonly address: string;
      readonly secret: string;
      readonly hostKey: string;
    }
  /** To a port of a client of the vehicle's network, for as long as it has both addresses. */
  | {
      readonly type: 'open-client-tunnel';
      readonly session: string;
      readonly address: string;
      readonly secret: string;
      readonly hostKey: string;
      readonly client: { readonly mac: string; readonly address: string; readonly port: number };
    }
  | { readonly type: 'close-tunnel'; readonly session: string }
  | {
      readonly type: 'grant-access';
      readonly session: string;
      readonly service: RouterService;
      readonly username: string;
      readonly password: string;
      readonly seconds: number;
    }
  | { readonly type: 'revoke-access'; readonly session: string }
  /** The router's own sign-in becomes its default again. */
  | { readonly type: 'reset-password' }
  /** Set the password of one of the router's own users; `rejected` when it has no user of that name. */
  | PasswordOperation;

export interface PasswordOperation {
  readonly type: 'set-password';
  readonly username: string;
  readonly password: string;
}

export type RouterService = 'ssh' | 'gui';

/** Changes of the profiles on an eUICC, by their reported paths with the final dot. */
export type ProfileOperation =
  | {
      readonly type: 'download-profile';
      readonly sim: string;
      readonly activationCode: string;
      readonly confirmationCode: string;
      readonly iccid: string;
      readonly name: string;
      readonly apn: string;
      readonly apn2: string;
      readonly priority: number;
    }
  | { readonly type: 'enable-profile'; readonly profile: string }
  | { readonly type: 'delete-profile'; readonly profile: string };

/** Files, by the reported path of their slot with the final dot. */
export type FileOperation =
  /** @property activates it starts the image at once */
  | { readonly type: 'install-firmware'; readonly slot: string; readonly file: OfferedFile; readonly activates: boolean }
  | { readonly type: 'restore-config'; readonly slot: string; readonly file: OfferedFile; readonly name: string }
  /** It uploads its configuration there. */
  | { readonly type: 'backup-config'; readonly slot: string; readonly url: string };

/** What people do with a router without any set-up. */
export type ActionOperation =
  | { readonly type: 'reboot' }
  /** The modem through which it is connected, or its first one. */
  | { readonly type: 'restart-modem' }
  | { readonly type: 'factory-reset' }
  /** It shows for so long where it is. */
  | { readonly type: 'identify'; readonly seconds: number }
  /** It reports its readings now; where it cannot, they are read and stored before the outcome is returned. */
  | { readonly type: 'send-readings' };

export type RouterOperation =
  | ActionOperation
  | FileOperation
  | ProfileOperation
  | AccessOperation
  | RouterDiagnostic
  /** Set parameters of one object (TR-181 names), all or none. */
  | { readonly type: 'set-values'; readonly object: string; readonly values: ReadonlyMap<string, string> }
  /** Set parameters of several objects with one request, all or none. */
  | { readonly type: 'set-objects'; readonly objects: readonly ObjectValues[] }
  /** Add instances with their values, all or none; `object` is their table. The outputs are their paths, in order: `0`, `1` … */
  | { readonly type: 'add-objects'; readonly objects: readonly ObjectValues[] }
  /**
   * Have changes of these parameters reported (`RouterListener.changed`), and of no others by this operation; paths may have `*` for
   * instances. What the router does not take is left out.
   */
  | { readonly type: 'watch-values'; readonly paths: readonly string[] }
  /** Delete instances by their paths, all or none. */
  | { readonly type: 'delete-objects'; readonly objects: readonly string[] };

/** Values to set. @property object path with its final dot */
export interface ObjectValues {
  readonly object: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Operations that a router's data model has or lacks as a whole. */
export type OfferedOperation = Exclude<
  RouterOperation['type'],
  'set-values' | 'set-objects' | 'add-objects' | 'delete-objects' | 'watch-values' | 'send-readings'
>;

/**
 * Why an operation failed. `unsupported`: the router lacks it. `busy`: it has no capacity now. `rejected`: it did not begin.
 * `interrupted`: a restart ended it. `failed`: it began, and did not succeed.
 */
export type FailureCause = 'unsupported' | 'busy' | 'rejected' | 'interrupted' | 'failed';

export interface OperationFailure {
  readonly cause: FailureCause;
  /** Number that the router's protocol gives to the error, for people only; null when the failure is ours. */
  readonly code: number | null;
  /** The router's own message, unchanged. */
  readonly message: string;
}

/**
 * `running`: its end is reported later. `waiting`: it is sent at the router's next contact, and its end is reported later.
 */
export type OperationOutcome =
  | { readonly type: 'running' | 'waiting' }
  | { readonly type: 'done'; readonly outputs: ReadonlyMap<string, string> }
  | ({ readonly type: 'failed' } & OperationFailure);
