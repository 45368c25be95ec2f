/** How rooms reach routers without knowing sockets. */
export interface DeviceLink {
  /** Close the router's connection, if it has one here; it may come back unless its secret no longer opens the door. */
  disconnect(routerIds: readonly string[], reason: string): void;
  /**
   * Ask a connected router for parameters (TR-369 Get). Answers a map of full paths to values.
   * @throws DomainError `server.busy` when the router is not connected or does not answer within `timeoutMs`.
   */
  get(routerId: string, paths: readonly string[], timeoutMs?: number): Promise<ReadonlyMap<string, string>>;
}
