import type { Service } from '../../remote/remote-control.ts';
import { passwordReset } from '../../steps/remote.ts';
import type { ObjectDef, ReadParam } from '../definition.ts';
import { between, fixed, flag, setting, whole } from '../params.ts';

const listens = (service: Service): ReadParam => flag((router) => router.remote(service).port !== undefined);
/** 0 while it does not listen: it uses a free port each time. */
const port = (service: Service): ReadParam => whole((router) => router.remote(service).port ?? 0);
const sessions = (service: Service): ReadParam => whole((router) => router.remote(service).sessions);

export const DEFAULT_IDLE_SECONDS = 3_600;

/**
 * The SSH server (TR-181 Device.SSH.Server). It listens while one-time credentials are valid, and cannot be switched manually.
 */
const sshServer: ObjectDef = {
  path: 'Device.SSH.Server.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias']] },
  params: {
    Alias: fixed('remote'),
    Enable: listens('SSH'),
    Port: port('SSH'),
    AllowRootLogin: flag(() => false),
    AllowPasswordLogin: flag(() => true),
    // Seconds without a byte after which a session ends.
    IdleTimeout: setting('PARAM_UNSIGNED_INT', String(DEFAULT_IDLE_SECONDS), between(30, 3_600)),
    SessionNumberOfEntries: sessions('SSH'),
  },
};

/** The router's own web page (TR-181 Device.UserInterface). */
const userInterface: ObjectDef = {
  path: 'Device.UserInterface.',
  params: { Enable: flag(() => true) },
  commands: { 'PasswordReset()': passwordReset },
};

const httpAccess: ObjectDef = {
  path: 'Device.UserInterface.HTTPAccess.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias']] },
  params: {
    Alias: fixed('remote'),
    Enable: listens('GUI'),
    AccessType: fixed('RemoteAccess'),
    Protocol: fixed('HTTP'),
    Port: port('GUI'),
    SessionNumberOfEntries: sessions('GUI'),
  },
};

export const remoteObjects: readonly ObjectDef[] = [sshServer, userInterface, httpAccess];
