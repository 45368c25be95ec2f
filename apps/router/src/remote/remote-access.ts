import { faultOfTunnelAddress } from './address.ts';
import type { RemoteHost } from './host.ts';
import { faultOfClient } from './client-target.ts';
import { nameOfService, RemoteSession } from './remote-session.ts';
import type { RemoteControl, Service, ServiceStatus, GrantRequest, TunnelRequest } from './remote-control.ts';

const NO_SERVICE: ServiceStatus = { port: undefined, sessions: 0 };
const NO_TUNNEL = 'no tunnel of this session is open';

/**
 * Remote access to a router: one session at a time, and none until the cloud requests it. Without a session nothing is held here;
 * a restart ends everything.
 */
export class RemoteAccess implements RemoteControl {
  readonly #host: RemoteHost;
  #session: RemoteSession | undefined;

  constructor(host: RemoteHost) {
    this.#host = host;
  }

  open(request: TunnelRequest): string | undefined {
    const { address, service } = request;
    const fault =
      faultOfTunnelAddress(address, this.#host.home()) ??
      (typeof service === 'string' ? undefined : faultOfClient(this.#host.router, service));
    if (fault !== undefined) {
      this.#host.activityLog.add('remote', `a tunnel was not opened: ${fault}`);
      return fault;
    }
    this.end('replaced by a newer one');
    const session = new RemoteSession(request, this.#host, () => {
      if (this.#session === session) this.#session = undefined;
    });
    this.#session = session;
    session.start();
    return undefined;
  }

  close(user: string): string | undefined {
    if (this.#session?.request.user !== user) return NO_TUNNEL;
    this.end('closed on request of the cloud');
    return undefined;
  }

  grant(user: string, request: GrantRequest): string | undefined {
    if (this.#session?.request.user !== user) return NO_TUNNEL;
    const { service } = this.#session.request;
    if (service !== request.service)
      return `the tunnel of this session leads to ${typeof service === 'string' ? service : nameOfService(service)}`;
    this.#session.grant(request);
    return undefined;
  }

  revoke(user: string): string | undefined {
    if (this.#session?.request.user !== user) return NO_TUNNEL;
    this.#session.revoke();
    return undefined;
  }

  statusOf(service: Service): ServiceStatus {
    return this.#session?.request.service === service ? this.#session.status : NO_SERVICE;
  }

  /** End the open session: with a closing handshake, or at once like a power cut. */
  end(reason: string, graceful = true): void {
    this.#session?.end(reason, graceful);
    this.#session = undefined;
  }

  onCoverageLost(): void {
    this.#session?.onCoverageLost();
  }

  onCoverageRestored(): void {
    this.#session?.onCoverageRestored();
  }
}
