import type { Duplex } from 'node:stream';
import { admitsAdministrator } from '../model/objects/users.ts';
import { dialTcp } from '../platform/dial-tcp.ts';
import { faultOfClient } from './client-target.ts';
import { createGuiService } from './gui-service.ts';
import { Grant, type GrantEnd } from './grant.ts';
import type { RemoteHost } from './host.ts';
import type { LocalService, Visits } from './local-service.ts';
import { createCommandLine } from './shell/command-line.ts';
import { createProgramShell } from './shell/program.ts';
import type { Shell } from './shell/shell.ts';
import { createSshService } from './ssh-service.ts';
import { DEFAULT_IDLE_SECONDS } from '../model/objects/remote.ts';
import { Tunnel } from './tunnel.ts';
import type { ServiceStatus, GrantRequest, TunnelRequest } from './remote-control.ts';

const GRANT_ENDS: Readonly<Record<GrantEnd, string>> = {
  expired: 'the credentials have expired',
  revoked: 'the credentials were withdrawn',
  'guessed-at': 'the credentials were withdrawn after too many wrong passwords',
};

/** What a tunnel leads to, for people. */
export function nameOfService(service: TunnelRequest['service']): string {
  if (typeof service !== 'string') return `${service.address} port ${service.port}`;
  return service === 'SSH' ? 'the command line' : 'the web page';
}

/** One remote session: the tunnel, the service behind it, and its credentials. Everything ends with the tunnel. */
export class RemoteSession {
  readonly request: TunnelRequest;
  readonly #host: RemoteHost;
  readonly #tunnel: Tunnel;
  #service: LocalService | undefined;
  #grant: Grant | undefined;
  #sessions = 0;

  /** @param ended called once */
  constructor(request: TunnelRequest, host: RemoteHost, ended: () => void) {
    this.request = request;
    this.#host = host;
    this.#tunnel = new Tunnel({
      request,
      scheduler: host.scheduler,
      connect: (signal) => this.#connect(signal),
      up: () => this.#note('info', 'tunnel.up', `a tunnel to ${this.#what} is open`),
      ended: (reason) => {
        this.#note('info', 'tunnel.ended', `the tunnel to ${this.#what} ended: ${reason}`);
        this.#grant?.end('revoked');
        this.#service?.end();
        ended();
      },
    });
  }

  get status(): ServiceStatus {
    return { port: this.#service?.port, sessions: this.#sessions };
  }

  start(): void {
    this.#tunnel.start();
  }

  end(reason: string, graceful: boolean): void {
    this.#tunnel.end(reason, graceful);
  }

  onCoverageLost(): void {
    this.#tunnel.onCoverageLost();
  }

  onCoverageRestored(): void {
    this.#tunnel.onCoverageRestored();
  }

  /** Allow one user to sign in for a while; earlier credentials end. */
  grant(request: GrantRequest): void {
    this.#grant?.end('revoked');
    this.#service ??= this.#createService();
    this.#service.open();
    this.#note('info', 'access.granted', `one user may sign in to ${this.#what} for ${request.seconds} s`);
    this.#grant = new Grant(request, this.#host.scheduler, (why) => {
      this.#service?.shut();
      this.#note('info', 'access.ended', GRANT_ENDS[why]);
    });
  }

  revoke(): void {
    this.#grant?.end('revoked');
  }

  get #what(): string {
    return nameOfService(this.request.service);
  }

  /** Connect to what the tunnel leads to. A client that left, or has another address now, ends it. */
  async #connect(signal: AbortSignal): Promise<Duplex> {
    const { service } = this.request;
    if (typeof service === 'string') return dialTcp('127.0.0.1', this.#service?.port, signal);
    const { router } = this.#host;
    const fault = faultOfClient(router, service);
    if (fault === undefined && router.platform.networks)
      return router.platform.networks.dial(service.address, service.port, signal);
    this.#tunnel.end(fault ?? 'there is no network');
    throw new Error(fault);
  }

  #createService(): LocalService {
    const visits: Visits = {
      scheduler: this.#host.scheduler,
      idleMs: () => Number(this.#host.router.row('Device.SSH.Server.1.')?.['IdleTimeout'] ?? DEFAULT_IDLE_SECONDS) * 1_000,
      enter: (username, password) => this.#enter(username, password),
      leave: () => {
        this.#sessions -= 1;
        this.#note('info', 'access.left', `a user left ${this.#what}`);
      },
    };
    if (this.request.service === 'GUI') return createGuiService(this.#host, visits);
    return createSshService(this.#host.hostKey(), this.#createShell(), visits);
  }

  #createShell(): Shell {
    const { shell } = this.#host.router.platform;
    return shell.kind === 'program' ? createProgramShell(shell.program) : createCommandLine(this.#host);
  }

  /** The user of the session, and on the web page the administrator with the password that a controller set. */
  #admits(username: string, password: string): boolean {
    if (this.request.service === 'GUI' && admitsAdministrator(this.#host.router, username, password)) return true;
    return this.#grant?.admits(username, password) ?? false;
  }

  #enter(username: string, password: string): boolean {
    const isIn = this.#admits(username, password);
    if (isIn) this.#sessions += 1;
    if (isIn) this.#note('info', 'access.entered', `a user signed in to ${this.#what}`);
    else this.#note('warn', 'access.rejected', `sign-in to ${this.#what} rejected: wrong name or password`);
    return isIn;
  }

  /** Write to the activity log of the router, and to the program's log. */
  #note(level: 'info' | 'warn', event: string, text: string): void {
    this.#host.log(level, event, { session: this.request.user, text });
    this.#host.activityLog.add('remote', text);
  }
}
