/** Which cell people and routers belong to. */
export interface CellLookup {
  /** Origin of the cell of an e-mail address; an unknown address has one too, always the same. */
  cellOfEmail(email: string): Promise<string>;
  /** Origin of the cell of a router's secret; undefined = unknown. */
  cellOfSecret(secret: string): Promise<string | undefined>;
  /** Origin of the cell of an endpoint id; an unknown one has one too: an endpoint id is not a secret. */
  cellOfEndpoint(endpointId: string): Promise<string>;
  /** @throws DomainError when the bearer is not that of a cell of this name */
  checkCell(cell: string, bearer: string): void;
  /** Answer a message of a cell that was checked. @throws DomainError when the body is invalid */
  respond(cell: string, message: string, body: unknown): Promise<object>;
}
